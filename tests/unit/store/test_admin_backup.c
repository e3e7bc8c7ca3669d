/*
 * test_admin_backup.c - backups and restores: whole, or not there.
 */
#include "fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "store/admin/admin.h"
#include "store/admin/admin_files.h"

/* A store with data and its keys, and a directory for what is made of it. */
struct place {
	struct fixture f;
	char parent[64];
	char backup[96];
	char data[96];
	struct admin_copy copy; /* from the store to the backup */
	struct admin_copied copied;
	struct errmsg why;
	int64_t asked;	 /* how often on_progress was */
	int64_t stop_at; /* the call that says no; 0: none */
};

static const char *const files[] = {"server.key", "tls.pem", NULL};

static bool on_progress(void *arg, enum admin_step step, uint64_t bytes, uint64_t bytes_all)
{
	struct place *p = arg;
	assert_true(step == ADMIN_COPYING || step == ADMIN_CHECKING);
	assert_true(bytes_all == 0 || bytes <= 2 * bytes_all);
	return ++p->asked != p->stop_at;
}

static void write_file(const char *directory, const char *name, const char *text)
{
	char path[256];
	format_to(path, sizeof(path), "%s/%s", directory, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void put_rooms(struct fixture *f, int from, int to)
{
	for (int i = from; i < to; i++) {
		char pk[32];
		format_to(pk, sizeof(pk), "ROOM:R%04d", i);
		put_seat(f, pk, "USER:a", "5");
	}
}

static int place_lay(void **state)
{
	static struct place p;
	p = (struct place){.asked = 0};
	fixture_open(&p.f, FIXTURE_LMDB);
	put_rooms(&p.f, 0, 100);
	write_file(p.f.directory, "server.key", "0123456789abcdef0123456789abcdef");
	write_file(p.f.directory, "tls.pem", "a certificate, and a key");
	format_to(p.parent, sizeof(p.parent), "/tmp/backup-test-XXXXXX");
	assert_non_null(mkdtemp(p.parent));
	format_to(p.backup, sizeof(p.backup), "%s/b", p.parent);
	format_to(p.data, sizeof(p.data), "%s/d", p.parent);
	p.copy = (struct admin_copy){.from = p.f.directory,
				     .to = p.backup,
				     .files = files,
				     .on_progress = on_progress,
				     .arg = &p};
	*state = &p;
	return 0;
}

static void remove_below(const char *directory)
{
	char path[512];
	struct dirent *entry;
	DIR *d = opendir(directory);
	while (d != NULL && (entry = readdir(d)) != NULL) {
		format_to(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    unlink(path) != 0) {
			remove_below(path);
		}
	}
	if (d != NULL) {
		closedir(d);
	}
	rmdir(directory);
}

static int place_clear(void **state)
{
	struct place *p = *state;
	if (p->f.s != NULL) {
		store_close(p->f.s);
	}
	sem_destroy(&p->f.woken);
	remove_below(p->f.directory);
	remove_below(p->parent);
	return 0;
}

#define BACKUP_TEST(name, p) TEST_IN(name, struct place, p, place_lay, place_clear)

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The names in a directory, sorted, with blanks between; the modes are those of private files. */
static const char *names_in(const char *directory)
{
	static char text[2048];
	static char names[64][64];
	char path[512];
	size_t n = 0, at = 0;
	struct dirent *entry;
	struct stat st;
	DIR *d = opendir(directory);
	if (d == NULL) {
		return "no directory";
	}
	while ((entry = readdir(d)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
			continue;
		}
		assert_true(n < 64);
		format_to(names[n++], sizeof(names[0]), "%s", entry->d_name);
		format_to(path, sizeof(path), "%s/%s", directory, entry->d_name);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 077, 0);
	}
	closedir(d);
	qsort(names, n, sizeof(names[0]), compare_names);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		at += format_to(text + at, sizeof(text) - at, "%s%s", i == 0 ? "" : " ", names[i]);
	}
	return text;
}

static void assert_whole(const char *directory, uint64_t items)
{
	struct admin_counts counts;
	struct errmsg why = {""};
	struct stat st;
	assert_string_equal(names_in(directory), "data.mdb server.key tls.pem");
	assert_int_equal(stat(directory, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	char key[256], certificate[256];
	format_to(key, sizeof(key), "%s/server.key", directory);
	format_to(certificate, sizeof(certificate), "%s/tls.pem", directory);
	assert_false(admin_files_are_equal(key, certificate));
	if (admin_check(directory, NO_SLICE, NULL, NULL, &counts, &why) != OK) {
		fail_msg("%s", why.text); /* a problem would have called NULL */
	}
	assert_int_equal(counts.items, items);
}

static void assert_refused(struct place *p, enum err e, const char *word)
{
	p->why = (struct errmsg){""};
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), e);
	if (strstr(p->why.text, word) == NULL) {
		fail_msg("not \"%s\": %s", word, p->why.text);
	}
}

/* ---- backup ---- */

BACKUP_TEST(a_backup_is_the_data_and_their_keys, p)
{
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	assert_int_equal(p->copied.counts.items, 100);
	assert_true(p->copied.bytes > 4096 && p->asked > 0);
	put_rooms(&p->f, 100, 120);
	assert_whole(p->backup, 100);
	assert_string_equal(names_in(p->parent), "b");
}

/* promise: moment */
BACKUP_TEST(a_backup_is_of_one_moment_while_others_write, p)
{
	struct answer a = {.calls = 0};
	/* Each commit is two items of one partition: a copy between them would have an odd count. */
	for (int i = 0; i < 2000; i++) {
		char pk[32];
		format_to(pk, sizeof(pk), "ROOM:W%05d", i);
		struct store_op ops[2] = {op_put(pk, "USER:a", value_seat("1")),
					  op_put(pk, "USER:b", NO_SLICE)};
		ops[1].value = ops[0].value;
		struct store_commit c = {.ops = ops, .n = 2, .now_ms = NOW};
		assert_int_equal(commit_begin(&p->f, &c, &a), OK);
		if (i % 50 == 49) {
			store_flush(p->f.s);
		}
		if (i == 1000) {
			assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
		}
	}
	fixture_drain(&p->f);
	assert_int_equal(a.calls, 2000);
	assert_int_equal(p->copied.counts.items % 2, 0);
	assert_in_range(p->copied.counts.items, 100, 100 + 2 * 1001);
	assert_whole(p->backup, p->copied.counts.items);
}

BACKUP_TEST(a_backup_goes_nowhere_but_to_a_new_name_elsewhere, p)
{
	char inside[128];
	struct stat st;
	assert_int_equal(mkdir(p->backup, 0700), 0);
	assert_refused(p, ERR_CONFLICT, "already exists");
	assert_int_equal(rmdir(p->backup), 0);
	write_file(p->parent, "b", "a file");
	assert_refused(p, ERR_CONFLICT, "already exists");
	assert_int_equal(unlink(p->backup), 0);
	assert_int_equal(symlink("/nowhere", p->backup), 0);
	assert_refused(p, ERR_CONFLICT, "already exists");
	assert_int_equal(unlink(p->backup), 0);
	/* Onto itself, below itself, and the same through a link. */
	p->copy.to = p->f.directory;
	assert_refused(p, ERR_CONFLICT, "itself");
	format_to(inside, sizeof(inside), "%s/x", p->f.directory);
	p->copy.to = inside;
	assert_refused(p, ERR_CONFLICT, "itself");
	assert_int_equal(symlink(p->f.directory, p->backup), 0);
	format_to(inside, sizeof(inside), "%s/x", p->backup);
	assert_refused(p, ERR_CONFLICT, "itself");
	assert_int_equal(unlink(p->backup), 0);
	format_to(inside, sizeof(inside), "%s/no/x", p->parent);
	assert_refused(p, ERR_NOT_FOUND, "/no: cannot write to it");
	p->copy.to = p->backup;
	p->copy.from = p->parent;
	p->copy.to = "/tmp/aye-backup-of-nothing";
	assert_refused(p, ERR_NOT_FOUND, "no data");
	p->copy.from = p->data;
	assert_refused(p, ERR_NOT_FOUND, p->data);
	assert_int_equal(stat("/tmp/aye-backup-of-nothing", &st), -1);
	assert_string_equal(names_in(p->parent), "");
	assert_string_equal(names_in(p->f.directory),
			    "data.mdb in-use lock.mdb server.key tls.pem writer.lock");
}

static void make_newer(struct kv *kv)
{
	assert_int_equal(kv_put(kv, KV_META, SLICE("format"), SLICE("aye table 99")), OK);
}

BACKUP_TEST(data_of_a_newer_program_are_left_to_it, p)
{
	fixture_change(&p->f, make_newer);
	assert_refused(p, ERR_VERSION, "format 99");
	assert_string_equal(names_in(p->parent), "");
}

static void spoil(struct kv *kv)
{
	struct slice key, value;
	char text[512];
	assert_int_equal(kv_find(kv, KV_ITEMS, KV_FROM, NO_SLICE, &key, &value), OK);
	assert_true(value.len < sizeof(text));
	memcpy(text, value.data, value.len);
	text[value.len - 1] ^= 1;
	char kept[512];
	memcpy(kept, key.data, key.len);
	assert_int_equal(kv_put(kv, KV_ITEMS, slice_of(kept, key.len), slice_of(text, value.len)),
			 OK);
}

BACKUP_TEST(damaged_data_are_no_backup, p)
{
	fixture_change(&p->f, spoil);
	assert_refused(p, ERR_CORRUPT, "problem");
	/* It names what was to be copied, not the copy. */
	assert_int_equal(strncmp(p->why.text, p->f.directory, strlen(p->f.directory)), 0);
	assert_string_equal(names_in(p->parent), "");
}

static void own(struct kv *kv)
{
	assert_int_equal(kv_put(kv, KV_META, SLICE("owner"), SLICE("Ada's key")), OK);
}

BACKUP_TEST(data_of_another_key_are_no_backup, p)
{
	fixture_change(&p->f, own);
	p->copy.owner = SLICE("Linus' key");
	assert_refused(p, ERR_CONFLICT, "server.key does not belong");
	assert_string_equal(names_in(p->parent), "");
	p->copy.owner = SLICE("Ada's key");
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
}

static void lose(struct kv *kv)
{
	struct lost_ranges lost = {.n = 0};
	struct buf text;
	buf_init(&text, 4096);
	assert_int_equal(lost_ranges_add(&lost, SLICE("ROOM:Z"), SLICE("ROOM:ZZ"), false), OK);
	lost_ranges_write(&lost, &text);
	assert_int_equal(kv_put(kv, KV_META, SLICE(LOST_RANGES_NAME), buf_slice(&text)), OK);
	buf_finish(&text);
	lost_ranges_finish(&lost);
}

BACKUP_TEST(what_a_repair_has_lost_keeps_no_backup_from_the_rest, p)
{
	fixture_change(&p->f, lose);
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	assert_int_equal(p->copied.counts.lost, 1);
	assert_int_equal(p->copied.counts.items, 100);
}

/*
 * In both heads of the file: one page more is said to be in use, as LMDB leaves it where it loses track of one.
 * Of a head (lmdb 0.9, struct MDB_meta behind a page header of 16 bytes) the number of the last page
 * stands behind magic, version, address, size (24 bytes) and two databases (48 bytes each).
 */
static void lose_a_page(const char *directory)
{
	char path[256];
	format_to(path, sizeof(path), "%s/data.mdb", directory);
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 16 + 24 + 2 * 48; at < 2 * 4096; at += 4096) {
		uint64_t last;
		assert_int_equal(pread(fd, &last, sizeof(last), at), sizeof(last));
		last++;
		assert_int_equal(pwrite(fd, &last, sizeof(last), at), sizeof(last));
	}
	close(fd);
}

BACKUP_TEST(pages_that_were_lost_track_of_do_not_matter, p)
{
	store_close(p->f.s);
	p->f.s = NULL;
	lose_a_page(p->f.directory);
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	assert_whole(p->backup, 100);
}

/* promise: whole-backup */
BACKUP_TEST(a_full_disk_leaves_nothing_behind, p)
{
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	for (rlim_t bytes = 0; bytes < 24000; bytes += 4000) {
		limit_files(bytes);
		assert_refused(p, ERR_FULL, "not enough space");
		assert_string_equal(names_in(p->parent), "");
	}
	limit_files(RLIM_INFINITY);
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
}

BACKUP_TEST(a_backup_may_be_stopped_and_leaves_nothing, p)
{
	enum err e = ERR_CLOSED;
	for (p->stop_at = 1; e == ERR_CLOSED; p->stop_at++) {
		assert_string_equal(names_in(p->parent), "");
		p->asked = 0;
		e = admin_backup(&p->copy, &p->copied, &p->why);
	}
	assert_int_equal(e, OK);
	assert_true(p->stop_at > 2);
	assert_whole(p->backup, 100);
}

BACKUP_TEST(what_a_killed_backup_left_goes_with_the_next, p)
{
	char dead[ENV_PATH_BYTES], alive[ENV_PATH_BYTES];
	int fd, other;
	assert_int_equal(admin_files_begin(p->parent, dead, &fd, &p->why), OK);
	write_file(dead, "data.mdb", "half a copy");
	assert_int_equal(admin_files_begin(p->parent, alive, &other, &p->why), OK);
	write_file(alive, "data.mdb", "another's, who is at it");
	assert_int_equal(access(dead, F_OK), 0);
	close(fd); /* as its end does */
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	assert_int_equal(access(dead, F_OK), -1);
	assert_int_equal(access(alive, F_OK), 0);
	close(other);
}

/* Where others may write, somebody can put a link of such a name there. */
BACKUP_TEST(what_only_looks_like_an_unfinished_backup_is_left_alone, p)
{
	char link[128];
	format_to(link, sizeof(link), "%s/.ayed-unfinished-abcdef", p->parent);
	assert_int_equal(symlink(p->f.directory, link), 0);
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	assert_whole(p->backup, 100);
	assert_string_equal(names_in(p->f.directory),
			    "data.mdb in-use lock.mdb server.key tls.pem writer.lock");
	assert_int_equal(admin_files_remove(link, &p->why), ERR_NOT_FOUND);
	assert_int_equal(access(link, F_OK), 0);
}

/* ---- restore ---- */

/* Makes the backup, and then *p->copy what brings it back. */
static void restore_lay(struct place *p)
{
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	p->copy.from = p->backup;
	p->copy.to = p->data;
	p->asked = 0;
}

static void assert_not_restored(struct place *p, enum err e, const char *word)
{
	p->why = (struct errmsg){""};
	assert_int_equal(admin_restore(&p->copy, &p->copied, &p->why), e);
	if (strstr(p->why.text, word) == NULL) {
		fail_msg("not \"%s\": %s", word, p->why.text);
	}
}

/* Root gives the locks to the directory's user, who must not choose what is given. */
BACKUP_TEST(locks_are_no_links, p)
{
	char other[128], lock[128];
	struct stat st;
	store_close(p->f.s);
	p->f.s = NULL;
	write_file(p->parent, "other", "");
	format_to(other, sizeof(other), "%s/other", p->parent);
	format_to(lock, sizeof(lock), "%s/lock.mdb", p->f.directory);
	assert_int_equal(unlink(lock), 0);
	assert_int_equal(symlink(other, lock), 0);
	assert_refused(p, ERR_CONFLICT, "lock.mdb is a symbolic link");
	assert_int_equal(unlink(lock), 0);
	restore_lay(p);
	assert_int_equal(mkdir(p->data, 0700), 0);
	format_to(lock, sizeof(lock), "%s/writer.lock", p->data);
	assert_int_equal(symlink(other, lock), 0);
	assert_not_restored(p, ERR_IO, "writer.lock");
	assert_int_equal(stat(other, &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_string_equal(names_in(p->data), "writer.lock");
}

BACKUP_TEST(a_restore_brings_back_what_the_backup_has, p)
{
	struct answer a;
	restore_lay(p);
	assert_int_equal(admin_restore(&p->copy, &p->copied, &p->why), OK);
	assert_int_equal(p->copied.counts.items, 100);
	assert_string_equal(names_in(p->data), "data.mdb server.key tls.pem writer.lock");
	assert_string_equal(names_in(p->backup), "data.mdb server.key tls.pem");
	store_close(p->f.s);
	char original[64];
	format_to(original, sizeof(original), "%s", p->f.directory);
	format_to(p->f.directory, sizeof(p->f.directory), "%s", p->data);
	assert_int_equal(fixture_try_open(&p->f), OK);
	a = load(&p->f, "ROOM:R0042", "");
	assert_int_equal(a.n, 1);
	put_rooms(&p->f, 100, 101);
	store_close(p->f.s);
	p->f.s = NULL;
	format_to(p->f.directory, sizeof(p->f.directory), "%s", original);
}

BACKUP_TEST(a_restore_takes_nobodys_place, p)
{
	restore_lay(p);
	p->copy.to = p->f.directory; /* which is served */
	assert_not_restored(p, ERR_BUSY, "another server");
	store_close(p->f.s);
	p->f.s = NULL;
	assert_not_restored(p, ERR_CONFLICT, "already has data");
	p->copy.to = p->backup;
	assert_not_restored(p, ERR_CONFLICT, "itself");
	p->copy.to = p->data;
	assert_int_equal(mkdir(p->data, 0700), 0);
	write_file(p->data, "server.key", "another key");
	assert_not_restored(p, ERR_CONFLICT, "differs from the copied one");
	assert_string_equal(names_in(p->data), "server.key writer.lock");
	/* The same key is where an earlier restore was killed before the data came. */
	write_file(p->data, "server.key", "0123456789abcdef0123456789abcdef");
	assert_int_equal(admin_restore(&p->copy, &p->copied, &p->why), OK);
	p->copy.from = p->parent;
	assert_not_restored(p, ERR_CONFLICT, "itself");
	p->copy.to = "/tmp";
	assert_not_restored(p, ERR_NOT_FOUND, "not a backup");
}

BACKUP_TEST(a_backup_that_is_served_is_not_copied, p)
{
	p->copy.to = p->data;
	assert_not_restored(p, ERR_BUSY, "back it up");
	assert_string_equal(names_in(p->parent), "");
}

static void cut(const char *directory, off_t bytes)
{
	char path[256];
	format_to(path, sizeof(path), "%s/data.mdb", directory);
	assert_int_equal(truncate(path, bytes), 0);
}

BACKUP_TEST(a_damaged_backup_is_not_restored, p)
{
	restore_lay(p);
	cut(p->backup, 16384);
	assert_not_restored(p, ERR_CORRUPT, p->backup);
	assert_string_equal(names_in(p->parent), "b");
	assert_int_equal(mkdir(p->data, 0700), 0);
	assert_not_restored(p, ERR_CORRUPT, p->backup);
	assert_string_equal(names_in(p->data), "writer.lock");
}

BACKUP_TEST(a_restore_may_be_stopped_and_leaves_nothing, p)
{
	enum err e = ERR_CLOSED;
	restore_lay(p);
	for (p->stop_at = 1; e == ERR_CLOSED; p->stop_at++) {
		assert_string_equal(names_in(p->parent), "b");
		p->asked = 0;
		e = admin_restore(&p->copy, &p->copied, &p->why);
	}
	assert_int_equal(e, OK);
	assert_true(p->stop_at > 2);
}

BACKUP_TEST(a_restore_onto_a_full_disk_leaves_nothing, p)
{
	restore_lay(p);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	for (rlim_t bytes = 1; bytes < 24000; bytes += 4000) {
		limit_files(bytes);
		assert_not_restored(p, ERR_FULL, "not enough space");
		assert_string_equal(names_in(p->parent), "b");
	}
	limit_files(RLIM_INFINITY);
}

/* ---- in a row ---- */

BACKUP_TEST(a_row_of_backups_keeps_the_newest, p)
{
	static const int64_t times[] = {INT64_C(1700000000123), INT64_C(1709164799999),
					INT64_C(1709164800000), INT64_C(1735689599001)};
	char path[ADMIN_SERIES_BYTES];
	int64_t made_ms = -1;
	assert_int_equal(admin_series_newest(p->backup, &made_ms, &p->why), OK);
	assert_int_equal(made_ms, 0);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(admin_series_begin(p->f.directory, p->backup, times[i], path,
						    &p->why),
				 OK);
		p->copy.to = path;
		assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
		assert_int_equal(admin_series_newest(p->backup, &made_ms, &p->why), OK);
		assert_true(made_ms == times[i]);
	}
	assert_string_equal(names_in(p->backup),
			    "ayed-20231114T221320.123Z ayed-20240228T235959.999Z "
			    "ayed-20240229T000000.000Z ayed-20241231T235959.001Z");
	/* A name of somebody else stays, and so does what was just made by a clock set back. */
	char other[128];
	format_to(other, sizeof(other), "%s/ayed-2023", p->backup);
	assert_int_equal(mkdir(other, 0700), 0);
	format_to(path, sizeof(path), "%s/ayed-20231114T221320.123Z", p->backup);
	assert_int_equal(admin_series_prune(p->backup, 2, path, &p->why), OK);
	assert_string_equal(names_in(p->backup),
			    "ayed-2023 ayed-20231114T221320.123Z ayed-20241231T235959.001Z");
	assert_whole(path, 100);
	assert_int_equal(admin_series_prune(p->backup, 2, path, &p->why), OK);
	assert_int_equal(admin_series_begin(p->f.directory, p->f.directory, NOW, path, &p->why),
			 ERR_CONFLICT);
}

/* In a directory that others write to, too. */
BACKUP_TEST(what_only_bears_a_backups_name_keeps_none_from_going, p)
{
	char path[ADMIN_SERIES_BYTES], link[128], file[128];
	int64_t made_ms;
	for (int64_t i = 0; i < 3; i++) {
		assert_int_equal(admin_series_begin(p->f.directory, p->backup, NOW + i, path,
						    &p->why),
				 OK);
		p->copy.to = path;
		assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	}
	format_to(link, sizeof(link), "%s/ayed-20200101T000000.000Z", p->backup);
	assert_int_equal(symlink(p->f.directory, link), 0);
	format_to(file, sizeof(file), "%s/ayed-20990101T000000.000Z", p->backup);
	assert_int_equal(close(creat(file, 0600)), 0);
	assert_int_equal(admin_series_newest(p->backup, &made_ms, &p->why), OK);
	assert_true(made_ms == NOW + 2);
	assert_int_equal(admin_series_prune(p->backup, 1, path, &p->why), OK);
	assert_whole(path, 100);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(unlink(file), 0);
	assert_string_equal(names_in(p->backup), path + strlen(p->backup) + 1);
}

BACKUP_TEST(a_backup_with_something_else_in_it_is_not_taken_apart_in_silence, p)
{
	char path[ADMIN_SERIES_BYTES], inside[ADMIN_SERIES_BYTES + 16];
	assert_int_equal(admin_series_begin(p->f.directory, p->backup, NOW, path, &p->why), OK);
	p->copy.to = path;
	assert_int_equal(admin_backup(&p->copy, &p->copied, &p->why), OK);
	format_to(inside, sizeof(inside), "%s/notes", path);
	assert_int_equal(mkdir(inside, 0700), 0);
	assert_int_equal(admin_series_prune(p->backup, 0, "", &p->why), ERR_IO);
	assert_non_null(strstr(p->why.text, "cannot remove it"));
}
