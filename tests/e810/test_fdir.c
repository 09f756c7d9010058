// SPDX-License-Identifier: GPL-2.0-only
/* The Flow Director table. */
#include <string.h>

#include "test_rig.h"
#include "test_util.h"

static const struct vdev_fd_quota all = { 0xffff, 0xffff };

static struct vdev_tuple tuple(u32 n)
{
	struct vdev_tuple t = { .proto = VDEV_PROTO_TCP, .sport = n, .dport = 80 };

	t.src[0] = 10;
	t.src[3] = n >> 16;
	t.dst[0] = 10;
	return t;
}

static enum vdev_fd_outcome add(struct vdev_fdir *fdir, u32 n, u16 queue, u32 id)
{
	struct vdev_tx_filter a = rig_action(queue, id);
	struct vdev_tuple t = tuple(n);

	return vdev_fdir_add(fdir, &t, &a, &all);
}

START_TEST(add_find_remove)
{
	struct vdev_tuple t = tuple(1), other = tuple(2);
	struct vdev_filter *f;
	struct vdev_fdir fdir;

	ck_assert_int_eq(vdev_fdir_init(&fdir, 16), 0);
	ck_assert_ptr_null(vdev_fdir_find(&fdir, &t, 8));
	ck_assert_int_eq(add(&fdir, 1, 3, 42), VDEV_FD_OK);
	f = vdev_fdir_find(&fdir, &t, 8);
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(f->queue, 3);
	ck_assert_uint_eq(f->id, 42);
	ck_assert(!f->rss_queue && !f->drop);
	ck_assert_ptr_null(vdev_fdir_find(&fdir, &other, 8));
	ck_assert_ptr_null(vdev_fdir_find(&fdir, &t, 9));
	ck_assert_uint_eq(vdev_fdir_live(&fdir), 1);
	ck_assert_int_eq(vdev_fdir_remove(&fdir, &other, 8), VDEV_FD_NOENT);
	ck_assert_int_eq(vdev_fdir_remove(&fdir, &t, 9), VDEV_FD_NOENT);
	ck_assert_int_eq(vdev_fdir_remove(&fdir, &t, 8), VDEV_FD_OK);
	ck_assert_int_eq(vdev_fdir_remove(&fdir, &t, 8), VDEV_FD_NOENT);
	ck_assert_uint_eq(vdev_fdir_live(&fdir), 0);
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(add_again_moves)
{
	struct vdev_tuple t = tuple(1);
	struct vdev_filter *f;
	struct vdev_fdir fdir;

	ck_assert_int_eq(vdev_fdir_init(&fdir, 2), 0);
	ck_assert_int_eq(add(&fdir, 1, 3, 42), VDEV_FD_OK);
	ck_assert_int_eq(add(&fdir, 2, 0, 43), VDEV_FD_OK);
	/* Full, and yet a filter that exists can be moved. */
	ck_assert_int_eq(add(&fdir, 3, 0, 44), VDEV_FD_FULL);
	f = vdev_fdir_find(&fdir, &t, 8);
	f->hits = 7;
	ck_assert_int_eq(add(&fdir, 1, 5, 45), VDEV_FD_OK);
	ck_assert_ptr_eq(vdev_fdir_find(&fdir, &t, 8), f);
	ck_assert_uint_eq(f->queue, 5);
	ck_assert_uint_eq(f->id, 45);
	ck_assert_uint_eq(f->hits, 7);
	ck_assert_uint_eq(vdev_fdir_live(&fdir), 2);
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(full_and_reusable)
{
	struct vdev_fdir fdir;
	struct vdev_tuple t;

	ck_assert_int_eq(vdev_fdir_init(&fdir, 1000), 0);
	ck_assert_uint_eq(vdev_fdir_capacity(&fdir), 1000);
	for (u32 n = 0; n < 1000; n++)
		ck_assert_int_eq(add(&fdir, n, 1, n), VDEV_FD_OK);
	ck_assert_int_eq(add(&fdir, 1000, 1, 1000), VDEV_FD_FULL);
	for (u32 n = 0; n < 1000; n += 2) {
		t = tuple(n);
		ck_assert_int_eq(vdev_fdir_remove(&fdir, &t, 8), VDEV_FD_OK);
	}
	for (u32 n = 0; n < 1000; n++) {
		t = tuple(n);
		ck_assert_int_eq(!!vdev_fdir_find(&fdir, &t, 8), n % 2);
	}
	for (u32 n = 2000; n < 2500; n++)
		ck_assert_int_eq(add(&fdir, n, 1, n), VDEV_FD_OK);
	ck_assert_int_eq(add(&fdir, 2500, 1, 2500), VDEV_FD_FULL);
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(pools_are_kept_apart)
{
	struct vdev_tx_filter a = rig_action(1, 1);
	struct vdev_fdir fdir;
	struct vdev_tuple t;

	ck_assert_int_eq(vdev_fdir_init(&fdir, 4), 0);
	ck_assert_uint_eq(fdir.guaranteed, 2);
	ck_assert_uint_eq(fdir.best_effort, 2);
	a.space = VDEV_FD_SPACE_BEST_EFFORT;
	for (u32 n = 0; n < 3; n++) {
		t = tuple(n);
		ck_assert_int_eq(vdev_fdir_add(&fdir, &t, &a, &all),
				 n < 2 ? VDEV_FD_OK : VDEV_FD_FULL);
	}
	ck_assert_uint_eq(fdir.used_best_effort, 2);
	ck_assert_uint_eq(fdir.vsi_best_effort[8], 2);
	a.space = VDEV_FD_SPACE_BEST_EFFORT_FIRST;
	ck_assert_int_eq(vdev_fdir_add(&fdir, &t, &a, &all), VDEV_FD_OK);
	ck_assert_uint_eq(fdir.used_guaranteed, 1);
	ck_assert_uint_eq(fdir.vsi_guaranteed[8], 1);
	t = tuple(0);
	ck_assert_int_eq(vdev_fdir_remove(&fdir, &t, 8), VDEV_FD_OK);
	ck_assert_uint_eq(fdir.used_best_effort, 1);
	ck_assert_uint_eq(fdir.used_guaranteed, 1);
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(quota_of_a_vsi)
{
	const struct vdev_fd_quota quota = { .guaranteed = 1, .best_effort = 1 };
	struct vdev_tx_filter a = rig_action(1, 1);
	struct vdev_fdir fdir;

	ck_assert_int_eq(vdev_fdir_init(&fdir, 16), 0);
	for (u32 n = 0; n < 3; n++) {
		struct vdev_tuple t = tuple(n);

		ck_assert_int_eq(vdev_fdir_add(&fdir, &t, &a, &quota),
				 n < 2 ? VDEV_FD_OK : VDEV_FD_FULL);
	}
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(one_vsi_is_cleared)
{
	struct vdev_tx_filter a = rig_action(1, 1);
	struct vdev_fdir fdir;

	ck_assert_int_eq(vdev_fdir_init(&fdir, 64), 0);
	for (u32 n = 0; n < 30; n++) {
		struct vdev_tuple t = tuple(n);

		a.vsi = n % 3;
		ck_assert_int_eq(vdev_fdir_add(&fdir, &t, &a, &all), VDEV_FD_OK);
	}
	ck_assert_uint_eq(vdev_fdir_clear(&fdir, 1), 10);
	ck_assert_uint_eq(vdev_fdir_live(&fdir), 20);
	ck_assert_uint_eq(fdir.vsi_guaranteed[1], 0);
	ck_assert_uint_eq(vdev_fdir_clear(&fdir, -1), 20);
	ck_assert_uint_eq(vdev_fdir_live(&fdir), 0);
	for (u32 n = 0; n < 64; n++)
		ck_assert_int_eq(add(&fdir, n, 1, n), VDEV_FD_OK);
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(actions)
{
	struct vdev_tx_filter a = rig_action(1, 1);
	struct vdev_tuple t = tuple(1);
	struct vdev_filter *f;
	struct vdev_fdir fdir;

	ck_assert_int_eq(vdev_fdir_init(&fdir, 4), 0);
	a.drop = true;
	ck_assert_int_eq(vdev_fdir_add(&fdir, &t, &a, &all), VDEV_FD_OK);
	f = vdev_fdir_find(&fdir, &t, 8);
	ck_assert(f->drop && !f->rss_queue);
	a.drop = false;
	a.queue_priority = 0;
	ck_assert_int_eq(vdev_fdir_add(&fdir, &t, &a, &all), VDEV_FD_OK);
	ck_assert(!f->drop && f->rss_queue);
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(sizes)
{
	struct vdev_fdir fdir;

	ck_assert_int_ne(vdev_fdir_init(&fdir, 1), 0);
	ck_assert_int_ne(vdev_fdir_init(&fdir, VDEV_FDIR_MAX + 1), 0);
	ck_assert_int_eq(vdev_fdir_init(&fdir, VDEV_FDIR_MAX), 0);
	ck_assert_uint_eq(fdir.guaranteed, VDEV_FDIR_MAX_GUARANTEED);
	ck_assert_uint_eq(fdir.best_effort, VDEV_FDIR_MAX_BEST_EFFORT);
	vdev_fdir_free(&fdir);
}
END_TEST

START_TEST(swapped_tuples)
{
	struct vdev_tuple t = { .v6 = 1, .proto = VDEV_PROTO_UDP, .sport = 1, .dport = 2 };
	struct vdev_tuple s, back;
	char text[VDEV_TUPLE_TEXT];

	t.src[0] = 0xfd;
	t.src[15] = 2;
	t.dst[0] = 0xfd;
	t.dst[15] = 1;
	s = vdev_tuple_swap(&t);
	ck_assert_str_eq(vdev_tuple_text(&t, text), "v6 udp fd00::2 1 fd00::1 2");
	ck_assert_str_eq(vdev_tuple_text(&s, text), "v6 udp fd00::1 2 fd00::2 1");
	back = vdev_tuple_swap(&s);
	ck_assert(vdev_tuple_equal(&back, &t));
	ck_assert(!vdev_tuple_equal(&s, &t));
}
END_TEST

Suite *test_fdir_suite(void)
{
	const TTest *const tests[] = {
		add_find_remove, add_again_moves, full_and_reusable, pools_are_kept_apart,
		quota_of_a_vsi, one_vsi_is_cleared, actions, sizes, swapped_tuples,
	};

	return test_suite("fdir", tests, VDEV_ARRAY_SIZE(tests));
}
