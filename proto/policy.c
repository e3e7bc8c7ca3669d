/*
 * policy.c - a policy and its forms on the wire.
 */
#include "proto/policy.h"

#include "proto/records.h"

static const char *const data_editors_names[DATA_EDITORS_COUNT] = {
	[DATA_EDITORS_MEMBERS] = "members",
	[DATA_EDITORS_EVERYONE] = "everyone",
	[DATA_EDITORS_HOST] = "host",
};

const char *data_editors_name(enum data_editors who)
{
	return data_editors_names[who];
}

bool data_editors_read(struct slice word, enum data_editors *who)
{
	for (size_t i = 0; i < DATA_EDITORS_COUNT; i++) {
		if (slice_eq(word, slice_str(data_editors_names[i]))) {
			*who = (enum data_editors)i;
			return true;
		}
	}
	return false;
}

void policy_defaults(struct policy *out)
{
	*out = (struct policy){0};
#define DEFAULT(F, field, member, is_default, ...) out->member = is_default;
	POLICY_FLAGS(DEFAULT, _)
#undef DEFAULT
}

#define WHO(is_everyone)  ((is_everyone) ? SLICE("everyone") : SLICE("host"))
#define IS_EVERYONE(word) slice_eq(word, SLICE("everyone"))

void policy_to_view(const struct policy *p, struct policy_view *out)
{
	*out = (struct policy_view){
		.who_edits_data = slice_str(data_editors_name(p->data_editors)),
		.has_passcode = p->has_passcode,
	};
#define TO_WHO(F, field, member, ...)	 out->field = WHO(p->member);
#define TO_SWITCH(F, field, member, ...) out->field = p->member;
	POLICY_WHO(TO_WHO, _)
	POLICY_SWITCHES(TO_SWITCH, _)
#undef TO_WHO
#undef TO_SWITCH
}

void policy_from_view(const struct policy_view *v, struct policy *out)
{
	out->data_editors = DATA_EDITORS_HOST;
	(void)data_editors_read(v->who_edits_data, &out->data_editors);
	out->has_passcode = v->has_passcode;
#define FROM_WHO(F, field, member, ...)	   out->member = IS_EVERYONE(v->field);
#define FROM_SWITCH(F, field, member, ...) out->member = v->field;
	POLICY_WHO(FROM_WHO, _)
	POLICY_SWITCHES(FROM_SWITCH, _)
#undef FROM_WHO
#undef FROM_SWITCH
}

static enum fault_code read_who(struct slice word, const char *field, bool *is_everyone,
				struct fault *fault)
{
	*is_everyone = IS_EVERYONE(word);
	return *is_everyone || slice_eq(word, SLICE("host"))
		       ? FAULT_NONE
		       : fault_field(fault, field, "must be host or everyone");
}

enum fault_code policy_apply(const struct policy_change *change, struct policy *p,
			     struct fault *fault)
{
	struct policy next = *p;
	enum fault_code f = FAULT_NONE;
#define APPLY_WHO(F, field, member, ...)                                            \
	if (change->with_##field && f == FAULT_NONE) {                              \
		f = read_who(change->field, "policy." #field, &next.member, fault); \
	}
#define APPLY_SWITCH(F, field, member, ...)  \
	if (change->with_##field) {          \
		next.member = change->field; \
	}
	POLICY_WHO(APPLY_WHO, _)
	POLICY_SWITCHES(APPLY_SWITCH, _)
#undef APPLY_WHO
#undef APPLY_SWITCH
	if (f != FAULT_NONE) {
		return f;
	}
	if (change->with_who_edits_data &&
	    !data_editors_read(change->who_edits_data, &next.data_editors)) {
		return fault_field(fault, "policy.who_edits_data",
				   "must be members, everyone or host");
	}
	if (change->with_passcode) {
		next.has_passcode = change->passcode.data != NULL;
	}
	*p = next;
	return FAULT_NONE;
}
