/*
 * policy.h - a room's policy: who may do what, and what happens by itself.
 *
 * One row per flag. From the rows follow the records of the wire and of the
 * table (records.h, store/items.h), struct policy with its defaults, what is
 * drawn, printed and typed in a client, and the simulator's copy: there is no
 * second list. A new flag is a row here and the place where it acts.
 * Beside the flags stand the quorum, a number; who_edits_data, which knows three
 * words; and the passcode, of which everybody sees only whether there is one.
 */
#ifndef PROTO_RECORDS_POLICY_H
#define PROTO_RECORDS_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/words.h"

/*
 * Rows:  X(F, field, member, is_default, help, label, on, off)
 *   F           passed through to X; a record's rows need one
 *   field       name on the wire, in the policy of room.set_policy
 *   member      of struct policy, and name in the ROOM item
 *   is_default  what a group's rules begin with, and what a stored policy that lacks it means; a new room's too, but
 *               for auto_reveal, which is off in a room of no group until it is asked for
 *   help        in the reference of room.set_policy
 *   label       on the page of rules
 *   on, off     what a client says when it becomes true, and false
 */

/* On the wire "host" (false) or "everyone" (true). */
#define POLICY_WHO(X, F)                                                                           \
	X(F, who_reveals, everyone_reveals, false,                                                 \
	  "Who may reveal, hide, cancel, arm; default host",                                 \
	  "Who reveals",                                                                           \
	  "Everyone can reveal now.", "Only hosts can reveal now.")                                \
	X(F, who_resets, everyone_resets, false,                                                   \
	  "Who may reset, again, undo, settle; default host",                                \
	  "Who starts rounds",                                                                     \
	  "Everyone can start rounds now.", "Only hosts can start rounds now.")                    \
	X(F, who_edits_stories, everyone_edits_stories, true,                                      \
	  "Default everyone",                                                            \
	  "Who edits stories",                                                                     \
	  "Everyone can edit the stories now.", "Only hosts can edit the stories now.")

/* On the wire a boolean. */
#define POLICY_SWITCHES(X, F)                                                                      \
	X(F, auto_reveal, auto_reveal, true,                                                       \
	  "Reveal automatically, 3 s after every connected voter has voted, or once the quorum has; default false in a room created by room.create, true in a group's defaults", \
	  "Reveal when all voted",                                                                 \
	  "The cards are revealed automatically once everyone has voted.",                         \
	  "The cards stay hidden until someone reveals them.")                                     \
	X(F, vote_after_reveal, vote_after_reveal, false,                                          \
	  "Votes may change after the reveal, and are marked then; not anonymous ones",            \
	  "Vote after the reveal",                                                                 \
	  "Votes can be changed after the reveal now.", "Votes cannot be changed after the reveal now.") \
	X(F, anonymous, anonymous, false,                                                          \
	  "Results show no names, and are fixed at the reveal",                                    \
	  "Results without names",                                                                 \
	  "Results show no names now.", "Results show names now.")                                 \
	X(F, confidence, confidence, false,                                                        \
	  "Votes may carry a confidence",                                                          \
	  "Ask for confidence",                                                                    \
	  "Votes can have a confidence now.", "Votes do not have a confidence now.")               \
	X(F, bots_count, bots_count, false,                                                        \
	  "Bots count for results and towards everyone having voted",                              \
	  "Bots count",                                                                            \
	  "Bots count now.", "Bots do not count now.")                                             \
	X(F, hide_who_voted, hide_who_voted, false,                                                \
	  "Until the reveal others see how many have voted, not who",                              \
	  "Hide who has voted",                                                                    \
	  "Only the number of votes is shown now.",                                                \
	  "Members who have voted are shown now.")                                                 \
	X(F, keep_votes, keep_votes, false,                                                        \
	  "Members without a connection keep their vote, their seat and their host role; then only a quorum or a timer reveals automatically", \
	  "Keep votes of absent members",                                                          \
	  "Votes are now kept until the round ends, even of members who leave.",                   \
	  "The vote of a member who leaves is now retracted after a minute.")                      \
	X(F, lobby, lobby, false,                                                                  \
	  "Newcomers wait until a host admits them",                                               \
	  "Newcomers wait in a lobby",                                                             \
	  "Newcomers now wait in the lobby.", "Newcomers do not wait in a lobby now.")             \
	X(F, locked, locked, false,                                                                \
	  "No new seats",                                                                          \
	  "Locked",                                                                                \
	  "The room is locked.", "The room is open again.")

#define POLICY_FLAGS(X, F) POLICY_WHO(X, F) POLICY_SWITCHES(X, F)

struct policy {
	enum data_editors data_editors;
	int64_t quorum; /* so many votes that count are enough for the reveal; 0: those of everybody */
#define POLICY_MEMBER(F, field, member, ...) bool member;
	POLICY_FLAGS(POLICY_MEMBER, _)
#undef POLICY_MEMBER
	bool has_passcode;
};

/* records.h */
struct policy_change;
struct policy_view;

/* is_default of each. */
void policy_defaults(struct policy *out);
void policy_to_view(const struct policy *p, struct policy_view *out);
void policy_from_view(const struct policy_view *v, struct policy *out);
/* Take the fields that are given; of the passcode only has_passcode. */
void policy_apply(const struct policy_change *change, struct policy *p);

#endif
