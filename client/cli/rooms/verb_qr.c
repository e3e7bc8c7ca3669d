/*
 * verb_qr.c - aye qr: the link that opens a room in a browser, as a QR code in the terminal.
 */
#include <stdlib.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/model/memory.h"
#include "client/tui/widgets/qr.h"
#include "proto/link.h"

#define QR_ROW_BYTES_MAX 4096

/* What a terminal is told before and behind a row of the code, which is dark on light. */
struct qr_look {
	const char *begin, *end;
};

/* Who wants no colours has the terminal's own two, reversed. A file and a pipe have ink on paper. */
static struct qr_look verb_qr_look(void)
{
	const char *no_color = getenv("NO_COLOR");
	if (!print_is_for_a_person()) {
		return (struct qr_look){"", ""};
	}
	bool is_plain = no_color != NULL && no_color[0] != '\0';
	return (struct qr_look){is_plain ? "\033[7m" : "\033[30;107m", "\033[0m"};
}

static bool verb_qr_print_rows(const struct grid *g)
{
	struct qr_look look = verb_qr_look();
	bool is_told = true;
	for (int y = 0; y < g->height && is_told; y++) {
		struct buf row;
		buf_init(&row, QR_ROW_BYTES_MAX);
		for (int x = 0; x < g->width; x++) {
			const struct cell *c = &g->cells[y * g->stride + x];
			(void)buf_append(&row, c->text, c->len);
		}
		(void)memory_check(row.error);
		is_told = print_line("%s%.*s%s", look.begin, (int)row.len, row.data, look.end);
		buf_finish(&row);
	}
	return is_told;
}

/* The code, as far as the terminal is wide enough, and the link. */
static int verb_qr_print(const char *link)
{
	struct qr code;
	struct grid g = {0};
	bool ascii = config_terminal_is_ascii();
	size_t columns = print_columns();
	if (qr_init(&code, link) != OK) {
		return print_failure(ERR_TOO_LARGE, NULL);
	}
	int width = qr_width(&code, ascii);
	bool fits = columns == 0 || (size_t)width <= columns;
	if (!fits) {
		print_problem("the QR code needs a terminal of %d columns", width);
	}
	grid_resize(&g, width, qr_height(&code, ascii));
	qr_draw(&code, &g, 0, 0, ascii);
	bool is_told = (!fits || verb_qr_print_rows(&g)) && print_line("%s", link);
	grid_finish(&g);
	qr_finish(&code);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* Of a room that there is: a code that leads nowhere is scanned in vain. */
int verb_qr(struct cli *c)
{
	struct visit v;
	struct room_update room;
	char link[LINK_OF_PAGE_BYTES_MAX + 1];
	int code = visit_open(c, &v);
	if (code == EXIT_DONE) {
		code = room_command_get(&v, &room);
	}
	if (code == EXIT_DONE && link_of_page(slice_str(room_client_web(v.client)),
					      slice_str(v.room_id), link, sizeof(link)) == 0) {
		print_problem("this server has no page for browsers: %s",
			      v.place.is_own ? "run aye serve --web" : "see https:// in ayed(8)");
		code = EXIT_REFUSED;
	}
	if (code == EXIT_DONE) {
		code = c->is_json ? print_record_linked(&record_nothing, NULL, link)
				  : verb_qr_print(link);
	}
	visit_close(&v);
	return code;
}
