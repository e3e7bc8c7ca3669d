/*
 * ssh_kiosk.h - the configuration of a host's ssh kiosk, and the user it runs as.
 *
 * Both are in one file of sshd_config(5), KIOSK_SSHD_FILE, with "Match User NAME". The file
 * name starts with 00, since sshd uses the first value of an option.
 */
#ifndef CLIENT_KIOSK_SSH_KIOSK_H
#define CLIENT_KIOSK_SSH_KIOSK_H

#include <stdbool.h>

#include "client/model/invite.h"
#include "proto/base/slice.h"

#define KIOSK_SSHD_DIR	   "/etc/ssh/sshd_config.d"
#define KIOSK_SSHD_FILE	   KIOSK_SSHD_DIR "/00-aye.conf"
#define KIOSK_MATCH	   "Match User "
enum { KIOSK_USER_BYTES_MAX = 32 }; /* the limit of useradd(8) */

/* Whether useradd accepts the name, and no character has a meaning for a shell or sshd. */
bool ssh_kiosk_is_user(const char *name);

/* Read the kiosk's user from the text of that file; returns false if it has none. */
bool ssh_kiosk_user(struct slice text, char out[KIOSK_USER_BYTES_MAX + 1]);

/*
 * Write the ssh destination for users of other machines, "vote@poker"; "": this host has no kiosk.
 */
void ssh_kiosk_target(char out[INVITE_SSH_BYTES_MAX + 1]);

#endif
