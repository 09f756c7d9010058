// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_number.h"

#include <errno.h>
#include <stdlib.h>

/**
 * vdev_number - read a decimal number
 * @text: digits and nothing else
 * @min: least value taken
 * @max: greatest value taken
 * @value: result, untouched when @text is something else
 *
 * Return: whether it is one.
 */
bool vdev_number(const char *text, u32 min, u32 max, u32 *value)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || n < min || n > max)
		return false;
	*value = n;
	return true;
}
