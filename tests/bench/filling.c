/*
 * filling.c - see filling.h.
 */
#include "tests/bench/filling.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/format.h"

/* Of a room with two seats, a question, a user or an item, in the indexes, too; and as much again. */
#define FILLING_DISK_BYTES 2000
#define NUMBER_BYTES	   32

static bool filling_is_worth_it(const struct bench *b, const struct filling *f)
{
	struct statvfs fs;
	bool is_large = f->rooms >= FILLING_LARGE || f->questions >= FILLING_LARGE ||
			f->items >= FILLING_LARGE;
	return !(b->is_quick && is_large) && statvfs(b->dir, &fs) == 0 &&
	       (uint64_t)fs.f_bavail * fs.f_frsize >
		       2 * (uint64_t)(f->rooms + f->questions + f->users + f->items) *
			       FILLING_DISK_BYTES;
}

static bool fill_run(const char *dir, const struct filling *f)
{
	char path[SERVER_PATH_BYTES];
	char rooms[NUMBER_BYTES], questions[NUMBER_BYTES], due[NUMBER_BYTES];
	char users[NUMBER_BYTES], items[NUMBER_BYTES];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 16);
	if (n <= 0) {
		return false;
	}
	path[n] = '\0';
	format_to(strrchr(path, '/'), 16, "/fill");
	format_to(rooms, sizeof(rooms), "%lu", f->rooms);
	format_to(questions, sizeof(questions), "%lu", f->questions);
	format_to(due, sizeof(due), "%ld", f->due_s);
	format_to(users, sizeof(users), "%lu", f->users);
	format_to(items, sizeof(items), "%lu", f->items);
	int status = -1;
	pid_t pid = fork();
	if (pid == 0) {
		(void)execl(path, "fill", dir, rooms, "2", "0", questions, due, users, items,
			    (char *)NULL);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void filling_dir(const struct bench *b, const struct filling *f, char dir[SERVER_PATH_BYTES])
{
	format_to(dir, SERVER_PATH_BYTES, "%s/%s-%lu-%lu-%lu-%lu", b->dir,
		  f->due_s < 0 ? "due" : "store", f->rooms, f->questions, f->users, f->items);
}

/* The directory of such data; false with out->why. */
static bool filling_find(const struct bench *b, const struct filling *f,
			 char dir[SERVER_PATH_BYTES], struct sample *out)
{
	struct stat st;
	filling_dir(b, f, dir);
	if (stat(dir, &st) == 0 || fill_run(dir, f)) {
		return true;
	}
	format_to(out->why, sizeof(out->why),
		  "fill could not make %lu rooms, %lu questions, %lu users, %lu items", f->rooms,
		  f->questions, f->users, f->items);
	return false;
}

bool filling_start(const struct bench *b, const struct contender *c, const char *const *words,
		   struct run *r, struct sample *out)
{
	const struct filling *f = c->more;
	char dir[SERVER_PATH_BYTES];
	const char *all[2 + FILLING_WORDS_MAX + 1] = {"--data", dir};
	for (size_t i = 0; words != NULL && words[i] != NULL && i < FILLING_WORDS_MAX; i++) {
		all[2 + i] = words[i];
	}
	sample_clear(out);
	if (!filling_is_worth_it(b, f)) {
		out->is_done = true; /* with nothing measured */
		return false;
	}
	return filling_find(b, f, dir, out) && run_start(b, c, all, r, out);
}

void filling_drop(const struct bench *b, const struct contender *c)
{
	char dir[SERVER_PATH_BYTES];
	filling_dir(b, c->more, dir);
	server_remove_all(dir);
}
