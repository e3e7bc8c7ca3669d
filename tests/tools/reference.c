/*
 * reference.c - rewrites the generated tables of the documents.
 *
 * usage: reference [README...]   those, or proto's and store's
 *        reference dict          the fuzzers' dictionary, on stdout
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/docs/reference_doc.h"
#include "tests/docs/schema_doc.h"

#define REFERENCE_BYTES_MAX (1 << 22)

/* A section of either. */
static enum err reference_write(const char *section, struct buf *out)
{
	enum err e = reference_doc_write(section, out);
	return e == ERR_NOT_FOUND ? schema_doc_write(section, out) : e;
}

static enum err reference_read(const char *path, struct buf *out)
{
	FILE *file = fopen(path, "rb");
	if (file == NULL) {
		return ERR_IO;
	}
	char chunk[4096];
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), file)) > 0;) {
		buf_append(out, chunk, n);
	}
	enum err e = ferror(file) ? ERR_IO : out->error;
	(void)fclose(file);
	return e;
}

/* Nothing is written where nothing changed, so that the file keeps its time. */
static enum err reference_replace(const char *path, struct slice old, struct slice text)
{
	if (slice_eq(old, text)) {
		return OK;
	}
	FILE *file = fopen(path, "wb");
	if (file == NULL) {
		return ERR_IO;
	}
	bool ok = fwrite(text.data, 1, text.len, file) == text.len;
	ok = fclose(file) == 0 && ok;
	return ok ? OK : ERR_IO;
}

static int reference_update(const char *path)
{
	struct buf old, tables, text;
	buf_init(&old, REFERENCE_BYTES_MAX);
	buf_init(&tables, REFERENCE_BYTES_MAX);
	buf_init(&text, REFERENCE_BYTES_MAX);
	enum err e = reference_read(path, &old);
	if (e == OK) {
		e = reference_doc_fill(buf_slice(&old), reference_write, &tables);
	}
	if (e == OK) { /* the contents name the headings of the tables */
		e = reference_doc_fill(buf_slice(&tables), reference_write, &text);
	}
	if (e == OK) {
		e = reference_replace(path, buf_slice(&old), buf_slice(&text));
	}
	buf_finish(&old);
	buf_finish(&tables);
	buf_finish(&text);
	if (e != OK) {
		(void)fprintf(stderr, "reference: %s: %s\n", path, err_text(e));
	}
	return e == OK ? 0 : 1;
}

static int reference_dictionary(void)
{
	struct buf words;
	buf_init(&words, REFERENCE_BYTES_MAX);
	bool ok = reference_doc_write("dictionary", &words) == OK &&
		  fwrite(words.data, 1, words.len, stdout) == words.len && fclose(stdout) == 0;
	buf_finish(&words);
	return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "dict") == 0) {
		return reference_dictionary();
	}
	if (argc < 2) {
		int failed = reference_update("proto/README.md");
		return reference_update("store/README.md") | failed;
	}
	int failed = 0;
	for (int i = 1; i < argc; i++) {
		failed |= reference_update(argv[i]);
	}
	return failed;
}
