// SPDX-License-Identifier: GPL-2.0-only
/*
 * The NVM image and the commands that read it. Only what the driver looks for is there: the
 * words that lead to the three modules, their versions, an Option ROM version block.
 *
 * Source of the word offsets: ice_type.h and ice_nvm.c of the Linux ice driver (6.1).
 */
#include <stdlib.h>
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

#define FLASH_SIZE		(2u << 20)
#define SECTOR			4096u

/* Words of the shadow RAM, which is the start of this image */
#define SR_CONTROL		0x00
#define SR_DEV_STARTER		0x18
#define SR_EETRACK_LO		0x2d
#define SR_EETRACK_HI		0x2e
#define SR_PFA_PTR		0x40
#define SR_NVM_PTR		0x42
#define SR_NVM_SIZE		0x43
#define SR_OROM_PTR		0x44
#define SR_OROM_SIZE		0x45
#define SR_NETLIST_PTR		0x46
#define SR_NETLIST_SIZE		0x47
#define SR_CONTROL_VALID	(1 << 6)
#define SR_POINTER_4K		0x8000

#define NVM_AT			0x40	/* in sectors */
#define OROM_AT			0x80
#define NETLIST_AT		0xc0
#define NVM_SECTORS		0x10
#define PFA_WORD		0x1000

#define CSS_LENGTH_WORD		2	/* a 32-bit count of 32-bit words */
#define CSS_LENGTH		0x10
#define CSS_AUTH_WORDS		8
#define SR_COPY_ALIGN		32

#define DEV_STARTER		0x4030	/* NVM 4.30 */
#define EETRACK_LO		0x1234
#define EETRACK_HI		0x8000
#define SR_COPY_FIXED		352	/* where 6.1 looks: 330 words, rounded up to 32 */

#define CIV_CHECKSUM		4
#define CIV_VERSION		5
#define CIV_AREA		512

#define NETLIST_TYPE		0x011b

static void put_word(u8 *flash, u32 word, u16 value)
{
	memcpy(flash + word * 2, &value, sizeof(value));
}

static void put_versions(u8 *flash, u32 word)
{
	put_word(flash, word + SR_DEV_STARTER, DEV_STARTER);
	put_word(flash, word + SR_EETRACK_LO, EETRACK_LO);
	put_word(flash, word + SR_EETRACK_HI, EETRACK_HI);
}

static void fill_shadow_ram(u8 *flash)
{
	put_word(flash, SR_CONTROL, SR_CONTROL_VALID);
	put_versions(flash, 0);
	put_word(flash, SR_NVM_PTR, SR_POINTER_4K | NVM_AT);
	put_word(flash, SR_NVM_SIZE, NVM_SECTORS);
	put_word(flash, SR_OROM_PTR, SR_POINTER_4K | OROM_AT);
	put_word(flash, SR_OROM_SIZE, 1);
	put_word(flash, SR_NETLIST_PTR, SR_POINTER_4K | NETLIST_AT);
	put_word(flash, SR_NETLIST_SIZE, 1);
	put_word(flash, SR_PFA_PTR, PFA_WORD);
	put_word(flash, PFA_WORD, 2);	/* an empty area: no more than its own length */
}

/* Drivers differ in where they look for the copy: fixed, or computed from the CSS length. */
static void fill_nvm(u8 *flash)
{
	u32 start = NVM_AT * SECTOR / 2;
	u32 copy = CSS_LENGTH * 2 + CSS_AUTH_WORDS;

	put_word(flash, start + CSS_LENGTH_WORD, CSS_LENGTH);
	copy = (copy + SR_COPY_ALIGN - 1) / SR_COPY_ALIGN * SR_COPY_ALIGN;
	put_versions(flash, start + copy);
	put_versions(flash, start + SR_COPY_FIXED);
}

static void fill_orom(u8 *flash)
{
	u8 *civ = flash + OROM_AT * SECTOR;
	u8 sum = 0;

	memcpy(civ, "$CIV", 4);
	civ[CIV_VERSION] = 1;
	for (u32 i = 0; i < CIV_AREA; i++)
		sum += civ[i];
	civ[CIV_CHECKSUM] = -sum;
}

static void fill_netlist(u8 *flash)
{
	u32 start = NETLIST_AT * SECTOR / 2;

	put_word(flash, start, NETLIST_TYPE);
	put_word(flash, start + 2, 0x60);
}

/**
 * vdev_flash_init - make the image
 * @dev: the device
 *
 * Return: 0, or -1 after an error message.
 */
int vdev_flash_init(struct vdev *dev)
{
	dev->flash = calloc(1, FLASH_SIZE);
	if (!dev->flash) {
		vdev_error("out of memory for the NVM image");
		return -1;
	}
	dev->flash_size = FLASH_SIZE;
	fill_shadow_ram(dev->flash);
	fill_nvm(dev->flash);
	fill_orom(dev->flash);
	fill_netlist(dev->flash);
	return 0;
}

/* The driver finds the size of the flash by where this begins to fail. */
static enum vdev_aq_result read_nvm(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u32 offset = cmd->desc->word[0] | (u32)cmd->desc->raw[2] << 16;
	u32 len = cmd->desc->word[3];

	if (len > cmd->len || offset > dev->flash_size || len > dev->flash_size - offset)
		return VDEV_AQ_EINVAL;
	memcpy(cmd->buf, dev->flash + offset, len);
	return VDEV_AQ_OK;
}

static enum vdev_aq_result verify_checksum(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	cmd->desc->word[1] = 0xbaba;
	return VDEV_AQ_OK;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0701, "read NVM", read_nvm },
	{ 0x0706, "NVM checksum", verify_checksum },
};

const struct vdev_aq_table vdev_aq_nvm = { ops, VDEV_ARRAY_SIZE(ops) };
