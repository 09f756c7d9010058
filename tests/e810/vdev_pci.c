// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI configuration space: an E810-C QSFP function with power management, MSI-X and PCI
 * Express capabilities. QEMU emulates most of it itself; what it lets through is kept here.
 *
 * Source: PCI Local Bus 3.0 and PCI Express 3.0 specifications for the layout; device id
 * from ice_devids.h of the Linux ice driver.
 */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

#define CAP_PM			0x40
#define CAP_MSIX		0x70
#define CAP_PCIE		0xa0
#define MSIX_TABLE_BAR		3
#define MSIX_PBA_OFFSET		0x8000
#define BAR_MEM64_PREFETCH	0xc
#define PCIE_FLR_CAPABLE	0x10000000
#define PCIE_ROLE_BASED		0x8000
#define PCIE_DEVCTL		(CAP_PCIE + 8)
#define PCIE_DEVCTL_FLR		0x8000

static void put16(u8 *config, u32 off, u16 v)
{
	memcpy(config + off, &v, sizeof(v));
}

static void put32(u8 *config, u32 off, u32 v)
{
	memcpy(config + off, &v, sizeof(v));
}

/**
 * vdev_pci_init - configuration space at power-on
 * @dev: the device; its number of vectors is known
 */
void vdev_pci_init(struct vdev *dev)
{
	u8 *c = dev->config;

	memset(c, 0, VDEV_CONFIG_SIZE);
	put16(c, 0x00, 0x8086);		/* Intel */
	put16(c, 0x02, 0x1592);		/* E810-C for QSFP */
	put16(c, 0x06, 0x0010);		/* has capabilities */
	put32(c, 0x08, 0x02000002);	/* Ethernet controller, revision 2 */
	put32(c, 0x10, BAR_MEM64_PREFETCH);
	put32(c, 0x1c, BAR_MEM64_PREFETCH);
	put16(c, 0x2c, 0x8086);
	put16(c, 0x2e, 0x0002);
	c[0x34] = CAP_PM;
	c[0x3d] = 1;			/* INTA# */

	put16(c, CAP_PM, 0x01 | CAP_MSIX << 8);
	put16(c, CAP_PM + 2, 3);	/* version 1.2 */

	put16(c, CAP_MSIX, 0x11 | CAP_PCIE << 8);
	put16(c, CAP_MSIX + 2, dev->num_vectors - 1);
	put32(c, CAP_MSIX + 4, MSIX_TABLE_BAR);
	put32(c, CAP_MSIX + 8, MSIX_PBA_OFFSET | MSIX_TABLE_BAR);

	put16(c, CAP_PCIE, 0x10);
	put16(c, CAP_PCIE + 2, 2);	/* endpoint, version 2 */
	put32(c, CAP_PCIE + 4, PCIE_FLR_CAPABLE | PCIE_ROLE_BASED | 1);
	put32(c, CAP_PCIE + 0xc, 0x83);	/* 8 GT/s, 8 lanes */
	put16(c, CAP_PCIE + 0x12, 0x83);
}

/* Read-only, or answered by QEMU: identity, BARs, capability headers. */
static bool writable(u32 off)
{
	if (off == 0x04 || off == 0x05 || off == 0x0c || off == 0x0d || off == 0x3c)
		return true;
	if (off >= CAP_PM + 4 && off < CAP_PM + 6)
		return true;
	if (off == CAP_MSIX + 3)
		return true;
	return off >= PCIE_DEVCTL && off < PCIE_DEVCTL + 2;
}

/**
 * vdev_pci_write - the guest writes configuration space
 * @dev: the device
 * @off: where
 * @data: what
 * @len: how much; the range is inside the space
 */
void vdev_pci_write(struct vdev *dev, u32 off, const u8 *data, u32 len)
{
	u16 control;

	for (u32 i = 0; i < len; i++)
		if (writable(off + i))
			dev->config[off + i] = data[i];
	memcpy(&control, dev->config + PCIE_DEVCTL, sizeof(control));
	if (!(control & PCIE_DEVCTL_FLR))
		return;
	put16(dev->config, PCIE_DEVCTL, control & ~PCIE_DEVCTL_FLR);
	vdev_reset_function(dev, "function-level reset");
}
