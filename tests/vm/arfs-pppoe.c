// SPDX-License-Identifier: GPL-2.0-only
/*
 * One end of a PPPoE session whose number both ends know: there is no discovery, and nothing is
 * negotiated. The session lasts as long as the program, which goes on in the background.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/if.h>
#include <linux/if_pppox.h>
#include <linux/ppp-ioctl.h>
#include <net/ethernet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static const char usage[] =
	"usage: arfs-pppoe INTERFACE ADDRESS SESSION\n"
	"  INTERFACE   that carries the session\n"
	"  ADDRESS     Ethernet address of the other end\n"
	"  SESSION     its number, 1 to 65534\n"
	"Makes the next free interface pppN and prints the process that keeps it.\n";

static int failed(const char *what)
{
	fprintf(stderr, "arfs-pppoe: %s: %s\n", what, strerror(errno));
	return 1;
}

static int bad(const char *what, const char *text)
{
	fprintf(stderr, "arfs-pppoe: %s '%s'\n%s", what, text, usage);
	return 2;
}

static bool read_address(unsigned char address[ETH_ALEN], const char *text)
{
	int length = 0;

	return sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &address[0], &address[1],
		      &address[2], &address[3], &address[4], &address[5], &length) == ETH_ALEN &&
	       !text[length];
}

/* A new interface whose packets go through the session. */
static int make_interface(int session)
{
	int channel, control, interface;
	int unit = -1;

	if (ioctl(session, PPPIOCGCHAN, &channel))
		return failed("the session has no channel");
	control = open("/dev/ppp", O_RDWR);
	interface = open("/dev/ppp", O_RDWR);
	if (control < 0 || interface < 0)
		return failed("cannot open /dev/ppp");
	if (ioctl(control, PPPIOCATTCHAN, &channel) || ioctl(interface, PPPIOCNEWUNIT, &unit) ||
	    ioctl(control, PPPIOCCONNECT, &unit))
		return failed("cannot make an interface of the session");
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_pppox to = { .sa_family = AF_PPPOX, .sa_protocol = PX_PROTO_OE };
	unsigned long number;
	int session;
	char *end;
	pid_t pid;

	if (argc != 4)
		return bad("three arguments are needed, not as in", argc > 1 ? argv[1] : "");
	if (strlen(argv[1]) >= sizeof(to.sa_addr.pppoe.dev))
		return bad("no interface", argv[1]);
	strcpy(to.sa_addr.pppoe.dev, argv[1]);
	if (!read_address(to.sa_addr.pppoe.remote, argv[2]))
		return bad("no Ethernet address", argv[2]);
	number = strtoul(argv[3], &end, 10);
	if (end == argv[3] || *end || !number || number >= USHRT_MAX)
		return bad("no session number", argv[3]);
	to.sa_addr.pppoe.sid = htons(number);
	session = socket(AF_PPPOX, SOCK_STREAM, PX_PROTO_OE);
	if (session < 0 || connect(session, (struct sockaddr *)&to, sizeof(to)))
		return failed("no PPPoE session");
	if (make_interface(session))
		return 1;
	pid = fork();
	if (pid < 0)
		return failed("fork");
	if (pid) {
		printf("%d\n", pid);
		return 0;
	}
	/* Whoever reads our output waits for the parent, not for the session. */
	close(STDOUT_FILENO);
	for (;;)
		pause();
}
