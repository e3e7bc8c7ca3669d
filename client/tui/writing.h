/*
 * writing.h - a text of several lines that is being written: the notes that
 * all share, or what a story says of itself.
 *
 * It follows what others write as long as nothing was changed here; from then
 * on nothing typed is lost: what others saved meanwhile is brought together
 * with it before it goes out. Saving ends with tui_take_saved().
 *
 *   as saved --key--> changed --^S--> on its way --done--> as saved
 *       ^                ^ |              |
 *       |  others saved  | | ^S: others   | refused
 *       +---- (shown)    | | saved too    |
 *                        +-+--(merged)<---+
 */
#ifndef CLIENT_TUI_WRITING_H
#define CLIENT_TUI_WRITING_H

#include "client/tui/action_table.h"
#include "client/tui/widgets/text_editor.h"

enum writing_what { WRITING_NOTES, WRITING_DESCRIPTION };

struct writing {
	enum writing_what what;
	char key[65];	/* story_id, or SHARED_NOTES_QUICK */
	struct text_editor *sheet;
	char base[SHEET_BYTES_MAX + 1]; /* what the server has, as far as the sheet knows */
	int64_t revision;		/* of that; 0: there is nothing yet */
	char sent[SHEET_BYTES_MAX + 1]; /* while it is being saved */
	bool is_saving;
	bool is_acked; /* it was saved; the room has yet to say so */
	bool leaves; /* once it is saved */
	bool has_typed;
};

struct tui;

/* Begin, in VIEW_WRITING; a reason is told where it cannot be. */
void writing_open(struct tui *t, const struct replica *room, enum writing_what what, const char *key);
/* Take what others wrote, if nothing was changed here; before keys and drawing. */
void writing_follow(struct tui *t, const struct replica *room);
struct act writing_save(struct tui *t, const struct replica *room);
/* Back to where it was opened, after a question where something is not saved. */
void writing_leave(struct tui *t);
/* The same at once: the answer was no. */
void writing_drop(struct tui *t);

bool writing_is_changed(const struct writing *w);
/* It is open, and something in it is not saved. */
bool writing_is_unsaved(const struct tui *t);

/* The story that is meant here, by its id, or SHARED_NOTES_QUICK. Valid until the next update. */
const char *writing_key_here(const struct tui *t, const struct replica *room);
/* A line more in its notes, without opening them. */
struct act writing_add_line(struct tui *t, const struct replica *room, enum action a, const char *line);

/* Others saved something that is not in here. */
bool writing_has_news(const struct writing *w, const struct replica *room);

#endif
