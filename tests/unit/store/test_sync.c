/*
 * test_sync.c - every sync outside a commit fails once: it is told, and leaves nothing in part.
 *
 * The functions of the C library that sync and name files come first here, as in test_io.c. They
 * also see to the order: what gets a name in place is on the disk, and data.mdb is the last that does.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "store/admin/admin.h"

#define SYNCED_MAX 256

static int syncs_left = -1; /* until the one that fails; negative: none will */
static bool has_failed;
static ino_t synced[SYNCED_MAX]; /* since they were last written: in these tests, ever */
static size_t synced_n;
static bool has_new_names; /* that their directory was not synced with yet */

static bool is_synced(ino_t file)
{
	bool is = false;
	for (size_t i = 0; i < synced_n; i++) {
		is = is || synced[i] == file;
	}
	return is;
}

static int sync_or_fail(int fd, long call)
{
	struct stat st;
	if (syncs_left >= 0 && syncs_left-- == 0) {
		has_failed = true;
		errno = EIO;
		return -1;
	}
	assert_int_equal(fstat(fd, &st), 0);
	if (!is_synced(st.st_ino)) {
		synced[synced_n++ % SYNCED_MAX] = st.st_ino;
	}
	has_new_names = has_new_names && !S_ISDIR(st.st_mode);
	return (int)syscall(call, fd);
}

int fsync(int fd)
{
	return sync_or_fail(fd, SYS_fsync);
}

int fdatasync(int fd)
{
	return sync_or_fail(fd, SYS_fdatasync);
}

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path), end_len = strlen(end);
	return len >= end_len && strcmp(path + len - end_len, end) == 0;
}

int link(const char *from, const char *to)
{
	struct stat st;
	assert_int_equal(stat(from, &st), 0);
	assert_true(is_synced(st.st_ino));
	assert_false(ends_with(to, "/data.mdb") && has_new_names);
	int result = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
	has_new_names = has_new_names || result == 0;
	return result;
}

/* Of a directory: with all that is in it. */
int rename(const char *from, const char *to)
{
	DIR *all = opendir(from);
	struct dirent *entry;
	while (all != NULL && (entry = readdir(all)) != NULL) {
		bool is_name = strcmp(entry->d_name, "..") != 0;
		bool is_ours = is_name && strstr(to, ".ayed-unfinished-") == NULL;
		assert_true(!is_ours || is_synced(entry->d_ino));
	}
	if (all != NULL) {
		closedir(all);
	}
	/* Not every machine has SYS_rename. */
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* ---- the scene ---- */

struct scene {
	struct fixture f;
	char parent[64];
	char to[96];
	struct admin_copy copy;
	struct errmsg why;
};

static const char *const files[] = {"server.key", "tls.pem", NULL};

static void write_file(const char *directory, const char *name, const char *text)
{
	char path[256];
	format_to(path, sizeof(path), "%s/%s", directory, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int scene_lay(void **state)
{
	static struct scene s;
	s = (struct scene){.why = {""}};
	syncs_left = -1;
	synced_n = 0;
	has_new_names = false;
	fixture_open(&s.f, FIXTURE_LMDB);
	put_seat(&s.f, "ROOM:A", "USER:a", "1");
	write_file(s.f.directory, "server.key", "0123456789abcdef0123456789abcdef");
	write_file(s.f.directory, "tls.pem", "a certificate, and a key");
	format_to(s.parent, sizeof(s.parent), "/tmp/sync-test-XXXXXX");
	assert_non_null(mkdtemp(s.parent));
	format_to(s.to, sizeof(s.to), "%s/b", s.parent);
	s.copy = (struct admin_copy){.from = s.f.directory, .to = s.to, .files = files};
	*state = &s;
	return 0;
}

static int scene_clear(void **state)
{
	struct scene *s = *state;
	syncs_left = -1;
	fixture_close(&s->f);
	fixture_remove(s->to);
	fixture_remove(s->parent);
	return 0;
}

#define SYNC_TEST(name, s) TEST_IN(name, struct scene, s, scene_lay, scene_clear)

/* The names in a directory, each with a blank behind it, sorted. */
static const char *names_in(const char *directory)
{
	static char text[1024];
	struct dirent **all;
	size_t at = 0;
	int n = scandir(directory, &all, NULL, alphasort);
	text[0] = '\0';
	for (int i = 0; i < n; i++) {
		if (all[i]->d_name[0] != '.' || strlen(all[i]->d_name) > 2) {
			at += format_to(text + at, sizeof(text) - at, "%s ", all[i]->d_name);
		}
		free(all[i]);
	}
	if (n >= 0) {
		free(all);
	}
	return text;
}

typedef enum err act_fn(struct scene *s);

/* With its first sync failing, its second, ... until all is well: how many there are. */
static int each_sync(struct scene *s, act_fn *act, const char *directory, const char *left)
{
	for (int nth = 0;; nth++) {
		has_failed = false;
		s->why = (struct errmsg){""};
		has_new_names = false;
		syncs_left = nth;
		enum err e = act(s);
		syncs_left = -1;
		if (!has_failed) {
			assert_int_equal(e, OK);
			return nth;
		}
		assert_int_equal(e, ERR_IO);
		assert_true(s->why.text[0] != '\0');
		assert_string_equal(names_in(directory), left);
	}
}

/* ---- what syncs ---- */

static enum err backup(struct scene *s)
{
	struct admin_copied copied;
	return admin_backup(&s->copy, &copied, &s->why);
}

/* data.mdb, two keys, their directory, and the one above. */
SYNC_TEST(a_backup_that_cannot_be_synced_is_none, s)
{
	assert_int_equal(each_sync(s, backup, s->parent, ""), 5);
	assert_string_equal(names_in(s->to), "data.mdb server.key tls.pem ");
}

static enum err restore(struct scene *s)
{
	struct admin_copied copied;
	return admin_restore(&s->copy, &copied, &s->why);
}

/* The files; their directory before data.mdb has its name and behind it; and the one above. */
SYNC_TEST(a_restore_that_cannot_be_synced_leaves_nothing, s)
{
	char data[128];
	assert_int_equal(backup(s), OK);
	format_to(data, sizeof(data), "%s/d", s->parent);
	s->copy.from = s->to;
	s->copy.to = data;
	assert_int_equal(each_sync(s, restore, s->parent, "b "), 6);
	assert_string_equal(names_in(data), "data.mdb server.key tls.pem writer.lock ");
	fixture_remove(data);
}

SYNC_TEST(a_restore_that_is_refused_at_its_second_file_leaves_neither, s)
{
	char data[128];
	assert_int_equal(backup(s), OK);
	format_to(data, sizeof(data), "%s/d", s->parent);
	s->copy.from = s->to;
	s->copy.to = data;
	assert_int_equal(mkdir(data, 0700), 0);
	write_file(data, "tls.pem", "of somebody else");
	assert_int_equal(restore(s), ERR_CONFLICT);
	assert_string_equal(names_in(data), "tls.pem writer.lock ");
	fixture_remove(data);
}

static enum err next_line(void *arg, struct slice *line)
{
	bool *is_told = arg;
	*line = SLICE("{\"pk\":\"ROOM:A\",\"sk\":\"USER:a\",\"value\":{\"created_on\":1,"
		      "\"updated_on\":1,\"user_id\":\"ada\",\"role\":\"voter\",\"is_bot\":false}}");
	bool is_end = *is_told;
	*is_told = true;
	return is_end ? ERR_NOT_FOUND : OK;
}

static enum err load_it(struct scene *s)
{
	struct admin_counts counts;
	bool is_told = false;
	return admin_load(s->to, next_line, &is_told, &counts, &s->why);
}

/* The data, and their directory once they have their name. */
SYNC_TEST(data_that_are_loaded_and_cannot_be_synced_are_not_there, s)
{
	assert_int_equal(mkdir(s->to, 0700), 0);
	assert_int_equal(each_sync(s, load_it, s->to, ""), 2);
	assert_string_equal(names_in(s->to), "data.mdb ");
}

static enum err open_new(struct scene *s)
{
	const struct store_lmdb_options o = {.directory = s->to, .map_bytes = 64u << 20};
	struct store *opened;
	enum err e = store_open_lmdb(&o, &opened, &s->why);
	if (e == OK) {
		store_close(opened);
	}
	return e;
}

/* What opening again needs none of: the second time there are data. */
SYNC_TEST(new_data_that_cannot_be_synced_are_not_there, s)
{
	assert_int_equal(mkdir(s->to, 0700), 0);
	assert_true(each_sync(s, open_new, s->to, "writer.lock ") >= 3);
	assert_int_equal(open_new(s), OK);
	assert_string_equal(names_in(s->to), "closed data.mdb lock.mdb writer.lock ");
}

static enum err begin_row(struct scene *s)
{
	char path[ADMIN_SERIES_BYTES];
	return admin_series_begin(s->f.directory, s->to, NOW, path, &s->why);
}

SYNC_TEST(a_directory_for_backups_that_cannot_be_synced_is_not_there, s)
{
	assert_int_equal(each_sync(s, begin_row, s->parent, ""), 1);
	assert_string_equal(names_in(s->parent), "b ");
}

/* A page of the data is damaged; the repaired ones take its place, or the damaged ones stay. */
static enum err reopen_damaged(struct scene *s)
{
	struct errmsg why = {""};
	const struct store_lmdb_options o = {.directory = s->f.directory,
					     .map_bytes = 64u << 20,
					     .wake = fixture_wake,
					     .wake_arg = &s->f.woken};
	enum err e = store_open_lmdb(&o, &s->f.s, &why);
	s->why = why;
	return e;
}

SYNC_TEST(a_repair_that_cannot_be_synced_is_told, s)
{
	char path[128], page[4096];
	int nth = 0;
	for (int i = 0; i < 300; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "USER:%04d", i);
		put_seat(&s->f, i < 150 ? "ROOM:A" : "ROOM:B", sk, "1");
	}
	store_close(s->f.s);
	s->f.s = NULL;
	format_to(path, sizeof(path), "%s/data.mdb", s->f.directory);
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 2 * (off_t)sizeof(page); pread(fd, page, sizeof(page), at) > 0;
	     at += (off_t)sizeof(page)) {
		if (memmem(page, sizeof(page), "USER:0020", 9) != NULL) {
			memset(page, 0, sizeof(page));
			assert_int_equal(pwrite(fd, page, sizeof(page), at), sizeof(page));
		}
	}
	close(fd);
	for (bool is_open = false; !is_open; nth++) {
		has_failed = false;
		syncs_left = nth;
		enum err e = reopen_damaged(s);
		syncs_left = -1;
		is_open = e == OK;
		assert_int_equal(e, is_open ? OK : ERR_IO);
		assert_true(is_open || (has_failed && s->why.text[0] != '\0'));
	}
	assert_true(nth > 2);
	assert_load(&s->f, "ROOM:B", "USER:0299", "USER:0299=1@150");
}
