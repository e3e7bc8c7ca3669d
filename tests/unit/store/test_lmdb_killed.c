/*
 * test_lmdb_killed.c - a process that is killed while it writes: what it had acknowledged is there, whole.
 */
#include "check.h"
#include "fixture.h"

#include <signal.h>
#include <sys/wait.h>

struct storm {
	struct fixture *f;
	int fd;
	unsigned next;
};

static void storm_commit(struct storm *storm);

static void on_stormed(void *arg, enum err e, uint64_t version)
{
	struct storm *storm = arg;
	if (e != OK || write(storm->fd, &version, sizeof(version)) != (ssize_t)sizeof(version)) {
		_exit(1);
	}
	storm_commit(storm);
}

/* Four seats at once with the same vote: whole, or not at all. */
static void storm_commit(struct storm *storm)
{
	static const char *const seats[] = {"USER:a", "USER:b", "USER:c", "USER:d"};
	struct store_op ops[5];
	char vote[32], once[32], seat[512], result[512];
	format_to(vote, sizeof(vote), "%u", storm->next);
	format_to(once, sizeof(once), "ONCE#%u", storm->next % 50);
	struct slice value = value_seat(vote);
	memcpy(seat, value.data, value.len);
	for (int i = 0; i < 4; i++) {
		ops[i] = op_put("ROOM:A", seats[i], slice_of(seat, value.len));
	}
	value = value_once(storm->next, 100);
	memcpy(result, value.data, value.len);
	ops[4] = op_put("ROOM:A", once, slice_of(result, value.len));
	storm->next++;
	struct store_commit c = {.ops = ops,
				 .n = 5,
				 .now_ms = NOW,
				 .token = token_of((unsigned char)storm->next)};
	memcpy(c.token.bytes, &storm->next, sizeof(storm->next));
	if (store_commit(storm->f->s, &c, on_stormed, storm) != OK) {
		_exit(1);
	}
}

static _Noreturn void storm_main(struct fixture *f, int fd, unsigned next)
{
	struct storm storm = {.f = f, .fd = fd, .next = next};
	if (fixture_try_open(f) != OK) {
		_exit(1);
	}
	for (int i = 0; i < 8; i++) {
		storm_commit(&storm);
	}
	fixture_drain(f);
	_exit(1);
}

/* promise: killed */
LMDB_TEST(killed_at_any_moment_nothing_acknowledged_is_lost, f)
{
	uint64_t acknowledged = 0;
	store_close(f->s);
	for (unsigned round = 0; round < 20; round++) {
		int ends[2], how = 0;
		assert_int_equal(pipe(ends), 0);
		pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			close(ends[0]);
			storm_main(f, ends[1], (unsigned)acknowledged + 1000);
		}
		close(ends[1]);
		for (unsigned n = 1 + round * round; n > 0; n--) {
			assert_int_equal(read(ends[0], &acknowledged, sizeof(acknowledged)),
					 sizeof(acknowledged));
		}
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, &how, 0), child);
		assert_true(WIFSIGNALED(how));
		while (read(ends[0], &acknowledged, sizeof(acknowledged)) ==
		       (ssize_t)sizeof(acknowledged)) {
		}
		close(ends[0]);
		assert_check_clean(f);
		assert_int_equal(fixture_try_open(f), OK);
		struct answer a = load(f, "ROOM:A", "USER:");
		assert_int_equal(a.n, 4);
		assert_true(a.version >= acknowledged);
		/* All four have the vote and the version of one commit. */
		char *end = strchr(a.text, ' ');
		assert_non_null(end);
		size_t len = (size_t)(end - a.text) - strlen("USER:a");
		for (int i = 0; i < 4; i++) {
			const char *at = a.text + (size_t)i * (len + strlen("USER:a "));
			assert_memory_equal(at + strlen("USER:a"), a.text + strlen("USER:a"), len);
		}
		acknowledged = a.version;
		store_close(f->s);
	}
	assert_int_equal(fixture_try_open(f), OK);
}
