/*
 * ssh_kiosk.c - see ssh_kiosk.h.
 */
#include "client/kiosk/ssh_kiosk.h"

#include <string.h>
#include <unistd.h>

#include "client/state/text_file.h"
#include "proto/base/format.h"

enum { KIOSK_FILE_BYTES_MAX = 64 << 10 };

bool ssh_kiosk_is_user(const char *name)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz_";
	size_t len = strlen(name);
	return len > 0 && len <= KIOSK_USER_BYTES_MAX && strchr(first, name[0]) != NULL &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789-") == len;
}

bool ssh_kiosk_user(struct slice text, char out[KIOSK_USER_BYTES_MAX + 1])
{
	const struct slice match = SLICE(KIOSK_MATCH);
	while (text.len > 0) {
		const char *end = memchr(text.data, '\n', text.len);
		size_t len = end == NULL ? text.len : (size_t)(end - (const char *)text.data);
		struct slice line = slice_of(text.data, len);
		if (slice_starts(line, match) && len - match.len <= KIOSK_USER_BYTES_MAX) {
			(void)format_to(out, KIOSK_USER_BYTES_MAX + 1, "%.*s",
					(int)(len - match.len), line.data + match.len);
			return ssh_kiosk_is_user(out);
		}
		text = end == NULL ? (struct slice){0}
				   : slice_of(text.data + len + 1, text.len - len - 1);
	}
	return false;
}

void ssh_kiosk_target(char out[INVITE_SSH_BYTES_MAX + 1])
{
	char user[KIOSK_USER_BYTES_MAX + 1];
	char host[256] = "";
	struct errmsg unseen;
	struct buf text;
	buf_init(&text, KIOSK_FILE_BYTES_MAX);
	bool is_there = text_file_read(KIOSK_SSHD_FILE, &text, &unseen) == OK &&
			ssh_kiosk_user(buf_slice(&text), user) &&
			gethostname(host, sizeof(host) - 1) == 0;
	buf_finish(&text);
	(void)format_to(out, INVITE_SSH_BYTES_MAX + 1, "%s%s%s", is_there ? user : "",
			is_there ? "@" : "", is_there ? host : "");
}
