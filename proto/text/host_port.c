/*
 * host_port.c - see host_port.h.
 */
#include "proto/text/host_port.h"

bool host_port_split(struct slice text, struct slice *host, struct slice *port)
{
	size_t end = 0; /* of the host, with its brackets */
	if (text.len > 0 && text.data[0] == '[') {
		const char *close = memchr(text.data, ']', text.len);
		if (close == NULL || close == text.data + 1) {
			return false;
		}
		*host = slice_of(text.data + 1, (size_t)(close - text.data) - 1);
		end = host->len + 2;
	} else {
		const char *colon = text.len == 0 ? NULL : memchr(text.data, ':', text.len);
		end = colon == NULL ? text.len : (size_t)(colon - text.data);
		*host = slice_of(text.data, end);
	}
	*port = (struct slice){0};
	if (end == text.len) {
		return true;
	}
	*port = slice_of(text.data + end + 1, text.len - end - 1);
	return text.data[end] == ':';
}
