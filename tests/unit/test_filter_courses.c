// SPDX-License-Identifier: GPL-2.0-only
/* arfs_filter.h: whatever happens in whatever order, the filter tells what the device has. */
#include "arfs_filter.h"
#include "unit.h"

/*
 * What a device would hold, told only by the writes that the filter asks for. In doubt the filter
 * cannot know whether the last write took place.
 */
struct device {
	struct arfs_target has;
	struct arfs_target target;
	enum arfs_write write;
	bool in_doubt;
};

static void device_write(struct device *device, enum arfs_write write,
			 const struct arfs_filter *filter)
{
	bool present = device->has.id != ARFS_NO_ID;

	if (write == ARFS_WRITE_NONE)
		return;
	unit_require(device->write == ARFS_WRITE_NONE, "a second write, %d, is asked for", write);
	/* In doubt only what is right in either case. */
	unit_require(device->in_doubt ? write != ARFS_WRITE_ADD :
					present == (write != ARFS_WRITE_ADD),
		     "write %d, present %d, in doubt %d", write, present, device->in_doubt);
	device->write = write;
	device->target = filter->writing;
	unit_require((filter->writing.id == ARFS_NO_ID) == (write == ARFS_WRITE_DELETE), "write %d",
		     write);
}

/* What an event means in the device; of a write in doubt, whether it @took_place. */
static void device_event(struct device *device, enum arfs_event event, bool took_place)
{
	bool in_flight = device->write != ARFS_WRITE_NONE;

	switch (event) {
	case ARFS_EVENT_DONE:
		if (in_flight) {
			device->has = device->target;
			device->in_doubt = false;
		}
		break;
	case ARFS_EVENT_DOUBT:
		if (in_flight && took_place)
			device->has = device->target;
		device->in_doubt |= in_flight;
		break;
	case ARFS_EVENT_LOST:
		device->has = ARFS_NO_TARGET;
		device->in_doubt = false;
		break;
	case ARFS_EVENT_FAIL:
		break;
	default:
		return;
	}
	device->write = ARFS_WRITE_NONE;
}

static void check_programmed(const struct arfs_filter *filter, const struct device *device)
{
	const char *state = unit_state_name(filter->state);
	bool settled = filter->state == ARFS_ACTIVE || filter->state == ARFS_IDLE;
	bool in_flight = device->write != ARFS_WRITE_NONE;

	if (device->in_doubt) {
		unit_require(!settled, "%s", state);
		unit_require(filter->programmed.id != ARFS_NO_ID &&
			     filter->programmed.rxq == ARFS_RXQ_UNKNOWN, "%s", state);
		return;
	}
	unit_require(arfs_target_equal(filter->programmed, device->has), "%s", state);
	if (!in_flight)
		unit_require(arfs_target_equal(filter->wanted, device->has) == settled, "%s",
			     state);
}

/* Both the state and the fields must tell the truth about the device, whatever happened before. */
static void check_truth(const struct arfs_filter *filter, const struct device *device)
{
	bool settled = filter->state == ARFS_ACTIVE || filter->state == ARFS_IDLE;
	bool in_flight = device->write != ARFS_WRITE_NONE;
	const char *state = unit_state_name(filter->state);

	check_programmed(filter, device);
	unit_require(arfs_filter_in_flight(filter) == in_flight, "%s", state);
	unit_require((filter->state == ARFS_ADDING) == (device->write == ARFS_WRITE_ADD), "%s",
		     state);
	unit_require((filter->state == ARFS_MOVING) == (device->write == ARFS_WRITE_MOVE), "%s",
		     state);
	unit_require((filter->state == ARFS_DELETING) == (device->write == ARFS_WRITE_DELETE),
		     "%s", state);
	if (filter->state == ARFS_FAILED)
		unit_require(filter->failures, "%s", state);
	if (settled)
		unit_require(!filter->failures, "%s", state);
	if (!in_flight)
		unit_require(filter->writing.id == ARFS_NO_ID, "%s", state);
}

static void random_event(struct arfs_filter *filter, struct device *device, u64 *random)
{
	enum arfs_event event = unit_random(random) % ARFS_EVENTS;
	struct arfs_target target = {
		.rxq = unit_random(random) % 3, .id = unit_random(random) % 3
	};

	device_event(device, event, unit_random(random) % 2);
	device_write(device, arfs_filter_step(filter, event, target), filter);
}

START_TEST(any_course_of_events_leaves_the_filter_telling_the_truth)
{
	struct device device = { .has = { .id = ARFS_NO_ID }, .write = ARFS_WRITE_NONE };
	u32 seen[ARFS_STATES] = { 0 };
	struct arfs_filter filter;
	u64 random = 1000 + _i;
	u32 events;

	arfs_filter_init(&filter);
	for (events = 0; events < 20000; events++) {
		random_event(&filter, &device, &random);
		check_truth(&filter, &device);
		seen[filter.state]++;
	}
	for (events = 0; events < ARFS_STATES; events++)
		ck_assert_msg(seen[events], "state %s never came up", unit_state_name(events));
}
END_TEST

START_TEST(left_alone_every_filter_gets_what_is_wanted)
{
	struct device device = { .has = { .id = ARFS_NO_ID }, .write = ARFS_WRITE_NONE };
	struct arfs_filter filter;
	enum arfs_write write;
	u64 random = 5000 + _i;
	unsigned int i;

	arfs_filter_init(&filter);
	for (i = 0; i < 200; i++)
		random_event(&filter, &device, &random);
	for (i = 0; i < 4; i++) {
		if (device.write != ARFS_WRITE_NONE) {
			device_event(&device, ARFS_EVENT_DONE, true);
			arfs_filter_step(&filter, ARFS_EVENT_DONE, ARFS_NO_TARGET);
		}
		arfs_filter_step(&filter, ARFS_EVENT_RETRY, ARFS_NO_TARGET);
		write = arfs_filter_step(&filter, ARFS_EVENT_START, ARFS_NO_TARGET);
		device_write(&device, write, &filter);
	}
	ck_assert(arfs_target_equal(filter.wanted, device.has));
	ck_assert_int_eq(filter.state, filter.wanted.id == ARFS_NO_ID ? ARFS_IDLE : ARFS_ACTIVE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("filter: courses");
	TCase *tcase = tcase_create("courses");

	tcase_add_loop_test(tcase, any_course_of_events_leaves_the_filter_telling_the_truth, 0,
			    10);
	tcase_add_loop_test(tcase, left_alone_every_filter_gets_what_is_wanted, 0, 200);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
