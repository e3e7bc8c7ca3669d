/*
 * action_share.c - how others come to the room: the ways in, one after the other, a server of one's
 * own that is opened to them, and whether there is a QR code to show.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"

/*
 * One way in after the other: the join command with each address, then the link for browsers. Who
 * types commands gets command and link at once, a line each.
 */
struct act act_invite(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	const struct invite_place *place = &t->share.place;
	char link[INVITE_LINK_BYTES_MAX + 1];
	size_t lines = place->n > 0 ? place->n : 1;
	(void)a, (void)arg;
	invite_link(place, room->room_id, link);
	bool has_link = link[0] != '\0';
	size_t nth = t->share.invited++ % (lines + (has_link && !t->is_typed ? 1 : 0));
	if (nth < lines) {
		invite_line(place, nth, room->room_id, t->share.copied);
	} else {
		(void)format_to(t->share.copied, sizeof(t->share.copied), "%s", link);
	}
	if (t->is_typed) {
		said_reply(t, "%s%s%s", t->share.copied, has_link ? "\n" : "", link);
		t->said.is_to_copy = true;
		return (struct act){0};
	}
	said_reply(t, "%s", t->share.copied);
	return (struct act){.local = LOCAL_COPY, .text = t->share.copied};
}

bool act_refuses_share(struct tui *t, const struct replica *room, const char *arg, char *out,
		       size_t cap)
{
	(void)room, (void)arg;
	if (t->share.place.is_own) {
		return false;
	}
	(void)format_to(out, cap, "You can share only your own server");
	return true;
}

bool act_refuses_unshare(struct tui *t, const struct replica *room, const char *arg, char *out,
			 size_t cap)
{
	if (act_refuses_share(t, room, arg, out, cap)) {
		return true;
	}
	(void)format_to(out, cap, "Your server is not shared");
	return t->share.place.n == 0;
}

bool act_refuses_qr(struct tui *t, const struct replica *room, const char *arg, char *out,
		    size_t cap)
{
	(void)arg;
	if (t->share.place.web[0] != '\0') {
		return false;
	}
	if (t->share.place.is_own) {
		(void)format_to(out, cap, "No page for browsers yet: press %s, then w",
				action_key_in(ACTION_SHARE, VIEW_ROOM, room).name);
	} else {
		(void)format_to(out, cap,
				"This server has no page for browsers: see https:// in ayed(8)");
	}
	return true;
}

/* "192.0.2.7", or "web 192.0.2.7" for browsers, too; the address may be left out. */
struct act act_share(struct tui *t, const struct replica *room, enum action a, const char *typed)
{
	char address[INVITE_LINE_BYTES_MAX + 1];
	size_t word = strcspn(typed, " ");
	bool is_web = slice_eq(slice_of(typed, word), SLICE("web"));
	(void)room;
	if (tui_is_in(t, IN_SHARE)) {
		tui_go_back(t);
	}
	invite_share_address(is_web ? typed + word + strspn(typed + word, " ") : typed, address);
	struct request *r = tui_request(t, a, METHOD_SERVER_SHARE);
	request_text(r, "address", address);
	if (is_web) {
		request_value(r, "web_scheme", "https");
	}
	return tui_send(t, a);
}
