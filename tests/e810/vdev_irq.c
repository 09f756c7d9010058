// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts. A cause (a queue, the admin queue, "other") names a vector. An enabled vector
 * fires and disables itself; a disabled one remembers the cause and fires when the driver
 * enables it again. Throttling is not modelled; causes of one round share one signal.
 */
#include <unistd.h>

#include "vdev.h"

void vdev_irq_set_fd(struct vdev *dev, u32 vector, int fd)
{
	struct vdev_vector *v = &dev->vector[vector];

	if (v->fd >= 0)
		close(v->fd);
	v->fd = fd;
}

static void fire(struct vdev *dev, u32 vector)
{
	u32 *ctl = vdev_reg(dev, E810_GLINT_DYN_CTL(vector));

	if (vector >= dev->num_vectors)
		return;
	if (!(*ctl & E810_DYN_CTL_INTENA)) {
		dev->vector[vector].cause = true;
		return;
	}
	*ctl &= ~E810_DYN_CTL_INTENA;
	dev->vector[vector].cause = false;
	dev->vector[vector].signal = true;
}

/**
 * vdev_irq_cause - something happened
 * @dev: the device
 * @cause_reg: register that says which vector it belongs to and whether it is enabled
 */
void vdev_irq_cause(struct vdev *dev, u32 cause_reg)
{
	u32 cause = *vdev_reg(dev, cause_reg);

	if (cause & E810_CAUSE_ENABLE)
		fire(dev, cause & E810_CAUSE_VECTOR_MASK);
}

/**
 * vdev_irq_oicr - raise "other" causes
 * @dev: the device
 * @bits: which
 */
void vdev_irq_oicr(struct vdev *dev, u32 bits)
{
	*vdev_reg(dev, E810_PFINT_OICR) |= bits;
	if (bits & *vdev_reg(dev, E810_PFINT_OICR_ENA))
		vdev_irq_cause(dev, E810_PFINT_OICR_CTL);
}

/* The vector of the "other" causes. */
static u32 other_vector(struct vdev *dev)
{
	return *vdev_reg(dev, E810_PFINT_OICR_CTL) & E810_CAUSE_VECTOR_MASK;
}

/**
 * vdev_irq_dyn_ctl - the driver writes a vector's control register
 * @dev: the device
 * @vector: which
 * @value: what it writes
 *
 * A remembered cause outlives CLEARPBA: in silicon the causes of a queue are kept apart from
 * the pending bit, and work that arrived while the vector was masked is never forgotten.
 */
void vdev_irq_dyn_ctl(struct vdev *dev, u32 vector, u32 value)
{
	u32 *ctl = vdev_reg(dev, E810_GLINT_DYN_CTL(vector));
	bool enable = value & E810_DYN_CTL_INTENA;

	if (value & E810_DYN_CTL_INTENA_MSK)
		enable = *ctl & E810_DYN_CTL_INTENA;
	*ctl = value & ~(E810_DYN_CTL_INTENA | E810_DYN_CTL_CLEARPBA | E810_DYN_CTL_SWINT_TRIG |
			 E810_DYN_CTL_INTENA_MSK);
	if (enable)
		*ctl |= E810_DYN_CTL_INTENA;
	if (vector >= dev->num_vectors)
		return;
	if (value & E810_DYN_CTL_SWINT_TRIG && vector == other_vector(dev))
		*vdev_reg(dev, E810_PFINT_OICR) |= E810_OICR_SWINT;
	if (value & E810_DYN_CTL_SWINT_TRIG || (enable && dev->vector[vector].cause))
		fire(dev, vector);
}

/**
 * vdev_irq_flush - signal the client for all vectors that fired in this round
 * @dev: the device
 */
void vdev_irq_flush(struct vdev *dev)
{
	const u64 one = 1;

	for (u32 i = 0; i < dev->num_vectors; i++) {
		struct vdev_vector *v = &dev->vector[i];

		if (!v->signal)
			continue;
		v->signal = false;
		if (v->fd >= 0 && write(v->fd, &one, sizeof(one)) < 0)
			continue; /* the counter is at its limit: the client is told anyway */
	}
}

void vdev_irq_reset(struct vdev *dev)
{
	for (u32 i = 0; i < dev->num_vectors; i++) {
		*vdev_reg(dev, E810_GLINT_DYN_CTL(i)) = 0;
		dev->vector[i].cause = false;
	}
	*vdev_reg(dev, E810_PFINT_OICR) = 0;
	*vdev_reg(dev, E810_PFINT_OICR_ENA) = 0;
	*vdev_reg(dev, E810_PFINT_OICR_CTL) = 0;
	*vdev_reg(dev, E810_PFINT_FW_CTL) = 0;
	for (u32 q = 0; q < dev->num_queues; q++) {
		*vdev_reg(dev, E810_QINT_RQCTL(q)) = 0;
		*vdev_reg(dev, E810_QINT_TQCTL(q)) = 0;
	}
}
