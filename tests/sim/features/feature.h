/*
 * feature.h - what people do, and why that may change something: one file each.
 *
 * A feature is a table of functions and rows, all of them optional, and one row
 * in features.c. Whatever it needs to know beyond its own file (a request on its
 * way, what is durable, the states a room was in) the other parts keep for it.
 *
 * Judging works backwards. A request is noted when it is delivered; when its
 * answer leaves, the states of its room in between say whether the answer is
 * right. A difference between two states needs an open request that asked for
 * it and was allowed to, or something that ended by itself.
 */
#ifndef TESTS_SIM_FEATURES_FEATURE_H
#define TESTS_SIM_FEATURES_FEATURE_H

#include "tests/sim/oracle/answers.h"
#include "tests/sim/oracle/rules.h"
#include "tests/sim/world/acts.h"
#include "tests/sim/world/world.h"

/* A method: what its answers are judged by. */
struct request {
	enum method method;
	/* A granted answer names the version that shows the change, and that is durable by then. */
	bool names_version;
	/* What that version lacks; NULL: nothing. */
	const char *(*lacks)(const struct op *op, const union method_result *result, const struct view *v);
	/* Where the policy gives it to everybody; NULL: never, hosts may. */
	bool (*everyones)(const struct policy *p);
	/* Whether it leads to a reveal, which must be everybody's then as well; NULL: it does not. */
	bool (*reveals)(const struct op *op);
	/* FORBIDDEN is right where some state while the call was with the server was so; NULL: where one
	 * of them does not have its sender as host. */
	state_test *forbidden;
	bool takes_no_key; /* the host_key does not make it allowed */
	/* The same of these; NULL: never. */
	state_test *conflict, *not_found, *invalid;
	/* Judges any refusal, in place of all the rest. */
	void (*refused)(struct world *w, struct conn *c, const struct op *op, const struct fault *f);
};

struct feature {
	const char *name;

	/* acts: in a room that the connection follows, and of a connection that follows none */
	const struct act *acts;
	size_t acts_n;
	const struct act *desk_acts;
	size_t desk_acts_n;
	bool is_in_clusters; /* the second are in worlds with several servers, too */

	const struct request *requests;
	size_t requests_n;

	/* answers: a request of any kind has been delivered; the answer to one leaves, one that grants it leaves, and has come to who asked */
	void (*delivered)(struct world *w, struct conn *c, struct op *op);
	void (*answered)(struct world *w, const struct op *op);
	void (*granted)(struct world *w, struct conn *c, const struct op *op, const union method_result *result);
	void (*heard)(struct world *w, struct conn *c, const struct op *op, const union method_result *result);
	/* Whether a refusal in a room is right for a reason that no state of the room tells. */
	bool (*excuses)(struct world *w, const struct op *op, enum fault_code code);
	/* Or wrong, whatever they tell. */
	bool (*refutes)(struct world *w, const struct op *op, enum fault_code code);
	/* A notification leaves, other than room.update and room.you; an update of a room leaves. */
	void (*notice)(struct world *w, struct conn *c, enum notice notice, const union notice_record *rec);
	/* The command for notices is to run. */
	void (*command)(struct world *w, struct slice input);
	void (*update)(struct world *w, struct conn *c, int room, const struct room_update *u);

	/* rules: why a state of a room may follow another; with the version as it was, only what is live has changed */
	void (*follow)(const struct change *ch);
	void (*follow_live)(const struct change *ch);

	/* disk: a commit is asked for, has failed, is about to be noted as durable, and has been */
	void (*commit_asked)(struct world *w, const struct sim_commit *c);
	void (*commit_failed)(struct world *w, const struct sim_commit *c);
	void (*commit_before)(struct world *w, const struct sim_commit *c);
	void (*commit_after)(struct world *w, const struct sim_commit *c);
	/* What holds of the table at all times; what was found of a room after a crash; a server has started. */
	void (*table)(struct world *w);
	void (*found)(struct world *w, const char *room_id, const struct table *found);
	void (*restarted)(struct world *w);

	/* settle: all is quiet, of a room in memory and of the rest; somebody comes back after a crash or a night; after that */
	void (*settled_room)(struct world *w, int room);
	void (*settled)(struct world *w);
	void (*comes_back)(struct world *w, struct conn *c);
	void (*morning)(struct world *w);
	void (*finish)(struct world *w);

	/* trace: what a request says, beyond its card, text or target; NULL: nothing */
	const char *(*says)(const struct op *op);
};

extern const struct feature *const features[];
extern const size_t features_n;

/* owner.c: whether the user is barred, or may have been when the call came; whether what is missing of a question may
 * have been taken off the board. */
bool user_may_be_barred(const struct world *w, const char *user_id, const struct op *op);
bool owner_may_have_removed(const struct world *w, const char *question_id);

/* The row of the method; NULL: no feature has it. */
const struct request *feature_request(enum method method);

/* Every feature that has it is asked, in the order of the table. */
#define FEATURES_DO(what, ...)                                \
	do {                                                  \
		for (size_t f_ = 0; f_ < features_n; f_++) {  \
			if (features[f_]->what != NULL) {     \
				features[f_]->what(__VA_ARGS__); \
			}                                     \
		}                                             \
	} while (false)

/* A table of the feature and how many rows it has. */
#define FEATURE_ROWS(field, rows) .field = (rows), .field##_n = sizeof(rows) / sizeof((rows)[0])

#endif
