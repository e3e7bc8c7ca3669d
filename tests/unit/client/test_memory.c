/*
 * test_memory.c - where no memory is left the program ends, at once and by its handler.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/model/memory.h"
#include "client/net/loop_uv.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

enum { EXIT_OF_HANDLER = 7, EXIT_OF_FILES = 8, EXIT_OF_RETURN = 9 };

static void end_of_program(const char *what)
{
	_exit(strcmp(what, "memory") == 0	      ? EXIT_OF_HANDLER
	      : strcmp(what, "file descriptors") == 0 ? EXIT_OF_FILES
						      : EXIT_FAILURE);
}

static void call_new(void)
{
	free(memory_new(3, 5));
}

static void call_grow(void)
{
	char *block = memory_new(1, 1);
	heap_fail_nth(0, false);
	free(memory_grow(block, 100, 8));
}

static void call_grow_beyond_size(void)
{
	heap_fail_never();
	free(memory_grow(NULL, SIZE_MAX / 2, 3));
}

static void call_text(void)
{
	free(memory_text("Ada"));
}

static void call_have(void)
{
	heap_fail_never();
	(void)memory_have(NULL);
}

static void call_check(void)
{
	heap_fail_never();
	(void)memory_check(ERR_NOMEM);
}

/* What libuv has once for all its loops is there after the first. */
static void call_loop_without_files(void)
{
	const struct rlimit none = {0};
	struct loop loop;
	heap_fail_never();
	loop_open(&loop, NULL, NULL);
	loop_close(&loop);
	(void)setrlimit(RLIMIT_NOFILE, &none);
	loop_open(&loop, NULL, NULL);
}

/* How a child ends that calls it with the allocation after `spared` ones failing. */
static int exit_of(void (*call)(void), size_t spared)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		memory_set_end(end_of_program);
		heap_fail_nth(spared, true);
		call();
		_exit(EXIT_OF_RETURN);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

TEST(test_what_cannot_be_allocated_ends_the_program)
{
	assert_int_equal(exit_of(call_new, 0), EXIT_OF_HANDLER);
	assert_int_equal(exit_of(call_grow, 1), EXIT_OF_HANDLER);
	assert_int_equal(exit_of(call_grow_beyond_size, 0), EXIT_OF_HANDLER);
	assert_int_equal(exit_of(call_text, 0), EXIT_OF_HANDLER);
	assert_int_equal(exit_of(call_have, 0), EXIT_OF_HANDLER);
	assert_int_equal(exit_of(call_check, 0), EXIT_OF_HANDLER);
	assert_int_equal(exit_of(call_new, 1), EXIT_OF_RETURN);
	assert_int_equal(exit_of(call_loop_without_files, 0), EXIT_OF_FILES);
}

TEST(test_what_is_allocated_is_what_was_asked_for)
{
	static const char zeros[15];
	char *block = memory_new(3, 5);
	assert_memory_equal(block, zeros, sizeof(zeros));
	block = memory_grow(block, 100, 8);
	memset(block, 1, 800);
	free(block);
	free(memory_new(0, 8));
	char *text = memory_text_of(slice_of("Grace Hopper", 5));
	assert_string_equal(text, "Grace");
	free(text);
	text = memory_text(NULL);
	assert_string_equal(text, "");
	free(text);
	assert_int_equal(memory_check(ERR_IO), ERR_IO);
}
