/*
 * ssh_keys.c - see ssh_keys.h.
 */
#include "client/kiosk/ssh_keys.h"

#include <string.h>

#include <sodium.h>

#define SSH_KEY_BYTES 4096 /* of one key: RSA of 16,384 bits has 2,100 */

/*
 * What is no key alone, an option before it say, might open a door; nor is a certificate
 * one, nor a text whose bytes are of another kind than it says (RFC 4253, 6.6).
 */
static bool ssh_keys_is_line(struct slice line)
{
	static const char *const kinds[] = {
		"ssh-ed25519",
		"ssh-rsa",
		"ecdsa-sha2-nistp256",
		"ecdsa-sha2-nistp384",
		"ecdsa-sha2-nistp521",
		"sk-ssh-ed25519@openssh.com",
		"sk-ecdsa-sha2-nistp256@openssh.com",
	};
	unsigned char key[SSH_KEY_BYTES];
	size_t len = 0;
	const char *end = memchr(line.data, ' ', line.len);
	size_t kind = end == NULL ? 0 : (size_t)(end - line.data);
	bool is_kind = false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		is_kind = is_kind || slice_eq(slice_of(line.data, kind), slice_str(kinds[i]));
	}
	for (size_t i = 0; i < line.len; i++) {
		is_kind = is_kind && (unsigned char)line.data[i] >= ' ';
	}
	return is_kind &&
	       sodium_base642bin(key, sizeof(key), end + 1, line.len - kind - 1, NULL, &len, &end,
				 sodium_base64_VARIANT_ORIGINAL) == 0 &&
	       (end == line.data + line.len || *end == ' ') && len > 4 + kind && key[0] == 0 &&
	       key[1] == 0 && key[2] == 0 && key[3] == kind &&
	       memcmp(key + 4, line.data, kind) == 0;
}

enum err ssh_keys_check(struct slice text, const char *name, struct errmsg *why)
{
	struct slice rest = text;
	enum err e = OK;
	size_t keys_n = 0;
	for (size_t n = 1; e == OK && rest.len > 0; n++) {
		const char *end = memchr(rest.data, '\n', rest.len);
		size_t len = end == NULL ? rest.len : (size_t)(end - rest.data);
		struct slice line = slice_of(rest.data, len);
		bool is_blank = len == 0 || rest.data[0] == '#';
		if (!is_blank && !ssh_keys_is_line(line)) {
			errmsg_set(why,
				   "%s, line %zu: a line is a public key, as ssh-keygen writes it, "
				   "without options before it",
				   name, n);
			e = ERR_INVALID;
		}
		keys_n += is_blank ? 0 : 1;
		size_t used = end == NULL ? len : len + 1;
		rest = slice_of(rest.data + used, rest.len - used);
	}
	if (e == OK && keys_n == 0) {
		errmsg_set(why, "%s has no key in it", name);
		e = ERR_INVALID;
	}
	return e;
}
