/*
 * notification.c - see notification.h.
 */
#include "client/tui/curses/notification.h"

#include <stddef.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/text/text.h"

/* BEL ends an OSC everywhere; the other end, ESC \, would also end what screen passes on. */
#define OSC "\033]"
#define END "\a"

/*
 * From the surest sign to the least: what the terminal itself sets at the start of the session,
 * then variables that are inherited by whatever is started from within it. The first row that fits
 * counts, so rows without a notice keep a variable that was inherited from meaning anything.
 */
enum notice_fit { FITS_BEGINNING, FITS_WHOLE, FITS_ANY };
static const struct {
	size_t field;
	enum notice_fit fit;
	const char *value;
	enum notification_form form;
} notice_rows[] = {
#define AT(field) offsetof(struct notification_env, field)
	{AT(term), FITS_BEGINNING, "xterm-kitty", NOTIFICATION_OSC_99},
	{AT(term), FITS_BEGINNING, "xterm-ghostty", NOTIFICATION_OSC_777},
	{AT(term), FITS_BEGINNING, "foot", NOTIFICATION_OSC_777},
	{AT(term), FITS_BEGINNING, "wezterm", NOTIFICATION_OSC_777},
	{AT(term), FITS_BEGINNING, "rxvt-unicode", NOTIFICATION_OSC_777},
	{AT(term), FITS_BEGINNING, "alacritty", NOTIFICATION_BELL},
	{AT(term), FITS_BEGINNING, "linux", NOTIFICATION_BELL},
	{AT(term), FITS_BEGINNING, "vt", NOTIFICATION_BELL},
	{AT(term_program), FITS_WHOLE, "iTerm.app", NOTIFICATION_OSC_9},
	{AT(term_program), FITS_WHOLE, "WarpTerminal", NOTIFICATION_OSC_9},
	{AT(term_program), FITS_WHOLE, "WezTerm", NOTIFICATION_OSC_777},
	{AT(term_program), FITS_WHOLE, "ghostty", NOTIFICATION_OSC_777},
	{AT(term_program), FITS_WHOLE, "Apple_Terminal", NOTIFICATION_BELL},
	{AT(term_program), FITS_WHOLE, "vscode", NOTIFICATION_BELL},
	{AT(lc_terminal), FITS_WHOLE, "iTerm2", NOTIFICATION_OSC_9},
	{AT(kitty_window_id), FITS_ANY, NULL, NOTIFICATION_OSC_99},
	{AT(konsole_version), FITS_ANY, NULL, NOTIFICATION_OSC_777},
	{AT(wezterm_pane), FITS_ANY, NULL, NOTIFICATION_OSC_777},
	{AT(ghostty_resources_dir), FITS_ANY, NULL, NOTIFICATION_OSC_777},
	{AT(iterm_session_id), FITS_ANY, NULL, NOTIFICATION_OSC_9},
#undef AT
};
enum { NOTICE_ROWS_N = sizeof(notice_rows) / sizeof(notice_rows[0]) };

static bool notice_is_set(const char *value)
{
	return value != NULL && value[0] != '\0';
}

static bool notice_fits(const char *value, enum notice_fit fit, const char *wanted)
{
	if (!notice_is_set(value)) {
		return false;
	}
	switch (fit) {
	case FITS_BEGINNING:
		return strncmp(value, wanted, strlen(wanted)) == 0;
	case FITS_WHOLE:
		return strcmp(value, wanted) == 0;
	case FITS_ANY:
		return true;
	}
	return false;
}

static enum notification_form notice_form_of(const struct notification_env *env)
{
	for (size_t i = 0; i < NOTICE_ROWS_N; i++) {
		const char *value;
		memcpy(&value, (const char *)env + notice_rows[i].field, sizeof(value));
		if (notice_fits(value, notice_rows[i].fit, notice_rows[i].value)) {
			return notice_rows[i].form;
		}
	}
	return NOTIFICATION_BELL;
}

/*
 * TERM is theirs inside both. TERM=screen alone, as after ssh, may be either: what one of them
 * passes on would be text to the other, so there it is the bell.
 */
struct notification_way notification_way_of(const struct notification_env *env)
{
	struct notification_way way = {.form = notice_form_of(env)};
	bool is_screen = notice_fits(env->term, FITS_BEGINNING, "screen");
	if (notice_is_set(env->tmux) || notice_fits(env->term, FITS_BEGINNING, "tmux")) {
		way.through = NOTIFICATION_TMUX;
	} else if (notice_is_set(env->sty)) {
		way.through = NOTIFICATION_SCREEN;
	} else if (is_screen) {
		way.form = NOTIFICATION_BELL;
	}
	return way;
}

int64_t notification_wait_ms(const struct notification_pace *p, int64_t now_ms)
{
	int64_t wait_ms = 0;
	if (p->calls > 0) {
		int64_t last_ms = p->called_at_ms[(p->calls - 1) % NOTICE_MINUTE_MAX];
		wait_ms = last_ms + NOTICE_GAP_MS - now_ms;
	}
	if (p->calls >= NOTICE_MINUTE_MAX) {
		int64_t first_ms = p->called_at_ms[p->calls % NOTICE_MINUTE_MAX];
		int64_t minute_ms = first_ms + NOTICE_MINUTE_MS - now_ms;
		wait_ms = minute_ms > wait_ms ? minute_ms : wait_ms;
	}
	return wait_ms > 0 ? wait_ms : 0;
}

void notification_count(struct notification_pace *p, int64_t now_ms)
{
	p->called_at_ms[p->calls % NOTICE_MINUTE_MAX] = now_ms;
	p->calls++;
}

static void notice_put_plain(struct buf *out, enum notification_form form, struct slice text)
{
	switch (form) {
	case NOTIFICATION_BELL:
		break;
	case NOTIFICATION_OSC_9:
		/* A number at the beginning would mean something else, as progress. */
		(void)buf_append_slice(out, SLICE(OSC "9;aye: "));
		(void)buf_append_slice(out, text);
		(void)buf_append_slice(out, SLICE(END));
		break;
	case NOTIFICATION_OSC_99:
		/* One id: a new notice takes the place of the one before. */
		(void)buf_append_slice(out, SLICE(OSC "99;i=aye:d=0;aye" END OSC
						      "99;i=aye:d=1:p=body;"));
		(void)buf_append_slice(out, text);
		(void)buf_append_slice(out, SLICE(END));
		break;
	case NOTIFICATION_OSC_777:
		(void)buf_append_slice(out, SLICE(OSC "777;notify;aye;"));
		(void)buf_append_slice(out, text);
		(void)buf_append_slice(out, SLICE(END));
		break;
	}
}

/* tmux wants each ESC twice, and passes on only where its allow-passthrough is on. */
static void notice_put_through(struct buf *out, enum notification_through through,
			       struct slice bytes)
{
	(void)buf_append_slice(out,
			       through == NOTIFICATION_TMUX ? SLICE("\033Ptmux;") : SLICE("\033P"));
	for (size_t i = 0; i < bytes.len; i++) {
		if (through == NOTIFICATION_TMUX && bytes.data[i] == '\033') {
			(void)buf_append(out, "\033", 1);
		}
		(void)buf_append(out, bytes.data + i, 1);
	}
	(void)buf_append_slice(out, SLICE("\033\\"));
}

void notification_put(struct buf *out, struct notification_way way, const char *text)
{
	char soft[NOTICE_TEXT_BYTES_MAX];
	struct buf plain;
	size_t len = text_soften(slice_str(text), soft, sizeof(soft));
	for (size_t i = 0; i < len; i++) {
		soft[i] = soft[i] == ';' ? ',' : soft[i]; /* it parts the fields */
	}
	if (way.form == NOTIFICATION_BELL) {
		return;
	}
	buf_init(&plain, 2 * NOTICE_TEXT_BYTES_MAX);
	notice_put_plain(&plain, way.form, slice_of(soft, len));
	if (memory_check(plain.error) != OK) {
		out->error = plain.error;
	} else if (way.through == NOTIFICATION_DIRECT) {
		(void)buf_append_slice(out, buf_slice(&plain));
	} else {
		notice_put_through(out, way.through, buf_slice(&plain));
	}
	buf_finish(&plain);
}
