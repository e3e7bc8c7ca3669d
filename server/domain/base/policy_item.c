/*
 * policy_item.c - see policy_item.h.
 */
#include "server/domain/base/policy_item.h"

void policy_to_item(const struct policy *p, const struct key_text *passcode,
		    struct policy_item *out)
{
	*out = (struct policy_item){
#define FLAG(F, field, flag, ...) .flag = p->flag, .with_##flag = true,
		POLICY_FLAGS(FLAG, _)
#undef FLAG
			.who_edits_data = p->data_editors,
		.with_who_edits_data = true,
		.quorum = p->quorum,
		.with_quorum = p->quorum != 0,
		.passcode = slice_of(passcode->text, p->has_passcode ? KEY_CHARS : 0),
	};
}

void policy_from_item(const struct policy_item *item, struct policy *p, struct key_text *passcode)
{
	policy_defaults(p);
	*passcode = (struct key_text){{0}};
#define FLAG(F, field, flag, ...) p->flag = item->with_##flag ? item->flag : p->flag;
	POLICY_FLAGS(FLAG, _)
#undef FLAG
	if (item->with_who_edits_data) {
		p->data_editors = item->who_edits_data;
	}
	p->quorum = item->quorum;
	p->has_passcode = item->passcode.len == KEY_CHARS;
	if (p->has_passcode) {
		memcpy(passcode->text, item->passcode.data, KEY_CHARS);
	}
}

void policy_change_by(const struct policy_change *change, const unsigned char *server_key,
		      struct policy *p, struct key_text *passcode)
{
	policy_apply(change, p);
	if (change->with_passcode) {
		*passcode = p->has_passcode ? key_hash(server_key, "passcode", change->passcode)
					    : (struct key_text){{0}};
	}
}
