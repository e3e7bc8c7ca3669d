/*
 * stats_text.h - the answer of server.stats as text: for people, or for Prometheus.
 *
 * Of the answer those metrics are written that have a row in counters.h, in the
 * order of the rows; what a server of another version lacks is left out.
 */
#ifndef SERVER_CLI_STATS_TEXT_H
#define SERVER_CLI_STATS_TEXT_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

enum stats_format { STATS_TEXT, STATS_PROMETHEUS, STATS_JSON };

/*
 * Append the answer in that format: lines, each with its newline.
 *
 * STATS_PROMETHEUS  the text format 0.0.4,
 *                   https://prometheus.io/docs/instrumenting/exposition_formats/
 * @json  as stats_ask() has it.
 * ERR_PROTO  it is none.  ERR_NOMEM, ERR_TOO_LARGE also stay in the buffer.
 */
NODISCARD enum err stats_write(enum stats_format format, struct slice json, struct buf *out);

#endif
