/*
 * stats_text.h - the answer of server.stats as text: for people, or for Prometheus.
 *
 * Only metrics with a row in counters.h are written, in the order of the rows; those that a
 * server of another version does not send are left out.
 */
#ifndef SERVER_CLI_STATS_TEXT_H
#define SERVER_CLI_STATS_TEXT_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

enum stats_format { STATS_TEXT, STATS_PROMETHEUS, STATS_JSON };

/*
 * Append the answer in that format, as lines.
 *
 * STATS_PROMETHEUS is the text format 0.0.4,
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * @json  from stats_ask().
 *
 * ERR_PROTO  it is not such an answer.
 * ERR_NOMEM, ERR_TOO_LARGE  also kept in the buffer.
 */
NODISCARD enum err stats_write(enum stats_format format, struct slice json, struct buf *out);

#endif
