/*
 * policy.h - a room's policy: who may do what, and what is automatic.
 *
 * One row per flag. The rows define the records of the protocol and of the table (records.h,
 * store/items.h), struct policy with its defaults, what a client shows, prints and accepts, and
 * the simulator's copy: there is no second list. A new flag is a row here and the code where it
 * takes effect.
 *
 * Besides the flags, the policy has the quorum, a number; who_edits_data, one of three words; and
 * the passcode, of which others see only whether there is one.
 */
#ifndef PROTO_RECORDS_POLICY_H
#define PROTO_RECORDS_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/words.h"

/*
 * Rows:  X(F, field, member, is_default, help, label, on, off)
 *   F           passed through to X; the rows of a record need one
 *   field       name in the policy of room.set_policy
 *   member      name in struct policy, and in the ROOM item
 *   is_default  the default in the rules of a group, and of a stored policy without the member;
 *               also of a new room, except that auto_reveal is off in a room without a group until
 *               it is requested
 *   help        text in the reference of room.set_policy
 *   label       text on the page of rules
 *   on, off     what a client says when the flag becomes true, and false
 */

/* Sent as "host" (false) or "everyone" (true). */
#define POLICY_WHO(X, F)                                                                           \
	X(F, who_reveals, everyone_reveals, false,                                                 \
	  "Who may reveal, hide, cancel, arm, and set the deadline of a story; default host",                                 \
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

/* Sent as a boolean. */
#define POLICY_SWITCHES(X, F)                                                                      \
	X(F, auto_reveal, auto_reveal, true,                                                       \
	  "Reveal automatically, 3 s after every connected voter has voted, or once the quorum has; default false in a room created by room.create, true in a group's defaults", \
	  "Reveal when all voted",                                                                 \
	  "The cards are revealed automatically once everyone has voted.",                         \
	  "The cards stay hidden until someone reveals them.")                                     \
	X(F, vote_after_reveal, vote_after_reveal, false,                                          \
	  "Votes on the story at the table may change after the reveal, and are marked then; not anonymous ones",            \
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
	X(F, open_stories, open_stories, false,                                                    \
	  "Every story to do can be voted on at any time (room.vote with story_id), and each is revealed on its own: by the quorum with auto_reveal, by a timer that reveals, or by hand. Votes are kept as with keep_votes", \
	  "Stories open together",                                                                 \
	  "You can now vote on all stories to do.",                                             \
	  "Stories are voted on one at a time now.")                                               \
	X(F, lobby, lobby, false,                                                                  \
	  "Newcomers wait until a host admits them",                                               \
	  "Newcomers wait in a lobby",                                                             \
	  "Newcomers now wait in the lobby.", "Newcomers do not wait in a lobby now.")             \
	X(F, locked, locked, false,                                                                \
	  "No new seats",                                                                          \
	  "Locked",                                                                                \
	  "The room is locked.", "The room is open again.")

#define POLICY_FLAGS(X, F) POLICY_WHO(X, F) POLICY_SWITCHES(X, F)

/*
 * What a client says of the others:
 *   POLICY_EDITORS   X(symbol, word of who_edits_data, when it becomes this word)
 *   POLICY_PASSCODE  X(when there is a passcode, when there is none now)
 */
#define POLICY_EDITORS(X)                                                                          \
	X(MEMBERS, members, "All who have joined can edit notes and other shared data now.")       \
	X(EVERYONE, everyone, "Everyone can edit notes and other shared data now.")                \
	X(HOST, host, "Only hosts can edit notes and other shared data now.")
#define POLICY_PASSCODE(X)                                                                         \
	X("New members need a passcode now.", "New members do not need a passcode now.")

struct policy {
	enum data_editors data_editors;
	/* so many counted votes are enough for the reveal; 0: the votes of all voters */
	int64_t quorum;
#define POLICY_MEMBER(F, field, member, ...) bool member;
	POLICY_FLAGS(POLICY_MEMBER, _)
#undef POLICY_MEMBER
	bool has_passcode;
};

/* records.h */
struct policy_change;
struct policy_view;

/* Set each flag to its is_default. */
void policy_defaults(struct policy *out);
void policy_to_view(const struct policy *p, struct policy_view *out);
void policy_from_view(const struct policy_view *v, struct policy *out);
/* Apply the fields that are present; of the passcode only has_passcode is set. */
void policy_apply(const struct policy_change *change, struct policy *p);

#endif
