/*
 * record_text.h - a text as its row has it: cleaned where it is refused otherwise, softened where it is read for show.
 */
#ifndef PROTO_RECORDS_RECORD_TEXT_H
#define PROTO_RECORDS_RECORD_TEXT_H

#include "proto/records/record.h"

/* Whether a line is what text_soften() makes of it, seen without its help: most of them are. */
bool record_text_is_soft(struct slice text);

/*
 * What draws badly is softened, and what is more than the row allows is cut. A softened byte may
 * grow to three, the length of U+FFFD, which also stands for a line that had nothing to show and
 * may not be empty. In the arena where that changed it.
 * ERR_NOMEM
 */
NODISCARD enum err record_soften_text(const struct field *f, struct arena *arena, struct slice *text);

/*
 * Text as its TEXT row has it: clean, in the arena where that changed it, and within
 * bytes and cells. record_set_text() takes it as it is.
 * ERR_INVALID  *fault says what is wrong, and names the row; whoever knows its whole path names that.
 * ERR_NOMEM
 */
NODISCARD enum err record_clean_text(const struct field *f, struct arena *arena, struct slice *text,
				     struct fault *fault);

#endif
