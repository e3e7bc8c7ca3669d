/*
 * room_access.c - which callers may send a request to a room at all.
 */
#include "server/domain/room/room_state.h"

bool room_is_open(const struct room *r)
{
	return !r->policy.locked && !r->policy.has_passcode;
}

enum fault_code room_check_caller(const struct room *r, enum method method,
				  const struct room_caller *who, struct fault *fault)
{
	switch (method_rows[method].who) {
	case WHO_SEATED:
		if (who->seat == NULL) {
			return fault_set(fault, FAULT_UNAUTHENTICATED,
					 "that needs a seat: call room.subscribe first, or send "
					 "its user_key");
		}
		return FAULT_NONE;
	case WHO_MEMBER:
		if (who->seat == NULL && !who->has_host_key && who->sent_host_key) {
			return fault_set(fault, FAULT_FORBIDDEN,
					 "that is not this room's host_key");
		}
		if (who->seat == NULL && !who->has_host_key) {
			return fault_set(
				fault, FAULT_UNAUTHENTICATED,
				"that needs a seat or the host_key: call room.subscribe first");
		}
		return FAULT_NONE;
	case WHO_HOST:
		if (who->has_host_key || (who->seat != NULL && seat_is_host(r, who->seat))) {
			return FAULT_NONE;
		}
		return fault_set(fault, FAULT_FORBIDDEN, "only the host may do that");
	case WHO_ANYONE:
	case WHO_GREETED:
	case WHO_USER:
	case WHO_OWNER:
		return FAULT_NONE;
	}
	return FAULT_NONE;
}

enum fault_code room_check_stranger(const struct room *r, enum method method,
				    const struct room_caller *who, const unsigned char *server_key,
				    struct fault *fault)
{
	if (who->seat != NULL || who->has_host_key || method == METHOD_ROOM_SUBSCRIBE) {
		return FAULT_NONE;
	}
	enum fault_code f = room_lets_in(r, server_key, (struct slice){0}, false, fault);
	if (f == FAULT_NONE && room_is_barred(r, &who->user_hash)) {
		f = fault_set(fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN);
	}
	if (f == FAULT_NONE && method == METHOD_ROOM_GET && r->policy.lobby) {
		f = fault_set(fault, FAULT_FORBIDDEN,
			      "the room has a lobby: subscribe, and wait to be admitted");
	}
	return f;
}
