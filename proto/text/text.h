/*
 * text.h - text of people, made safe to store and to draw.
 *
 * Names, titles and cards come from strangers and end on everybody's terminal.
 * They are cleaned once at the server's edge, and again wherever they are drawn.
 * Lines (prompts, answers, notes, descriptions) may be code, a diff, a nested list, in any script: they stay as they
 * were sent but for what would harm a terminal.
 * Widths are in terminal cells after Unicode; terminals disagree about some
 * characters, so nothing may depend on a width for its safety.
 */
#ifndef PROTO_TEXT_TEXT_H
#define PROTO_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/*
 * Write the clean form of `in` to out (cap bytes, not NUL-terminated): NFC,
 * runs of white space one space, ends trimmed. Idempotent.
 *
 * ERR_INVALID    not UTF-8, or holds a control, surrogate, private, unassigned or line-separator character, a
 *                bidi control, a zero-width or blank look-alike character, a tag, or more than two combining
 *                marks on one base, or one on none; *bad is the code point, -1 where the bytes are none. A zero-width
 *                joiner is allowed where it makes one emoji of two.
 * ERR_TOO_LARGE  does not fit cap bytes, or those of the longest text there is (an answer) before NFC.
 */
NODISCARD enum err text_clean(struct slice in, char *out, size_t cap, size_t *len, int32_t *bad);

/*
 * The same for lines: NFC, ends of lines are newlines, soft hyphens and byte order marks are left out. All else stays:
 * blanks of any kind, tabs, marks of direction (U+061C, U+200E, U+200F), up to four combining marks on a base, and
 * joiners behind a letter of a script that joins its letters.
 */
NODISCARD enum err text_clean_lines(struct slice in, char *out, size_t cap, size_t *len, int32_t *bad);

/* Lines without the blank ones in front and the white space at the end; empty where there is nothing else. A view. */
struct slice text_trim_lines(struct slice text);

/* As text_clean(), but what it would refuse becomes U+FFFD or nothing, and what does not fit cap bytes, or those of an answer before NFC, is cut: for drawing. Returns the length. */
size_t text_soften(struct slice in, char *out, size_t cap);
/* The same, as text_clean_lines(). */
size_t text_soften_lines(struct slice in, char *out, size_t cap);

/* Whether a code point draws something of its own: no control, no invisible, private or unassigned character. */
bool text_is_shown(int32_t point);

/* Whether it has only letters of ASCII, digits, - and _, as ids and keys have. */
bool text_is_id(struct slice text);

/*
 * The form in which names are compared: NFKC with case folded, so that what
 * looks the same is the same. In clean text; out as text_clean().
 * ERR_TOO_LARGE, ERR_NOMEM.
 */
NODISCARD enum err text_fold(struct slice clean, char *out, size_t cap, size_t *len);

/*
 * Whether a folded name (text_fold()) has Latin letters and Cyrillic or Greek
 * ones, of which many look the same. Look-alikes within one script, and those
 * of other scripts, are not looked for.
 */
bool text_mixes_scripts(struct slice folded);

/* Width in cells of clean text; a character of unknown width counts 1. */
size_t text_cells(struct slice clean);

/* How many bytes of clean text fit `cells` cells, never cutting a grapheme. */
size_t text_fit(struct slice clean, size_t cells);

/*
 * The next grapheme cluster of clean text at *at: its bytes; *cells is its width, 0 to 2, and of a tab up to the next
 * multiple of eight columns, 1 to 8, when it stands in `column`. Empty at the end.
 */
struct slice text_next(struct slice clean, size_t *at, size_t column, size_t *cells);

/* Whether that grapheme is white space, which is drawn as blanks. */
bool text_is_space(struct slice grapheme);

#endif
