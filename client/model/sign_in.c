/*
 * sign_in.c - resume, else log in again, else be a stranger; see sign_in.h.
 */
#include "client/model/sign_in.h"

#include <string.h>

#include "client/model/memory.h"
#include "proto/base/arena.h"
#include "proto/base/format.h"
#include "proto/rpc.h"
#include "proto/text/text.h"

/* The number after a name: nine of one name are no coincidence. */
enum { SIGN_IN_NUMBER_MIN = 2, SIGN_IN_NUMBER_MAX = 9, SIGN_IN_NUMBER_BYTES = 2 };

static bool sign_in_sign_nothing(void *owner, struct slice text, char public_key[KEY_CHARS + 1],
				 char signature[SIGNATURE_CHARS + 1])
{
	(void)owner, (void)text, (void)public_key, (void)signature;
	return false;
}

static void sign_in_keep_nothing(void *owner, const struct sign_in *s)
{
	(void)owner, (void)s;
}

const struct sign_in_handler sign_in_nobody = {.sign = sign_in_sign_nothing,
					       .keep = sign_in_keep_nothing};

/* The length of a name without its number. *number is that, or 1 where it has none. */
static size_t sign_in_unnumbered(const char *name, int *number)
{
	size_t len = strlen(name);
	bool has_number = len > SIGN_IN_NUMBER_BYTES && name[len - 2] == ' ' &&
			  name[len - 1] >= '0' + SIGN_IN_NUMBER_MIN &&
			  name[len - 1] <= '0' + SIGN_IN_NUMBER_MAX;
	*number = has_number ? name[len - 1] - '0' : 1;
	return has_number ? len - SIGN_IN_NUMBER_BYTES : len;
}

bool sign_in_is_named(const struct sign_in *s, const char *name)
{
	char clean[MAX_NAME_BYTES + 1]; /* as the server has it */
	size_t clean_len = 0;
	int32_t bad = 0;
	int number;
	size_t len = sign_in_unnumbered(s->user_name, &number);
	if (strcmp(s->user_name, name) == 0) {
		return true;
	}
	if (text_clean(slice_str(name), clean, MAX_NAME_BYTES, &clean_len, &bad) != OK) {
		return false;
	}
	struct slice wanted = slice_of(clean, clean_len);
	return slice_eq(wanted, slice_str(s->user_name)) ||
	       (s->is_numbered && slice_eq(wanted, slice_of(s->user_name, len)));
}

/* Take the next number, and cut the name to fit before it. False after the last. */
static bool sign_in_number(struct sign_in *s)
{
	int number;
	size_t len = sign_in_unnumbered(s->user_name, &number);
	if (!s->is_numbered || number == SIGN_IN_NUMBER_MAX) {
		return false;
	}
	len = text_fit(slice_of(s->user_name, len), MAX_NAME_CELLS - SIGN_IN_NUMBER_BYTES);
	while (len > MAX_NAME_BYTES - SIGN_IN_NUMBER_BYTES) {
		len = text_fit(slice_of(s->user_name, len - 1), MAX_NAME_CELLS);
	}
	format_to(s->user_name + len, sizeof(s->user_name) - len, " %d", number + 1);
	return true;
}

void sign_in_begin(struct sign_in *s)
{
	s->is_done = false;
	s->is_signed_in = false;
	s->has_tried_twice = false;
	s->fault = (struct fault){0};
}

static bool sign_in_logs_in(const struct sign_in *s)
{
	return s->user_name[0] != '\0' && (!s->is_guest || s->is_wanted);
}

bool sign_in_needs_nonce(const struct sign_in *s)
{
	return !s->is_done && s->token[0] == '\0' && !s->is_guest && s->fingerprint[0] == '\0' &&
	       sign_in_logs_in(s);
}

static enum method sign_in_resume(const struct sign_in *s, struct buf *params)
{
	struct resume_params p = {.token = slice_str(s->token)};
	record_write(&record_resume_params, &p, params);
	return METHOD_SESSION_RESUME;
}

/* Whatever server asks, the key signs nothing but a login under this name. */
static bool sign_in_sign(struct sign_in *s, struct slice nonce, char public_key[KEY_CHARS + 1],
			 char signature[SIGNATURE_CHARS + 1])
{
	char text[LOGIN_TEXT_BYTES_MAX];
	if (!nonce_is_formed(nonce)) {
		fault_set(&s->fault, FAULT_SERVER_ERROR,
			  "the server's nonce is not 43 base64url characters; it was not signed");
		return false;
	}
	size_t len = login_text(slice_str(s->user_name), nonce, text);
	return s->on->sign(s->owner, slice_of(text, len), public_key, signature);
}

const char *sign_in_team(const struct sign_in *s, char out[SIGN_IN_TEAM_BYTES])
{
	char clean[MAX_NAME_BYTES];
	size_t len = 0;
	int32_t bad = 0;
	out[0] = '\0';
	if (text_clean(slice_str(s->user_name), clean, sizeof(clean), &len, &bad) == OK &&
	    len > 0) {
		(void)format_to(out, SIGN_IN_TEAM_BYTES, "%.*s's team", (int)len, clean);
	}
	return out;
}

static enum method sign_in_login(struct sign_in *s, struct slice nonce, struct buf *params)
{
	char public_key[KEY_CHARS + 1] = "";
	char signature[SIGNATURE_CHARS + 1] = "";
	if (!s->is_guest && !sign_in_sign(s, nonce, public_key, signature)) {
		s->is_done = true;
		return METHOD_COUNT;
	}
	char team[SIGN_IN_TEAM_BYTES];
	bool wants_team = s->wants_team && !s->is_guest;
	struct login_params p = {
		.user_name = slice_str(s->user_name),
		.group_name = wants_team ? slice_str(sign_in_team(s, team)) : (struct slice){0},
		.public_key = slice_str(public_key),
		.signature = slice_str(signature),
	};
	record_write(&record_login_params, &p, params);
	return METHOD_SESSION_LOGIN;
}

static enum method sign_in_assert(const struct sign_in *s, struct buf *params)
{
	struct assert_params p = {.fingerprint = slice_str(s->fingerprint),
				  .user_name = slice_str(s->user_name)};
	record_write(&record_assert_params, &p, params);
	return METHOD_SESSION_ASSERT;
}

enum method sign_in_next(struct sign_in *s, struct slice nonce, struct buf *params)
{
	if (s->is_done) {
		return METHOD_COUNT;
	}
	if (s->fingerprint[0] != '\0') {
		return sign_in_assert(s, params);
	}
	if (s->token[0] != '\0') {
		return sign_in_resume(s, params);
	}
	if (!sign_in_logs_in(s)) {
		s->is_done = true;
		return METHOD_COUNT;
	}
	return sign_in_login(s, nonce, params);
}

/* A token that is not valid never will be; after that the key is tried. Any other no is the last
 * word on this connection. */
static void sign_in_refused(struct sign_in *s, enum method method,
			    const struct msgpack_object *refusal)
{
	rpc_read_fault(refusal, NULL, &s->fault);
	if (method == METHOD_SESSION_RESUME && s->fault.code == FAULT_UNAUTHENTICATED) {
		memset(s->token, 0, sizeof(s->token));
		s->on->keep(s->owner, s);
		return;
	}
	/* The session in the way may be our own that was just being prolonged: the key gets the
	 * name all the same. */
	bool is_taken = method == METHOD_SESSION_LOGIN && s->fault.code == FAULT_NAME_TAKEN;
	bool may_be_ours = is_taken && !s->is_guest && !s->has_tried_twice;
	s->has_tried_twice = true;
	s->is_done = !may_be_ours && !(is_taken && sign_in_number(s));
}

static void sign_in_take(struct sign_in *s, struct slice user_id, struct slice user_name,
			 int64_t expires_at)
{
	s->is_done = true;
	s->is_signed_in = true;
	s->expires_at = expires_at;
	format_to(s->user_id, sizeof(s->user_id), "%.*s", (int)user_id.len, user_id.data);
	format_to(s->user_name, sizeof(s->user_name), "%.*s", (int)user_name.len, user_name.data);
}

/* False: the answer is none. */
static bool sign_in_read(struct sign_in *s, enum method method, const struct msgpack_object *result,
			 struct arena *arena)
{
	union {
		struct session_result resume;
		struct login_result login;
	} r;
	struct fault ignored;
	if (result == NULL ||
	    memory_check(record_from_object(method_rows[method].result, result, RECORD_LENIENT,
					    arena, &r, &ignored)) != OK) {
		return false;
	}
	if (method != METHOD_SESSION_LOGIN) {
		sign_in_take(s, r.resume.user_id, r.resume.user_name, r.resume.expires_at);
		return true;
	}
	sign_in_take(s, r.login.user_id, r.login.user_name, r.login.expires_at);
	format_to(s->token, sizeof(s->token), "%.*s", (int)r.login.token.len, r.login.token.data);
	s->has_new_team = r.login.group_id.len > 0;
	s->on->keep(s->owner, s);
	return true;
}

void sign_in_answer(struct sign_in *s, enum method method, const struct msgpack_object *refusal,
		    const struct msgpack_object *result)
{
	struct arena arena = {0};
	if (refusal != NULL) {
		sign_in_refused(s, method, refusal);
	} else if (!sign_in_read(s, method, result, &arena)) {
		fault_set(&s->fault, FAULT_SERVER_ERROR, "the server sent an invalid answer");
		s->is_done = true;
	}
	arena_finish(&arena);
}
