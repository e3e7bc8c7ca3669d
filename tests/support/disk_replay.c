/*
 * disk_replay.c - see disk_replay.h.
 */
#include "tests/support/disk_replay.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/test.h"

#define NAME_BYTES 64
#define ROOT_FILE  0 /* the first of the files is the root */

struct disk_file {
	uint64_t id; /* a number may be of another file later: the last one has it */
	bool is_directory;
	unsigned char *bytes; /* safe ones */
	size_t len;
};

struct disk_name {
	size_t directory, file;
	char name[NAME_BYTES];
};

struct disk_change {
	uint64_t number;
	enum disk_kind kind; /* WRITE, RESIZE; LINK, UNLINK, RENAME */
	size_t file;
	uint64_t at;
	const unsigned char *bytes;
	size_t len;
	uint64_t mark; /* of a write that waits for its DONE */
	bool is_safe;
	struct disk_name from,
		to; /* UNLINK and RENAME have the first, LINK and RENAME the second */
};

#define SYNCS (sizeof(((struct disk *)0)->syncs) / sizeof(struct disk_sync))

size_t disk_draw(uint64_t *random, size_t below)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (size_t)((*random >> 33) % below);
}

static void *grown(void *all, size_t n, size_t size)
{
	void *more = (n & (n - 1)) == 0 ? realloc(all, (n == 0 ? 1 : 2 * n) * size) : all;
	assert_non_null(more);
	return more;
}

/* ---- names ---- */

static size_t add_file(struct disk *d, uint64_t id, bool is_directory)
{
	d->files = grown(d->files, d->files_n, sizeof(*d->files));
	d->files[d->files_n] = (struct disk_file){.id = id, .is_directory = is_directory};
	return d->files_n++;
}

/* SIZE_MAX where it is none of ours. */
static size_t find_file(const struct disk *d, uint64_t id)
{
	size_t i = d->files_n;
	while (i > 0 && (i - 1 == ROOT_FILE || d->files[i - 1].id != id)) {
		i--;
	}
	return i == 0 ? SIZE_MAX : i - 1;
}

static struct disk_name *find_name(struct disk_name *names, size_t n, const struct disk_name *like)
{
	for (size_t i = 0; i < n; i++) {
		if (names[i].directory == like->directory &&
		    strcmp(names[i].name, like->name) == 0) {
			return &names[i];
		}
	}
	return NULL;
}

static void set_name(struct disk_name **names, size_t *n, const struct disk_name *to)
{
	struct disk_name *at = find_name(*names, *n, to);
	if (at == NULL) {
		*names = grown(*names, *n, sizeof(**names));
		at = &(*names)[(*n)++];
	}
	*at = *to;
}

static void clear_name(struct disk_name *names, size_t *n, const struct disk_name *from)
{
	struct disk_name *at = find_name(names, *n, from);
	if (at != NULL) {
		*at = names[--*n];
	}
}

static void apply_name(struct disk_name **names, size_t *n, const struct disk_change *c)
{
	if (c->kind != DISK_LINK) {
		clear_name(*names, n, &c->from);
	}
	if (c->kind != DISK_UNLINK) {
		set_name(names, n, &c->to);
	}
}

/* Where a path leads now: its directory and name, and the file where there is one. False where it is not below the root. */
static bool look_up(const struct disk *d, const char *path, struct disk_name *out)
{
	size_t root_len = strlen(d->root);
	*out = (struct disk_name){.directory = ROOT_FILE, .file = ROOT_FILE};
	if (strncmp(path, d->root, root_len) != 0 || path[root_len] != '/') {
		return false;
	}
	for (const char *at = path + root_len; *at != '\0';) {
		at += strspn(at, "/");
		size_t len = strcspn(at, "/");
		if (len == 0) {
			break;
		}
		assert_true(len < NAME_BYTES);
		out->directory = out->file;
		memset(out->name, 0, NAME_BYTES);
		memcpy(out->name, at, len);
		const struct disk_name *found =
			out->directory == SIZE_MAX ? NULL : find_name(d->now, d->now_n, out);
		out->file = found == NULL ? SIZE_MAX : found->file;
		at += len;
	}
	return out->directory != SIZE_MAX;
}

bool disk_is(const struct disk *d, uint64_t file, const char *path)
{
	struct disk_name name;
	return look_up(d, path, &name) && name.file != SIZE_MAX && d->files[name.file].id == file;
}

/* ---- changes ---- */

static struct disk_change *add_change(struct disk *d, enum disk_kind kind)
{
	d->changes = grown(d->changes, d->changes_n, sizeof(*d->changes));
	struct disk_change *c = &d->changes[d->changes_n++];
	*c = (struct disk_change){.number = d->changes_all++, .kind = kind, .file = SIZE_MAX};
	return c;
}

static void change_names(struct disk *d, enum disk_kind kind, const struct disk_name *from,
			 const struct disk_name *to)
{
	struct disk_change *c = add_change(d, kind);
	c->from = *from;
	c->to = *to;
	apply_name(&d->now, &d->now_n, c);
}

static void extend(unsigned char **bytes, size_t *len, size_t to)
{
	if (to > *len) {
		*bytes = realloc(*bytes, to);
		assert_non_null(*bytes);
		memset(*bytes + *len, 0, to - *len);
		*len = to;
	}
}

/* is_torn: each sector comes, or does not. */
static void apply_bytes(unsigned char **bytes, size_t *len, const struct disk_change *c,
			bool is_torn, uint64_t *random)
{
	if (c->kind == DISK_RESIZE) {
		extend(bytes, len, c->at);
		*len = c->at;
		return;
	}
	extend(bytes, len, c->at + c->len);
	for (size_t done = 0; done < c->len;) {
		size_t n = DISK_SECTOR - (c->at + done) % DISK_SECTOR;
		n = n < c->len - done ? n : c->len - done;
		if (!is_torn || disk_draw(random, 2) == 0) {
			memcpy(*bytes + c->at + done, c->bytes + done, n);
		}
		done += n;
	}
}

static bool is_of_bytes(const struct disk_change *c)
{
	return c->kind == DISK_WRITE || c->kind == DISK_RESIZE;
}

/* Changes of a file that are safe, with all of them before, are the file; of names likewise. */
static void fold(struct disk *d)
{
	size_t kept = 0;
	for (size_t i = 0; i < d->changes_n; i++) {
		struct disk_change *c = &d->changes[i];
		bool waits = !c->is_safe;
		for (size_t k = 0; k < kept && !waits; k++) {
			waits = is_of_bytes(c) ? d->changes[k].file == c->file
					       : !is_of_bytes(&d->changes[k]);
		}
		if (waits) {
			d->changes[kept++] = *c;
		} else if (is_of_bytes(c)) {
			struct disk_file *f = &d->files[c->file];
			apply_bytes(&f->bytes, &f->len, c, false, NULL);
		} else {
			apply_name(&d->safe, &d->safe_n, c);
		}
	}
	d->changes_n = kept;
}

static void begin_sync(struct disk *d, uint64_t mark, size_t file, uint64_t before)
{
	for (size_t i = 0; i < SYNCS; i++) {
		if (d->syncs[i].mark == 0) {
			d->syncs[i] = (struct disk_sync){mark, file, before};
			return;
		}
	}
	fail_msg("too much is synced at once");
}

/*
 * One process at a time writes a file: what another began is over. It was killed before it could say
 * so, but after the kernel had the bytes, or the next one would have written otherwise.
 */
static bool is_of_other(uint64_t a, uint64_t b)
{
	return a >> DISK_MARK_SHIFT != b >> DISK_MARK_SHIFT;
}

static void end_sync(struct disk *d, uint64_t mark)
{
	struct disk_sync *s = d->syncs;
	while (s < d->syncs + SYNCS && s->mark != mark) {
		s++;
	}
	assert_true(s < d->syncs + SYNCS);
	for (size_t i = 0; i < d->changes_n && s->file != SIZE_MAX; i++) {
		struct disk_change *c = &d->changes[i];
		bool is_meant = c->mark == mark;
		if ((c->mark == 0 || is_of_other(c->mark, mark)) && c->number < s->before) {
			is_meant = is_of_bytes(c) ? c->file == s->file && !d->loses_bytes
						  : (c->from.directory == s->file ||
						     c->to.directory == s->file) &&
							    !d->loses_names;
		}
		c->is_safe = c->is_safe || is_meant;
	}
	s->mark = 0;
	fold(d);
}

/* ---- the log ---- */

void disk_open(struct disk *d, const char *log, const char *root)
{
	struct stat st;
	*d = (struct disk){.root = root};
	int fd = open(log, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	d->log_len = (size_t)st.st_size;
	d->log = malloc(d->log_len + 1);
	assert_non_null(d->log);
	for (size_t n = 0; n < d->log_len;) {
		ssize_t more = read(fd, d->log + n, d->log_len - n);
		assert_true(more > 0);
		n += (size_t)more;
	}
	(void)close(fd);
	(void)add_file(d, 0, true);
}

void disk_close(struct disk *d)
{
	for (size_t i = 0; i < d->files_n; i++) {
		free(d->files[i].bytes);
	}
	free(d->files);
	free(d->now);
	free(d->safe);
	free(d->changes);
	free(d->log);
}

static void make_name(struct disk *d, const struct disk_event *e, const char *path)
{
	struct disk_name name;
	if (look_up(d, path, &name)) {
		name.file = add_file(d, e->file, e->kind == DISK_MAKE_DIRECTORY);
		change_names(d, DISK_LINK, &(struct disk_name){.directory = SIZE_MAX}, &name);
	}
}

static void move_name(struct disk *d, enum disk_kind kind, const char *path)
{
	struct disk_name from, to = {.directory = SIZE_MAX};
	if (!look_up(d, path, &from) || from.file == SIZE_MAX) {
		return; /* a socket */
	}
	if (kind != DISK_UNLINK) {
		assert_true(look_up(d, path + strlen(path) + 1, &to));
		to.file = from.file;
	}
	if (kind == DISK_LINK) {
		from = (struct disk_name){.directory = SIZE_MAX};
	}
	change_names(d, kind, &from, &to);
}

static void change_bytes(struct disk *d, const struct disk_event *e, const unsigned char *bytes)
{
	size_t file = find_file(d, e->file);
	if (e->mark != 0) {
		begin_sync(d, e->mark, file, 0);
	}
	if (file != SIZE_MAX) {
		struct disk_change *c = add_change(d, (enum disk_kind)e->kind);
		c->file = file;
		c->at = e->at;
		c->bytes = bytes;
		c->len = e->len;
		c->mark = e->mark;
	}
}

/* The root's own number is not in the log: what is synced and is no file below it is the root, or nothing to us. */
static void sync_file(struct disk *d, const struct disk_event *e)
{
	size_t file = find_file(d, e->file);
	begin_sync(d, e->mark, file == SIZE_MAX ? ROOT_FILE : file, d->changes_all);
}

const struct disk_event *disk_next(struct disk *d, const unsigned char **out)
{
	struct disk_event *e = &d->event;
	if (d->at == d->log_len) {
		return NULL;
	}
	assert_true(d->log_len - d->at >= sizeof(*e));
	memcpy(e, d->log + d->at, sizeof(*e));
	const unsigned char *bytes = d->log + d->at + sizeof(*e);
	d->at += sizeof(*e) + e->len;
	assert_true(d->at <= d->log_len);
	switch ((enum disk_kind)e->kind) {
	case DISK_MAKE:
	case DISK_MAKE_DIRECTORY:
		make_name(d, e, (const char *)bytes);
		break;
	case DISK_LINK:
	case DISK_RENAME:
	case DISK_UNLINK:
		move_name(d, (enum disk_kind)e->kind, (const char *)bytes);
		break;
	case DISK_WRITE:
	case DISK_RESIZE:
		change_bytes(d, e, bytes);
		break;
	case DISK_SYNC:
		sync_file(d, e);
		break;
	case DISK_DONE:
		end_sync(d, e->mark);
		break;
	case DISK_SENT:
	case DISK_NOTE:
		break;
	}
	*out = bytes;
	return e;
}

/* ---- what is left ---- */

static bool is_left(enum disk_rest rest, size_t i, size_t chosen, uint64_t *random)
{
	switch (rest) {
	case DISK_NOTHING:
		return false;
	case DISK_ALL:
		return true;
	case DISK_PREFIX:
		return i < chosen;
	case DISK_ALL_BUT_ONE:
		return i != chosen;
	default:
		return disk_draw(random, 2) == 0;
	}
}

/* Without what is zero anyway: much of a file with space taken ahead. */
static void write_whole(const char *path, const unsigned char *bytes, size_t len)
{
	static const unsigned char zeroes[8 * DISK_SECTOR];
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)len), 0);
	for (size_t at = 0; at < len; at += sizeof(zeroes)) {
		size_t n = len - at < sizeof(zeroes) ? len - at : sizeof(zeroes);
		if (memcmp(bytes + at, zeroes, n) != 0) {
			assert_int_equal(pwrite(fd, bytes + at, n, (off_t)at), (ssize_t)n);
		}
	}
	(void)close(fd);
}

struct leaving {
	const struct disk *d;
	const struct disk_name *names;
	size_t names_n;
	const bool *left; /* of each change */
	bool is_torn;
	uint64_t *random;
};

static void leave_file(const struct leaving *l, size_t file, const char *to)
{
	const struct disk_file *f = &l->d->files[file];
	size_t len = f->len;
	unsigned char *bytes = malloc(len + 1);
	assert_non_null(bytes);
	if (len > 0) {
		memcpy(bytes, f->bytes, len);
	}
	for (size_t i = 0; i < l->d->changes_n; i++) {
		const struct disk_change *c = &l->d->changes[i];
		if (is_of_bytes(c) && c->file == file && l->left[i]) {
			apply_bytes(&bytes, &len, c, l->is_torn && !c->is_safe, l->random);
		}
	}
	write_whole(to, bytes, len);
	free(bytes);
}

static void leave_directory(const struct leaving *l, size_t directory, const char *to)
{
	char path[DISK_PATH];
	assert_int_equal(mkdir(to, 0700), 0);
	for (size_t i = 0; i < l->names_n; i++) {
		if (l->names[i].directory == directory) {
			assert_true((size_t)snprintf(path, sizeof(path), "%s/%s", to,
						     l->names[i].name) < sizeof(path));
			if (l->d->files[l->names[i].file].is_directory) {
				leave_directory(l, l->names[i].file, path);
			} else {
				leave_file(l, l->names[i].file, path);
			}
		}
	}
}

bool disk_leave(const struct disk *d, enum disk_rest rest, uint64_t *random, const char *directory,
		const char *to)
{
	struct disk_name *names = NULL;
	size_t n = 0, chosen = disk_draw(random, d->changes_n + 1);
	bool *left = calloc(d->changes_n + 1, sizeof(*left));
	assert_non_null(left);
	for (size_t i = 0; i < d->safe_n; i++) {
		set_name(&names, &n, &d->safe[i]);
	}
	for (size_t i = 0; i < d->changes_n; i++) {
		const struct disk_change *c = &d->changes[i];
		left[i] = is_left(rest, i, chosen, random) || c->is_safe;
		if (left[i] && !is_of_bytes(c)) {
			apply_name(&names, &n, c);
		}
	}
	const struct disk_name like = {.directory = ROOT_FILE};
	struct disk_name top = like;
	(void)snprintf(top.name, sizeof(top.name), "%s", directory);
	const struct disk_name *found = find_name(names, n, &top);
	if (found != NULL) {
		const struct leaving l = {d, names, n, left, rest == DISK_TORN, random};
		leave_directory(&l, found->file, to);
	}
	free(names);
	free(left);
	return found != NULL;
}
