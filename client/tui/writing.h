/*
 * writing.h - a text of several lines being written: the shared notes, or the
 * description of a story.
 *
 * It follows the changes of others until something is changed here; from then on
 * nothing typed is lost: what others have saved is merged with it before it is
 * saved. Saving ends with tui_take_saved().
 *
 *   as saved --key--> changed --^S--> pending ----done--> as saved
 *       ^                ^ |              |
 *       |  others saved  | | ^S: others   | refused
 *       +---- (shown)    | | saved too    |
 *                        +-+--(merged)<---+
 */
#ifndef CLIENT_TUI_WRITING_H
#define CLIENT_TUI_WRITING_H

#include "client/tui/actions/action_table.h"
#include "client/tui/widgets/text_editor.h"

enum writing_what { WRITING_NOTES, WRITING_DESCRIPTION };

struct writing {
	enum writing_what what;
	char key[65];	/* story_id, or SHARED_NOTES_QUICK */
	struct text_editor *sheet;
	char base[SHEET_BYTES_MAX + 1]; /* the server's text that the sheet is based on */
	int64_t revision;		/* of base; 0: there is none yet */
	char sent[SHEET_BYTES_MAX + 1]; /* while it is being saved */
	bool is_saving;
	bool is_acked; /* it was saved, but the replica does not show it yet */
	bool leaves; /* go back once it is saved */
	bool has_typed;
};

struct tui;

/* Open the text in VIEW_WRITING; if that is not possible, reply why. */
void writing_open(struct tui *t, const struct replica *room, enum writing_what what, const char *key);
/* Take the changes of others, if nothing was changed here; call it before keys and drawing. */
void writing_follow(struct tui *t, const struct replica *room);
struct act writing_save(struct tui *t, const struct replica *room);
/* Go back to where it was opened; asks for a confirmation if something is not saved. */
void writing_leave(struct tui *t);
/* Go back at once, discarding the changes. */
void writing_drop(struct tui *t);

bool writing_is_changed(const struct writing *w);
/* Whether it is open, with unsaved changes. */
bool writing_is_unsaved(const struct tui *t);

/* The id of the story in focus here, or SHARED_NOTES_QUICK. Valid until the next update. */
const char *writing_key_here(const struct tui *t, const struct replica *room);
/* Add a line to its notes without opening them. */
struct act writing_add_line(struct tui *t, const struct replica *room, enum action a, const char *line);

/* Whether others have saved a text that is not in here. */
bool writing_has_news(const struct writing *w, const struct replica *room);

#endif
