// SPDX-License-Identifier: GPL-2.0-only
/* Writes the synthetic DDP package to the file named by its only argument. */
#include <stdio.h>

#include "vdev_ddp.h"

int main(int argc, char **argv)
{
	static u8 package[VDEV_DDP_SIZE];
	FILE *file;

	if (argc != 2) {
		fprintf(stderr, "usage: ddp-make FILE\n");
		return 1;
	}
	vdev_ddp_build(package);
	file = fopen(argv[1], "wb");
	if (!file || fwrite(package, sizeof(package), 1, file) != 1 || fclose(file)) {
		fprintf(stderr, "ddp-make: cannot write %s; name a file in a writable folder\n",
			argv[1]);
		return 1;
	}
	return 0;
}
