/*
 * ssh_kiosk.h - where the ssh kiosk of a host is set up, and as whom it runs.
 *
 * One file says it, to sshd as well: KIOSK_SSHD_FILE, with "Match User NAME". The name
 * begins with 00, as of two values sshd takes the first.
 */
#ifndef CLIENT_KIOSK_SSH_KIOSK_H
#define CLIENT_KIOSK_SSH_KIOSK_H

#include <stdbool.h>

#include "client/model/invite.h"
#include "proto/base/slice.h"

#define KIOSK_SSHD_DIR	   "/etc/ssh/sshd_config.d"
#define KIOSK_SSHD_FILE	   KIOSK_SSHD_DIR "/00-aye.conf"
#define KIOSK_MATCH	   "Match User "
enum { KIOSK_USER_BYTES_MAX = 32 }; /* as useradd(8) has it */

/* What useradd takes for a name, and neither a shell nor sshd for anything else. */
bool ssh_kiosk_is_user(const char *name);

/* As whom the kiosk runs by that file's text; false where it does not say. */
bool ssh_kiosk_user(struct slice text, char out[KIOSK_USER_BYTES_MAX + 1]);

/* "vote@poker", as somebody on another machine begins; "" where this host has no kiosk. */
void ssh_kiosk_target(char out[INVITE_SSH_BYTES_MAX + 1]);

#endif
