/*
 * web_files.h - the files of the page: client/web, embedded in the program, and what is written from lists of C.
 *
 * A new file of the page is a row here, and nothing else.
 */
#ifndef SERVER_WEB_WEB_FILES_H
#define SERVER_WEB_WEB_FILES_H

#include "proto/base/slice.h"

/*        SYMBOL     path             file in client/web   type */
#define WEB_FILES(X)                                                              \
	X(INDEX,    "/",             "index.html",   "text/html; charset=utf-8") \
	X(APP,      "/app.js",       "app.js",       "text/javascript; charset=utf-8") \
	X(WIRE,     "/wire.js",      "wire.js",      "text/javascript; charset=utf-8") \
	X(STYLE,    "/style.css",    "style.css",    "text/css; charset=utf-8") \
	X(ICON,     "/icon.png",     "icon.png",     "image/png")

/*        SYMBOL     path             bytes, in web_files.c type */
#define WEB_TEXTS(X)                                                              \
	X(RULES,    "/rules.js",     web_rules,      "text/javascript; charset=utf-8")

enum web_file_id {
#define WEB_FILE_ENUM(symbol, path, file, type) WEB_FILE_##symbol,
	WEB_FILES(WEB_FILE_ENUM)
	WEB_TEXTS(WEB_FILE_ENUM)
#undef WEB_FILE_ENUM
	WEB_FILE_COUNT
};

#define WEB_ETAG_CHARS 34 /* 16 bytes in hexadecimal, in quotes */

struct web_file {
	struct slice path;
	struct slice type;
	struct slice bytes;
	char etag[WEB_ETAG_CHARS + 1]; /* of these bytes, with its quotes */
};

/* Describe all files; everything they point to is static. */
void web_files_list(struct web_file out[WEB_FILE_COUNT]);

#endif
