/*
 * room_names.c - names are different within a room: of two members who want the same the second
 * is called "Grace 2".
 *
 * Names are the same as logins' are: in their folded form (text_fold()), so that neither case nor width tells two apart.
 * A number keeps to its seat for as long as the name without one is taken, whoever has left in between.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"
#include "proto/text/text.h"

enum {
	NUMBER_CHARS_MAX = 7, /* " 999999" */
	NUMBER_MAX = 999999,
	FOLDED_BYTES_MAX =
		12 * MAX_NAME_BYTES, /* one character folds to 18 at most, of 33 bytes for its 3 */
};

/* Of clean text that fits; what is ASCII, as most names are, without a look at Unicode's tables. */
static enum err fold(struct slice clean, char *out, size_t *len)
{
	for (size_t i = 0; i < clean.len; i++) {
		if ((unsigned char)clean.data[i] >= 0x80) {
			return text_fold(clean, out, FOLDED_BYTES_MAX, len);
		}
		out[i] = ascii_lower(clean.data[i]);
	}
	*len = clean.len;
	return OK;
}

/* As much of the name as leaves room for a number behind it. */
static struct slice name_base(struct slice name)
{
	size_t cells = MAX_NAME_CELLS - NUMBER_CHARS_MAX;
	size_t len = text_fit(name, cells);
	while (len > MAX_NAME_BYTES - NUMBER_CHARS_MAX) {
		len = text_fit(name, --cells);
	}
	while (len > 0 && name.data[len - 1] == ' ') {
		len--;
	}
	return slice_of(name.data, len);
}

/* The number of a name that is the base and one, 2 or more; 0: another name. */
static int64_t name_number(struct slice folded, struct slice base)
{
	int64_t n = 0;
	bool is_numbered =
		folded.len > base.len + 1 && memcmp(folded.data, base.data, base.len) == 0 &&
		folded.data[base.len] == ' ' &&
		decimal_read(slice_of(folded.data + base.len + 1, folded.len - base.len - 1), 2,
			     NUMBER_MAX, &n);
	return is_numbered ? n : 0;
}

enum fault_code room_free_name(const struct room *r, struct room_call *c, const struct seat *own,
			       struct slice wanted, struct slice *out)
{
	char folded[FOLDED_BYTES_MAX];
	char folded_wanted[FOLDED_BYTES_MAX];
	char folded_base[FOLDED_BYTES_MAX];
	size_t len;
	size_t wanted_len = 0;
	size_t base_len = 0;
	struct slice base = name_base(wanted);
	bool is_taken = false;
	int64_t own_number = 0;
	/* Of as many numbers as there are seats, and one more, one is free. */
	bool *numbers = arena_alloc(c->arena, r->seats_n + 3);
	enum err e = numbers == NULL ? ERR_NOMEM : fold(wanted, folded_wanted, &wanted_len);
	e = e == OK ? fold(base, folded_base, &base_len) : e;
	if (numbers != NULL) {
		memset(numbers, false, r->seats_n + 3);
	}
	for (const struct seat *seat = r->seats; seat != NULL && e == OK; seat = seat->next) {
		if (seat->username == NULL) {
			continue;
		}
		e = fold(slice_str(seat->username), folded, &len);
		if (e != OK) {
			break;
		}
		struct slice name = slice_of(folded, len);
		int64_t number = name_number(name, slice_of(folded_base, base_len));
		if (seat == own) {
			own_number = number;
			continue;
		}
		is_taken = is_taken || slice_eq(name, slice_of(folded_wanted, wanted_len));
		if (number > 0 && number < (int64_t)r->seats_n + 3) {
			numbers[number] = true;
		}
	}
	if (e != OK) {
		return room_out_of_memory(c);
	}
	if (!is_taken) {
		*out = wanted;
		return FAULT_NONE;
	}
	int64_t number = own_number > 0 ? own_number : 2;
	while (own_number == 0 && numbers[number]) {
		number++;
	}
	char *text = arena_alloc(c->arena, base.len + NUMBER_CHARS_MAX + 1);
	if (text == NULL) {
		return room_out_of_memory(c);
	}
	len = format_to(text, base.len + NUMBER_CHARS_MAX + 1, "%.*s %lld", (int)base.len,
			base.data, (long long)number);
	*out = slice_of(text, len);
	return FAULT_NONE;
}
