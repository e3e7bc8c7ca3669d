/*
 * policy.c - a policy and its forms on the wire.
 */
#include "proto/records/policy.h"

#include "proto/records/records.h"

void policy_defaults(struct policy *out)
{
	*out = (struct policy){0};
#define DEFAULT(F, field, member, is_default, ...) out->member = is_default;
	POLICY_FLAGS(DEFAULT, _)
#undef DEFAULT
}

void policy_to_view(const struct policy *p, struct policy_view *out)
{
	*out = (struct policy_view){
		.who_edits_data = p->data_editors,
		.quorum = p->quorum,
		.has_passcode = p->has_passcode,
	};
#define TO_WHO(F, field, member, ...)	 out->field = p->member ? WHO_MAY_EVERYONE : WHO_MAY_HOST;
#define TO_SWITCH(F, field, member, ...) out->field = p->member;
	POLICY_WHO(TO_WHO, _)
	POLICY_SWITCHES(TO_SWITCH, _)
#undef TO_WHO
#undef TO_SWITCH
}

void policy_from_view(const struct policy_view *v, struct policy *out)
{
	out->data_editors = v->who_edits_data;
	out->quorum = v->quorum;
	out->has_passcode = v->has_passcode;
#define FROM_WHO(F, field, member, ...)	   out->member = v->field == WHO_MAY_EVERYONE;
#define FROM_SWITCH(F, field, member, ...) out->member = v->field;
	POLICY_WHO(FROM_WHO, _)
	POLICY_SWITCHES(FROM_SWITCH, _)
#undef FROM_WHO
#undef FROM_SWITCH
}

void policy_apply(const struct policy_change *change, struct policy *p)
{
#define APPLY(field, member, value)  \
	if (change->with_##field) {  \
		p->member = (value); \
	}
#define APPLY_WHO(F, field, member, ...)    APPLY(field, member, change->field == WHO_MAY_EVERYONE)
#define APPLY_SWITCH(F, field, member, ...) APPLY(field, member, change->field)
	POLICY_WHO(APPLY_WHO, _)
	POLICY_SWITCHES(APPLY_SWITCH, _)
	APPLY(who_edits_data, data_editors, change->who_edits_data)
	APPLY(quorum, quorum, change->quorum)
	APPLY(passcode, has_passcode, change->passcode.data != NULL)
#undef APPLY
#undef APPLY_WHO
#undef APPLY_SWITCH
}
