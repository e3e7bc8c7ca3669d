/*
 * club.h - the scene the tests of users and groups begin with: ada, bob, cy and dan are logged in, each with a
 * key; ada has made a group. Below it short forms of the requests.
 */
#ifndef TESTS_UNIT_SERVER_CLUB_H
#define TESTS_UNIT_SERVER_CLUB_H

#include "tests/unit/server/desk.h"

struct club_user {
	struct rig_peer *peer;
	struct pair key;
	struct session session;
};

struct club {
	struct rig r;
	struct club_user ada, bob, cy, dan;
	char group[32], container[32]; /* ada's */
};

/* Somebody with a key of their own, as long as no two names begin with the same letter. */
static inline struct club_user club_user(struct club *d, const char *name)
{
	struct club_user u = {.peer = rig_connect(&d->r, name),
			      .key = make_pair((unsigned char)name[0])};
	u.session = login_signed(u.peer, name, &u.key);
	return u;
}

/* A group of the user, whose ids go to d. */
static inline void found_group(struct club *d, struct club_user *u, const char *params)
{
	const char *made = rig_must(u->peer, "group.create", "%s", params);
	rig_field(made, "group_id", d->group, sizeof(d->group));
	rig_field(made, "container_id", d->container, sizeof(d->container));
}

/* Behind scene_init(). */
static inline int club_begin(struct club *d)
{
	rig_start(&d->r);
	d->ada = club_user(d, "ada");
	d->bob = club_user(d, "bob");
	d->cy = club_user(d, "cy");
	d->dan = club_user(d, "dan");
	found_group(d, &d->ada, "'group_name':'Payments','container_name':'Backlog'");
	return 0;
}

static inline int club_open(void **state)
{
	return club_begin(scene_init(state, sizeof(struct club)));
}

#define CLUB_TEST(name, d)	     TEST_IN(name, struct club, d, club_open, scene_finish)
#define CLUB_HEAP_TEST(name, d, nth) HEAP_TEST_IN(name, struct club, d, nth, club_open, scene_finish)

/* The first of that word in a text is another one. */
static inline void substitute(char *text, size_t size, const char *word, const char *by)
{
	char *at = strstr(text, word);
	if (at != NULL) {
		char rest[200];
		(void)snprintf(rest, sizeof(rest), "%s", at + strlen(word));
		(void)snprintf(at, size - (size_t)(at - text), "%s%s", by, rest);
	}
}

/* A method on ada's group, with more params behind the id, which begin with a comma. */
static inline const char *of_group(struct club *d, struct club_user *u, const char *method,
				   const char *more)
{
	return rig_code(u->peer, method, "'group_id':'%s'%s", d->group, more);
}

/* The same on a user of it. */
static inline const char *of_user(struct club *d, struct club_user *by, const char *method,
				  const struct club_user *whom, const char *more)
{
	return rig_code(by->peer, method, "'group_id':'%s','user_id':'%s'%s", d->group,
			whom->session.user_id, more);
}

static inline const char *group_of(struct club *d, struct club_user *u)
{
	return rig_must(u->peer, "group.get", "'group_id':'%s'", d->group);
}

/* How many items the partition of a kind and id has whose SK begins so. */
static inline size_t stored_of(struct club *d, const char *kind, const char *id,
			       const char *sk_prefix)
{
	char pk[300];
	(void)snprintf(pk, sizeof(pk), "%s:%s", kind, id);
	return rig_stored_in(&d->r, pk, sk_prefix);
}

/* The user is logged in on another connection, in the same session. */
static inline struct rig_peer *resumed(struct club *d, const struct club_user *u)
{
	struct rig_peer *p = rig_guest(&d->r, "again");
	rig_must(p, "session.resume", "'token':'%s'", u->session.token);
	return p;
}

/* ---- invitations ---- */

/* The user's invitation to ada's group, with more params, which begin with a comma. */
static inline void invite_as(struct club *d, struct club_user *u, const char *more, char code[40],
			     char id[32])
{
	const char *made = rig_must(u->peer, "invitation.create", "'group_id':'%s'%s", d->group,
				    more);
	rig_field(made, "code", code, 40);
	rig_field(made, "invitation_id", id, 32);
}

static inline void invite(struct club *d, struct club_user *u, const char *more, char code[40])
{
	char id[32];
	invite_as(d, u, more, code, id);
}

static inline const char *join(struct club_user *u, const char *code)
{
	return rig_code(u->peer, "group.join", "'code':'%s'", code);
}

/* The user is in ada's group. */
static inline void enrol(struct club *d, struct club_user *u)
{
	char code[40];
	invite(d, &d->ada, ",'uses':1", code);
	assert_string_equal(join(u, code), "ok");
}

static inline const char *list_of(struct club *d, struct club_user *u)
{
	return rig_must(u->peer, "invitation.list", "'group_id':'%s'", d->group);
}

static inline const char *of_invitation(struct club *d, struct club_user *u, const char *method,
					const char *id)
{
	return rig_code(u->peer, method, "'group_id':'%s','invitation_id':'%s'", d->group, id);
}

#endif
