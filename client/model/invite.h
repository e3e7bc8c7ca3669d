/*
 * invite.h - how one comes into a room: its code, or the line that joins it.
 *
 * The one place that writes that line, and the one that reads it. What is read out, typed or pasted: "k7qx3m", "K7Q-X3M", "aye join K7QX3M
 * --server tls://host", on one row or on several with a backslash behind all but the last, with a shell's prompts
 * and with what else stood on the screen. Only the form is checked here.
 */
#ifndef CLIENT_MODEL_INVITE_H
#define CLIENT_MODEL_INVITE_H

#include "client/model/recent_rooms.h"
#include "proto/records/records.h"
#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"

struct invite {
	char room_id[CODE_CHARS_MAX + 1]; /* upper case */
	char server[RECENT_SERVER_BYTES_MAX + 1]; /* as it was written; "": none was told */
};

/* ERR_INVALID  *why says what is wrong with it, for the person; what it quotes is softened. */
NODISCARD enum err invite_parse(const char *text, struct invite *out, struct errmsg *why);

/* Whether a row ends with the backslash that has a shell go on in the next one. */
bool invite_goes_on(const char *row);

/*
 * Where a room's server is for those who are invited. With an address, they have to
 * be told it; without, they find the server as we did.
 */
enum { INVITE_SSH_BYTES_MAX = 288 };
#define INVITE_ADDRESSES_MAX MAX_SERVER_ADDRESSES
struct invite_place {
	bool is_ssh; /* we came through this host's sshd, and so do they */
	char ssh[INVITE_SSH_BYTES_MAX + 1]; /* who may come over ssh comes to this, vote@host; "": nobody does, or how is not known */
	bool is_own; /* a private server: nobody else comes while it has no address */
	size_t n;
	char addresses[INVITE_ADDRESSES_MAX][RECENT_SERVER_BYTES_MAX + 1]; /* as invite_address() writes them */
};
enum { INVITE_LINE_BYTES_MAX = RECENT_SERVER_BYTES_MAX + 64 };

/*
 * The one form of an address in what we print, short enough for a row: without the port that an address without one
 * has, and with the short form of the pin.
 *
 * @fingerprint  of the certificate at a tls:// address; empty: the one that the address has, if any.
 */
void invite_address(struct slice address, struct slice fingerprint, char out[RECENT_SERVER_BYTES_MAX + 1]);

/* "aye join K7QX3M --server tls://host#SHA256:...", with the nth address where there are any. */
void invite_line(const struct invite_place *place, size_t nth, const char *room_id,
		 char out[INVITE_LINE_BYTES_MAX + 1]);

/* Whether the address is a unix: path, by which nobody comes from another machine. */
bool invite_is_of_machine(const struct invite_place *place);

/* "ssh -t vote@host K7QX3M", for those who have only ssh; "" where nobody comes so. */
void invite_ssh_line(const struct invite_place *place, const char *room_id,
		     char out[INVITE_LINE_BYTES_MAX + 1]);

/*
 * The code of an invitation into a team, in whatever line it was sent: the word of 20 letters and digits, with dashes
 * between them or without; nothing of it means anything to a shell. False: there is none.
 */
enum { INVITE_TEAM_CODE_BYTES_MAX = 40 };
bool invite_team_code(const char *text, char out[INVITE_TEAM_CODE_BYTES_MAX + 1]);

/*
 * Whether the server that the text names with --server is the one at this address or of this label, by host and
 * port; true where it names none. server: what it names, as far as it fits.
 */
bool invite_is_server(const char *text, const char *address, char server[RECENT_SERVER_BYTES_MAX + 1]);

/* "aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server tls://host": into a team by an invitation's code, likewise. */
void invite_team_line(const struct invite_place *place, const char *code, char out[INVITE_LINE_BYTES_MAX + 1]);

/*
 * For those who reach this machine by ssh alone: a tunnel to the first address, and
 * with the room the line that joins through it.
 */
void invite_tunnel_line(const struct invite_place *place, char out[INVITE_LINE_BYTES_MAX + 1]);
/* The server as who goes through that tunnel names it. */
void invite_tunnel_server(const struct invite_place *place, char out[INVITE_LINE_BYTES_MAX + 1]);

/* Where to listen, as server.share takes it: what a person typed, "" for all addresses of this machine. */
void invite_share_address(const char *typed, char out[INVITE_LINE_BYTES_MAX + 1]);

/* Others reach the place as server.share says, and by no other address. What may not stand in an address is left out:
 * the line goes into a shell. */
void invite_place_set(struct invite_place *place, const struct server_share_result *share);

#endif
