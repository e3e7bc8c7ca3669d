/*
 * oracle.h - sees everything and believes nothing: it judges every frame that
 * leaves the server, and every answer.
 */
#ifndef TESTS_SIM_ORACLE_ORACLE_H
#define TESTS_SIM_ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/rpc.h"
#include "server/core/server.h"
#include "tests/sim/net/op.h"

struct world;
struct conn;
struct view;

void oracle_effect(struct world *w, const struct effect *fx);
void oracle_leaves(struct world *w, struct conn *c, const char *bytes, size_t len);
void oracle_closed(struct world *w, struct conn *c);
void oracle_step(struct world *w);
void oracle_durable(struct world *w, int room, int64_t epoch, int64_t version, const char *what);
struct op *oracle_op(struct world *w, const struct conn *c, uint32_t msgid);

/* rules.c: why a state may follow; answers.c: what an answer promises */
void rules_follow(struct world *w, int room, const struct view *before, const struct view *after);
void rules_granted(struct world *w, const struct op *op, const union method_result *result);
void rules_refused(struct world *w, const struct op *op, const struct fault *f);

/* print.c */
void print_request(struct world *w, const struct conn *c, const struct op *op);
void print_answer(struct world *w, const struct conn *c, const struct op *op, const struct fault *fault,
		  const union method_result *result);
void print_update(struct world *w, const struct conn *c, const struct room_update *u);
void print_you(struct world *w, const struct conn *c, const struct room_you *y);

#endif
