/*
 * test_net_data_dir.c - the files that a server makes when it starts for the first time: each is on the disk, or is not there.
 *
 * The functions of the C library that sync and name files come first here.
 */
#define _GNU_SOURCE
#include "server/cli/data_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/support/test.h"

static int syncs_left = -1; /* until the one that fails; negative: none will */
static bool has_failed;
static ino_t last_synced;

int fsync(int fd)
{
	struct stat st;
	if (syncs_left >= 0 && syncs_left-- == 0) {
		has_failed = true;
		errno = EIO;
		return -1;
	}
	assert_int_equal(fstat(fd, &st), 0);
	last_synced = st.st_ino;
	return (int)syscall(SYS_fsync, fd);
}

/* What gets a name in place is on the disk. */
int link(const char *from, const char *to)
{
	struct stat st;
	assert_int_equal(stat(from, &st), 0);
	assert_true(st.st_ino == last_synced);
	return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

struct place {
	char parent[64];
	char data[96];
};

static int place_lay(void **state)
{
	static struct place p;
	format_to(p.parent, sizeof(p.parent), "/tmp/data-dir-test-XXXXXX");
	assert_non_null(mkdtemp(p.parent));
	format_to(p.data, sizeof(p.data), "%s/above/data", p.parent);
	syncs_left = -1;
	*state = &p;
	return 0;
}

static int files_in(const char *directory)
{
	int n = 0;
	DIR *all = opendir(directory);
	for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
		n += entry->d_name[0] != '.';
	}
	if (all != NULL) {
		closedir(all);
	}
	return n;
}

static int place_clear(void **state)
{
	const struct place *p = *state;
	char path[128];
	static const char *const names[] = {"data/server.key", "data/tls.pem", "data", ""};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		format_to(path, sizeof(path), "%s/above/%s", p->parent, names[i]);
		(void)remove(path);
	}
	return rmdir(p->parent);
}

#define PLACE_TEST(name, p) TEST_IN(name, struct place, p, place_lay, place_clear)

static enum err make_directories(const struct place *p, struct errmsg *why)
{
	return data_dir_open(p->data, why);
}

static enum err make_key(const struct place *p, struct errmsg *why)
{
	unsigned char key[SEED_BYTES];
	return data_dir_key(p->data, key, why);
}

static enum err make_certificate(const struct place *p, struct errmsg *why)
{
	struct buf pem;
	buf_init(&pem, DATA_DIR_FILE_BYTES_MAX);
	enum err e = data_dir_certificate(p->data, &pem, why);
	buf_finish(&pem);
	return e;
}

typedef enum err make_fn(const struct place *p, struct errmsg *why);

/* With its first sync failing, its second, ...: told, and nothing new is in the directory. How many there are. */
static int each_sync(const struct place *p, make_fn *make, const char *directory)
{
	int before = files_in(directory);
	for (int nth = 0;; nth++) {
		struct errmsg why = {""};
		has_failed = false;
		syncs_left = nth;
		enum err e = make(p, &why);
		syncs_left = -1;
		if (!has_failed) {
			assert_int_equal(e, OK);
			return nth;
		}
		assert_int_equal(e, ERR_IO);
		assert_non_null(strstr(why.text, p->parent));
		assert_non_null(strstr(why.text, strerror(EIO)));
		assert_int_equal(files_in(directory), before);
	}
}

PLACE_TEST(a_data_directory_that_cannot_be_synced_is_not_there, p)
{
	/* The one above stays where it is synced: the next start makes the rest. */
	assert_int_equal(each_sync(p, make_directories, p->data), 2);
	assert_int_equal(make_directories(p, &(struct errmsg){""}), OK);
}

PLACE_TEST(a_key_that_cannot_be_synced_is_not_there, p)
{
	struct errmsg why = {""};
	unsigned char one[SEED_BYTES], again[SEED_BYTES];
	assert_int_equal(make_directories(p, &why), OK);
	assert_int_equal(each_sync(p, make_key, p->data), 2); /* it, and its name */
	assert_int_equal(data_dir_key(p->data, one, &why), OK);
	assert_int_equal(data_dir_key(p->data, again, &why), OK);
	assert_memory_equal(one, again, SEED_BYTES);
}

PLACE_TEST(a_certificate_that_cannot_be_synced_is_not_there, p)
{
	struct errmsg why = {""};
	assert_int_equal(make_directories(p, &why), OK);
	assert_int_equal(each_sync(p, make_certificate, p->data), 2);
	assert_int_equal(files_in(p->data), 1);
}
