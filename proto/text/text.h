/*
 * text.h - text from people, made safe to store and to display.
 *
 * Names, titles and cards come from strangers and are displayed on everyone's terminal. They are
 * cleaned when the server receives them, and again wherever they are displayed. Lines (prompts,
 * answers, notes, descriptions) may be code, a diff, a nested list, in any script: they stay as
 * they were sent, except for characters that would harm a terminal.
 *
 * Widths are in terminal cells according to Unicode. Terminals disagree about some characters, so
 * safety must never depend on a width.
 */
#ifndef PROTO_TEXT_TEXT_H
#define PROTO_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/*
 * Write the clean form of `in` to out (cap bytes, not NUL-terminated): NFC, each run of white
 * space replaced by one space, no white space at the ends. Idempotent.
 *
 * ERR_INVALID    not UTF-8, or contains a control, surrogate, private, unassigned or
 *                line-separator character, a bidi control, a zero-width or blank look-alike
 *                character, a tag, more than two combining marks on a base, or one without a
 *                base. *bad is the code point; -1 if it is not UTF-8. A zero-width joiner is
 *                allowed where it joins two emoji.
 * ERR_TOO_LARGE  longer than cap bytes, or, before NFC, than the longest text allowed (an
 *                answer).
 */
NODISCARD enum err text_clean(struct slice in, char *out, size_t cap, size_t *len, int32_t *bad);

/*
 * The same for lines: NFC, line ends become newlines, soft hyphens and byte order marks are
 * removed. Everything else stays: blanks of any kind, tabs, marks of direction (U+061C, U+200E,
 * U+200F), up to four combining marks on a base, and joiners after a letter of a script that
 * joins its letters.
 */
NODISCARD enum err text_clean_lines(struct slice in, char *out, size_t cap, size_t *len, int32_t *bad);

/*
 * Return the lines without leading blank lines and trailing white space; empty if nothing else is
 * left. Points into `text`.
 */
struct slice text_trim_lines(struct slice text);

/*
 * As text_clean(), for display: characters that it would refuse are replaced by U+FFFD or
 * removed, and text that is too long is truncated. Returns the length.
 */
size_t text_soften(struct slice in, char *out, size_t cap);
/* The same for text_clean_lines(). */
size_t text_soften_lines(struct slice in, char *out, size_t cap);

/*
 * Return whether a code point is visible: not a control, invisible, private or unassigned
 * character.
 */
bool text_is_shown(int32_t point);

/* Return whether the text has only ASCII letters, digits, - and _, as ids and keys have. */
bool text_is_id(struct slice text);

/*
 * Convert a clean name to the form in which names are compared: NFKC with case folded, so that
 * names that look the same are equal. `out` as for text_clean(). ERR_TOO_LARGE, ERR_NOMEM.
 */
NODISCARD enum err text_fold(struct slice clean, char *out, size_t cap, size_t *len);

/*
 * Return whether a folded name (text_fold()) mixes Latin letters with Cyrillic or Greek ones,
 * many of which look the same. Look-alikes within one script, and in other scripts, are not
 * detected.
 */
bool text_mixes_scripts(struct slice folded);

/* Return the width of clean text in cells; a character of unknown width counts as 1. */
size_t text_cells(struct slice clean);

/* Return how many bytes of clean text fit into `cells` cells, never cutting a grapheme. */
size_t text_fit(struct slice clean, size_t cells);

/*
 * Return the next grapheme cluster of clean text at *at, and advance *at. *cells is its width, 0
 * to 2; for a tab in `column`, 1 to 8, up to the next multiple of eight columns. Empty at the
 * end.
 */
struct slice text_next(struct slice clean, size_t *at, size_t column, size_t *cells);

/* Return whether the grapheme is white space, which is drawn as blanks. */
bool text_is_space(struct slice grapheme);

#endif
