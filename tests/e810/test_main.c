// SPDX-License-Identifier: GPL-2.0-only
/* Runs the unit tests of the virtual E810. */
#include "test_util.h"

int main(void)
{
	SRunner *runner = srunner_create(test_desc_suite());
	int failed;

	srunner_add_suite(runner, test_adminq_suite());
	srunner_add_suite(runner, test_toeplitz_suite());
	srunner_add_suite(runner, test_packet_suite());
	srunner_add_suite(runner, test_offload_suite());
	srunner_add_suite(runner, test_fdir_suite());
	srunner_add_suite(runner, test_fdir_prog_suite());
	srunner_add_suite(runner, test_fault_suite());
	srunner_add_suite(runner, test_reports_suite());
	srunner_add_suite(runner, test_flows_suite());
	srunner_add_suite(runner, test_ddp_suite());
	srunner_add_suite(runner, test_command_suite());
	srunner_add_suite(runner, test_wire_suite());
	srunner_add_suite(runner, test_vfio_user_suite());
	srunner_add_suite(runner, test_rings_suite());
	srunner_add_suite(runner, test_tx_suite());
	srunner_add_suite(runner, test_program_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
