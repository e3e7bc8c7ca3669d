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

/* Whether it shows a card, or what goes with one. */
bool oracle_shows_votes(const struct room_update *u);

/* What a notification says, by its method. */
union notice_record {
	struct room_update update;
	struct room_you you;
	struct room_notice ended;
	struct kicked_notice kicked;
	struct nudged_notice nudged;
	struct reaction_notice reaction;
	struct expiring_notice expiring;
	struct closing_notice closing;
	struct session_update session;
	struct session_nudged session_nudged;
	struct question_update question_update;
	struct question_notice question_notice;
	struct question_ended question_ended;
	struct group_update group_update;
	struct container_update container_update;
};

/* print.c */
void print_request(struct world *w, const struct conn *c, const struct op *op);
void print_answer(struct world *w, const struct conn *c, const struct op *op, const struct fault *fault,
		  const union method_result *result);
void print_update(struct world *w, const struct conn *c, const struct room_update *u);
void print_you(struct world *w, const struct conn *c, const struct room_you *y);

#endif
