/*
 * redis_servers.c - the servers of Redis that a script's ayed has its table on.
 *
 * usage: redis_servers sentinel|cluster [DIR]
 *
 * Starts a master with two replicas and three Sentinels, or a cluster of three masters with a replica each. Prints the
 * address to give to --store, then port and process id of each server of the table, masters first, then "ready". Ends
 * with all of them, and removes their data, at SIGTERM, or with its parent. With the certificates of DIR
 * (tests/support/certificates.py) they speak TLS.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "tests/support/redis_cluster.h"
#include "tests/support/redis_group.h"

static void tell_servers(const char *url, const struct redis_run *servers, unsigned n)
{
	(void)printf("%s\n", url);
	for (unsigned i = 0; i < n; i++) {
		(void)printf("%d %d\n", servers[i].port, (int)servers[i].pid);
	}
	(void)printf("ready\n");
	(void)fflush(stdout);
}

static void await_end(void)
{
	sigset_t ends;
	int which;
	(void)sigemptyset(&ends);
	(void)sigaddset(&ends, SIGTERM);
	(void)sigwait(&ends, &which);
}

/* From the start on: what is there by then ends with it, too. */
static void hold_end_back(void)
{
	sigset_t ends;
	(void)sigemptyset(&ends);
	(void)sigaddset(&ends, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &ends, NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void serve_sentinel(void)
{
	static struct redis_group group;
	char url[REDIS_GROUP_URL_BYTES];
	redis_group_start(&group);
	redis_group_url(&group, "", url);
	tell_servers(url, group.servers, REDIS_GROUP_SERVERS);
	await_end();
	redis_group_clear(&group);
}

static void serve_cluster(void)
{
	static struct redis_cluster cluster;
	char url[REDIS_CLUSTER_URL_BYTES];
	redis_cluster_start(&cluster);
	redis_cluster_url(&cluster, "", url);
	tell_servers(url, cluster.servers, REDIS_CLUSTER_SERVERS);
	await_end();
	redis_cluster_clear(&cluster);
}

int main(int argc, char **argv)
{
	hold_end_back();
	if (argc == 3) {
		redis_run_use_tls(argv[2]);
	}
	if (argc >= 2 && strcmp(argv[1], "sentinel") == 0) {
		serve_sentinel();
	} else if (argc >= 2 && strcmp(argv[1], "cluster") == 0) {
		serve_cluster();
	} else {
		(void)fprintf(stderr, "usage: redis_servers sentinel|cluster [DIR]\n");
		return 2;
	}
	return 0;
}
