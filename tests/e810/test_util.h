/* SPDX-License-Identifier: GPL-2.0-only */
/* What the unit tests share: one suite for each subject. */
#ifndef TEST_UTIL_H
#define TEST_UTIL_H

#include <check.h>

#include "vdev_types.h"

Suite *test_desc_suite(void);
Suite *test_adminq_suite(void);
Suite *test_toeplitz_suite(void);
Suite *test_packet_suite(void);
Suite *test_offload_suite(void);
Suite *test_fdir_suite(void);
Suite *test_fdir_prog_suite(void);
Suite *test_fault_suite(void);
Suite *test_reports_suite(void);
Suite *test_flows_suite(void);
Suite *test_ddp_suite(void);
Suite *test_command_suite(void);
Suite *test_wire_suite(void);
Suite *test_vfio_user_suite(void);
Suite *test_rings_suite(void);
Suite *test_tx_suite(void);
Suite *test_program_suite(void);

/* A suite of one test case. */
static inline Suite *test_suite(const char *name, const TTest *const *tests, size_t count)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);

	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	return suite;
}

#endif /* TEST_UTIL_H */
