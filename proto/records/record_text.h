/*
 * record_text.h - clean or soften a text as its row demands: cleaning refuses what it cannot fix,
 * softening, for display, never refuses.
 */
#ifndef PROTO_RECORDS_RECORD_TEXT_H
#define PROTO_RECORDS_RECORD_TEXT_H

#include "proto/records/record.h"

/*
 * Return whether text_soften() would leave a line unchanged, by a quick check that is true for
 * most lines.
 */
bool record_text_is_soft(struct slice text);

/*
 * Soften a text (text.h) and truncate it to the limits of its row. A softened byte may become
 * three, the length of U+FFFD, which also replaces a line that has nothing to show and must not
 * be empty. A changed text is in the arena. ERR_NOMEM.
 */
NODISCARD enum err record_soften_text(const struct field *f, struct arena *arena, struct slice *text);

/*
 * Clean a text as its TEXT row demands, within its bytes and cells. A changed text is in the
 * arena. record_set_text() accepts the result as it is.
 *
 * ERR_INVALID  *fault says what is wrong and names the row; a caller that knows the full path
 *              sets that.
 * ERR_NOMEM    memory is out.
 */
NODISCARD enum err record_clean_text(const struct field *f, struct arena *arena, struct slice *text,
				     struct fault *fault);

#endif
