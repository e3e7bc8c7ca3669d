/*
 * invite.h - room codes and join commands: the only place that writes and parses them.
 *
 * Accepts what people read out, type or paste: "k7qx3m", "K7Q-X3M", "aye join K7QX3M
 * --server tls://host", on one line or continued over several with backslashes, with a
 * shell's prompts and other text from the screen. Only the syntax is checked here.
 */
#ifndef CLIENT_MODEL_INVITE_H
#define CLIENT_MODEL_INVITE_H

#include "client/model/recent_rooms.h"
#include "proto/records/records.h"
#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/fingerprint.h"
#include "proto/link.h"

struct invite {
	char room_id[CODE_CHARS_MAX + 1]; /* upper case */
	char server[RECENT_SERVER_BYTES_MAX + 1]; /* as it was written; "": none */
};

/* ERR_INVALID  *why says what is wrong, for people; quoted text is softened. */
NODISCARD enum err invite_parse(const char *text, struct invite *out, struct errmsg *why);

/* Whether a line ends with a backslash that continues it. */
bool invite_goes_on(const char *row);

/*
 * Where a room's server is, for the people invited. If it has addresses, the join command
 * names one; otherwise it is their default server too.
 */
enum { INVITE_SSH_BYTES_MAX = 288 };
#define INVITE_ADDRESSES_MAX MAX_SERVER_ADDRESSES
struct invite_place {
	bool is_ssh; /* this user came through the host's sshd, and so do the others */
	/* the ssh destination, such as vote@host; "": none, or not known */
	char ssh[INVITE_SSH_BYTES_MAX + 1];
	bool is_own; /* the user's own server: without an address nobody else can reach it */
	size_t n;
	/* written by invite_address() */
	char addresses[INVITE_ADDRESSES_MAX][RECENT_SERVER_BYTES_MAX + 1];
	char web[MAX_WEB_BYTES + 1]; /* the server's page for browsers; "": none */
	struct fingerprint web_fingerprint; /* of its certificate; "": not known */
};
enum { INVITE_LINE_BYTES_MAX = RECENT_SERVER_BYTES_MAX + 64, INVITE_LINK_BYTES_MAX = LINK_OF_PAGE_BYTES_MAX };

/*
 * Write an address in the form used in join commands, short enough for a row: without the default
 * port, and with the short form of the pin.
 *
 * @fingerprint  of the certificate of a tls:// address; empty: the pin of the address, if any.
 */
void invite_address(struct slice address, struct slice fingerprint, char out[RECENT_SERVER_BYTES_MAX + 1]);

/* Write "aye join K7QX3M --server tls://host#SHA256:...", with the nth address if there are any. */
void invite_line(const struct invite_place *place, size_t nth, const char *room_id,
		 char out[INVITE_LINE_BYTES_MAX + 1]);

/*
 * Write the link that opens the room in a browser: "https://poker.example/#K7QX3M"; "": the server
 * has no page.
 */
void invite_link(const struct invite_place *place, const char *room_id, char out[INVITE_LINK_BYTES_MAX + 1]);

/*
 * Whether browsers warn of the page's certificate, as the user's own server made it: *hex is its
 * fingerprint as they show it, to be compared.
 */
#define INVITE_WEB_WARNS "A browser warns once. Compare the certificate's SHA-256 fingerprint:"
bool invite_web_warns(const struct invite_place *place, char hex[FINGERPRINT_HEX_CHARS + 1]);

/* Whether the address is a unix: path, which cannot be reached from other machines. */
bool invite_is_of_machine(const struct invite_place *place);

/* Write "ssh -t vote@host K7QX3M", for people with only ssh; "" if ssh is not known to work. */
void invite_ssh_line(const struct invite_place *place, const char *room_id,
		     char out[INVITE_LINE_BYTES_MAX + 1]);

/*
 * Find a team invitation's code in a line: a word of 20 letters and digits, with or without dashes;
 * *out contains no shell metacharacters. Returns false if there is none.
 */
enum { INVITE_TEAM_CODE_BYTES_MAX = 40 };
bool invite_team_code(const char *text, char out[INVITE_TEAM_CODE_BYTES_MAX + 1]);

/*
 * Whether the server that the text names with --server is at this address or has this label,
 * compared by host and port; true if it names none. *server is set to the one it names, cut to fit.
 */
bool invite_is_server(const char *text, const char *address, char server[RECENT_SERVER_BYTES_MAX + 1]);

/* Write "aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server tls://host" for an invitation's code. */
void invite_team_line(const struct invite_place *place, const char *code, char out[INVITE_LINE_BYTES_MAX + 1]);

/*
 * For people who reach this machine only by ssh: write the ssh command for a tunnel to the
 * first address.
 */
void invite_tunnel_line(const struct invite_place *place, char out[INVITE_LINE_BYTES_MAX + 1]);
/* The server's address at the near end of that tunnel. */
void invite_tunnel_server(const struct invite_place *place, char out[INVITE_LINE_BYTES_MAX + 1]);

/*
 * Convert a typed address to listen on into the form of server.share; "": all addresses of this
 * machine.
 */
void invite_share_address(const char *typed, char out[INVITE_LINE_BYTES_MAX + 1]);

/* Said when the own server was unshared. */
#define INVITE_UNSHARED "Sharing stopped: only this machine can join; open connections stay"

/*
 * Set the addresses, and the page if there is one, from the result of server.share. Characters that an address may not contain are
 * dropped, since join commands are run by a shell.
 */
void invite_place_set(struct invite_place *place, const struct server_share_result *share);

#endif
