/*
 * mcp_tools.c - the two tools, from rows to schemas and to requests; see mcp_tools.h.
 */
#include "client/mcp/mcp_tools.h"

#include <string.h>

#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/base/words.h"
#include "proto/keys/key_hash.h"

/* clang-format off */
const struct mcp_tool mcp_tools[] = {
	{.name = "ask_human", .title = "Ask humans",
	 .description =
		 "Ask people a question, to answer in their own time: minutes to hours. Use it for judgement, opinions, approval or knowledge that only people have. It returns at once with a question_id and never waits; read the answers with check_human_responses. Several people answer, unseen by each other, and anonymously. Give options for a choice, none for text answers. The question must contain everything needed to answer: they see nothing else.",
	 .method = METHOD_QUESTION_ASK,
	 .arguments = {
		 {"question", "prompt", "What to ask, complete in itself; line breaks are kept", NULL},
		 {"type", "type", "How it is answered; default multiple_choice if there are options, else text", NULL},
		 {"options", "options", "Options to choose from, for multiple_choice: all different", NULL},
		 {"audience", "audience", "Its audiences; the first is its category; default general", &words_audience},
		 {"min_responses", "min_responses", "How many answers are needed; the last of them closes the question; default as many as there are people to answer, 1 to 5", NULL},
		 {"timeout_seconds", "timeout_seconds", "How many seconds it is open; default 3600", NULL},
		 {"idempotency_key", "idempotency_key",
		  "Text of your choice, such as the name of your task: a repeat with the same key is the same question while it is open, for up to 7 days", NULL}},
	 .answers = &record_question_ask_result},
	{.name = "check_human_responses", .title = "Check human responses",
	 .description =
		 "See how people have answered a question so far, and whether it is still open. It returns at once, or with wait_seconds as soon as there is an answer you have not seen. If nobody has answered yet, or too few in time, that is neither a yes nor a no.",
	 .method = METHOD_QUESTION_GET,
	 .is_read_only = true,
	 .arguments = {
		 {"question_id", "question_id", "As returned by ask_human", NULL},
		 {"wait_seconds", "wait_seconds", NULL, NULL},
		 {"cursor", "cursor", "Only if a check reported more answers: the cursor it returned", NULL}},
	 .answers = &record_question_view},
	{.name = NULL},
};
/* clang-format on */

static const struct field mcp_wait_seconds = {
	.name = "wait_seconds",
	.kind = FIELD_INT,
	.flags = FIELD_OPT,
	.max = MAX_CHECK_WAIT_SECONDS,
	.help = "Wait up to so long for an answer not shown yet, or for the end; default 0",
};

const struct mcp_tool *mcp_tool_find(struct slice name)
{
	for (const struct mcp_tool *t = mcp_tools; t->name != NULL; t++) {
		if (slice_eq(name, slice_str(t->name))) {
			return t;
		}
	}
	return NULL;
}

static const struct mcp_argument *mcp_argument_find(const struct mcp_tool *tool, const char *name)
{
	const struct mcp_argument *a = tool->arguments;
	while (a->name != NULL && strcmp(a->name, name) != 0) {
		a++;
	}
	return a->name == NULL ? NULL : a;
}

static const struct field *mcp_argument_field(const struct mcp_tool *tool,
					      const struct mcp_argument *a)
{
	const struct field *f = record_field(method_rows[tool->method].params, slice_str(a->field));
	return f != NULL ? f : &mcp_wait_seconds;
}

/* ---- schemas ---- */

static void mcp_schema_set(json_t *schema, const char *key, json_t *value)
{
	(void)json_object_set_new(schema, key, memory_have(value));
}

/* A bound that no number reaches is none. */
static void mcp_schema_bound(json_t *schema, const char *key, int64_t bound)
{
	if (bound != INT64_MIN && bound != INT64_MAX) {
		mcp_schema_set(schema, key, json_integer(bound));
	}
}

static json_t *mcp_schema_words(const struct words *words, int64_t first, int64_t last)
{
	json_t *all = json_array();
	for (int64_t i = first; i <= last; i++) {
		(void)json_array_append_new(all, json_string(words_text(words, (int)i)));
	}
	return all;
}

static json_t *mcp_schema_record(const struct record *rec, const struct record *required);

/* Of what is counted in bytes there are no more characters; only keys and codes have more than one byte at least, and those are ASCII. */
static json_t *mcp_schema_field(const struct field *f, const struct words *each)
{
	json_t *s = json_object();
	json_t *items = NULL;
	switch (f->kind) {
	case FIELD_BOOL:
		mcp_schema_set(s, "type", json_string("boolean"));
		return s;
	case FIELD_NUM:
		mcp_schema_set(s, "type", json_string("number"));
		return s;
	case FIELD_INT:
		mcp_schema_set(s, "type", json_string("integer"));
		mcp_schema_bound(s, "minimum", f->min);
		mcp_schema_bound(s, "maximum", f->max);
		return s;
	case FIELD_STR:
	case FIELD_TEXT:
		mcp_schema_set(s, "type", json_string("string"));
		mcp_schema_bound(s, "minLength", f->min);
		mcp_schema_bound(s, "maxLength",
				 (f->flags & FIELD_CHARS) != 0 ? (int64_t)f->cells : f->max);
		return s;
	case FIELD_ENUM:
		mcp_schema_set(s, "type", json_string("string"));
		mcp_schema_set(s, "enum", mcp_schema_words(f->words, f->min, f->max));
		return s;
	case FIELD_STRS:
		items = json_object();
		mcp_schema_set(items, "type", json_string("string"));
		if (each != NULL) {
			mcp_schema_set(items, "enum", mcp_schema_words(each, 0, each->n - 1));
		} else if (f->cells > 0) {
			mcp_schema_bound(items, "minLength", 1);
			mcp_schema_bound(items, "maxLength", (int64_t)f->cells);
		}
		break;
	case FIELD_RECS:
		items = mcp_schema_record(f->of, f->of);
		break;
	case FIELD_REC:
		json_decref(s);
		return mcp_schema_record(f->of, f->of);
	case FIELD_ANY:
		return s;
	}
	mcp_schema_set(s, "type", json_string("array"));
	mcp_schema_set(s, "items", items);
	mcp_schema_bound(s, "minItems", f->min);
	mcp_schema_bound(s, "maxItems", f->max);
	return s;
}

static void mcp_schema_add(json_t *schema, const char *name, const struct field *f,
			   const struct words *each, const char *help, bool is_required)
{
	json_t *s = mcp_schema_field(f, each);
	mcp_schema_set(s, "description", json_string(help));
	(void)json_object_set_new(json_object_get(schema, "properties"), name, s);
	if (is_required) {
		(void)json_array_append_new(json_object_get(schema, "required"), json_string(name));
	}
}

static json_t *mcp_schema_begin(void)
{
	return memory_have(
		json_pack("{s:s, s:{}, s:[]}", "type", "object", "properties", "required"));
}

/* @required  in which record a field has to be there, too, for it to be required here. */
static json_t *mcp_schema_record(const struct record *rec, const struct record *required)
{
	json_t *schema = mcp_schema_begin();
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		const struct field *same = record_field(required, slice_str(f->name));
		bool is_required = same != NULL && (f->flags & same->flags & FIELD_REQ) != 0;
		mcp_schema_add(schema, f->name, f, NULL, f->help, is_required);
	}
	return schema;
}

static json_t *mcp_schema_input(const struct mcp_tool *tool)
{
	json_t *schema = mcp_schema_begin();
	for (const struct mcp_argument *a = tool->arguments; a->name != NULL; a++) {
		const struct field *f = mcp_argument_field(tool, a);
		/* The type follows from the options where it is not given. */
		bool is_required = (f->flags & FIELD_REQ) != 0 && f->kind != FIELD_ENUM;
		mcp_schema_add(schema, a->name, f, a->each, a->help != NULL ? a->help : f->help,
			       is_required);
	}
	mcp_schema_set(schema, "additionalProperties", json_false());
	return schema;
}

json_t *mcp_tool_describe(const struct mcp_tool *tool)
{
	json_t *output = mcp_schema_record(&record_question_view, tool->answers);
	mcp_schema_set(output, "description",
		       json_string("The question and its answers; times are ms since 1970, UTC"));
	const struct field *cursor = record_field(&record_question_get_result, SLICE("cursor"));
	mcp_schema_add(output, "cursor", cursor, NULL,
		       "For the answers that did not fit: the cursor of the next check; absent if "
		       "all are here",
		       false);
	return memory_have(json_pack("{s:s, s:s, s:s, s:o, s:o, s:{s:s, s:b, s:b, s:b, s:b}}",
				     "name", tool->name, "title", tool->title, "description",
				     tool->description, "inputSchema", mcp_schema_input(tool),
				     "outputSchema", output, "annotations", "title", tool->title,
				     "readOnlyHint", tool->is_read_only, "destructiveHint", 0,
				     "idempotentHint", tool->is_read_only, "openWorldHint", 1));
}

/* ---- arguments ---- */

static void mcp_refuse_argument(struct request *r, const char *name, const char *claim)
{
	if (r->fault.code == FAULT_NONE) {
		(void)fault_field(&r->fault, name, "%s", claim);
	}
}

/* NULL and noted where it is no text that C can have. */
static const char *mcp_argument_text(struct request *r, const char *field, const json_t *value)
{
	const char *text = json_string_value(value);
	if (text == NULL || strlen(text) != json_string_length(value)) {
		mcp_refuse_argument(r, field,
				    text == NULL ? "must be text"
						 : "must not contain a NUL character");
		return NULL;
	}
	return text;
}

static void mcp_set_list(struct request *r, const struct field *f, const json_t *value)
{
	size_t n = json_array_size(value);
	if (!json_is_array(value) || (int64_t)n > f->max) {
		char claim[64];
		(void)format_to(claim, sizeof(claim), "must be a list of %lld to %lld texts",
				(long long)f->min, (long long)f->max);
		mcp_refuse_argument(r, f->name, claim);
		return;
	}
	struct slices texts = {
		.items = memory_have(arena_alloc(&r->texts, (n + 1) * sizeof(*texts.items))),
	};
	for (; texts.n < n; texts.n++) {
		const char *text = mcp_argument_text(r, f->name, json_array_get(value, texts.n));
		if (text == NULL) {
			return;
		}
		texts.items[texts.n] = slice_str(text);
	}
	request_texts(r, f->name, &texts);
}

/* An integer also as a number that is integral: JSON has but one kind. */
static void mcp_set_integer(struct request *r, const struct field *f, const json_t *value,
			    int64_t *wait_seconds)
{
	double number = json_number_value(value);
	if (!json_is_number(value) || !(number > -1e15 && number < 1e15) ||
	    (double)(int64_t)number != number) {
		mcp_refuse_argument(r, f->name, "must be a whole number");
		return;
	}
	if (f != &mcp_wait_seconds) {
		request_int(r, f->name, (int64_t)number);
	} else if ((int64_t)number >= f->min && (int64_t)number <= f->max) {
		*wait_seconds = (int64_t)number;
	} else {
		char claim[64];
		(void)format_to(claim, sizeof(claim), "must be %lld to %lld", (long long)f->min,
				(long long)f->max);
		mcp_refuse_argument(r, f->name, claim);
	}
}

static void mcp_set_argument(struct request *r, const struct field *f, const json_t *value,
			     int64_t *wait_seconds)
{
	const char *text;
	switch (f->kind) {
	case FIELD_INT:
		mcp_set_integer(r, f, value, wait_seconds);
		return;
	case FIELD_STRS:
		mcp_set_list(r, f, value);
		return;
	case FIELD_STR:
	case FIELD_TEXT:
	case FIELD_ENUM:
		text = mcp_argument_text(r, f->name, value);
		if (text != NULL) {
			request_text(r, f->name, text);
		}
		return;
	case FIELD_BOOL:
	case FIELD_NUM:
	case FIELD_REC:
	case FIELD_RECS:
	case FIELD_ANY:
		break;
	}
	mcp_refuse_argument(r, f->name, "is not allowed"); /* no tool takes such */
}

static void mcp_refuse_unknown(const struct mcp_tool *tool, struct request *r)
{
	char claim[sizeof(r->fault.message)];
	size_t len = format_to(claim, sizeof(claim), "unknown argument; the arguments are");
	for (const struct mcp_argument *a = tool->arguments; a->name != NULL; a++) {
		len += format_to(claim + len, sizeof(claim) - len, " %s", a->name);
	}
	mcp_refuse_argument(r, "", claim);
}

/* What a model writes for "none": it is not there. */
static bool mcp_is_none(const json_t *value)
{
	return json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0);
}

/* Agents name a question by their task: such a key is made as long as the server wants one of a guest. */
static void mcp_lengthen_key(struct request *r)
{
	static const unsigned char nobody[SEED_BYTES];
	const struct question_ask_params *p = r->params;
	if (p->idempotency_key.len > 0 && p->idempotency_key.len < MAX_ONCE_BYTES_MIN) {
		struct key_text key = key_hash(nobody, "mcp", p->idempotency_key);
		request_text(r, "idempotency_key", key.text);
	}
}

struct request *mcp_tool_request(const struct mcp_tool *tool, json_t *arguments,
				 int64_t *wait_seconds)
{
	struct request *r = request_make(tool->method);
	const char *name;
	json_t *value;
	json_object_foreach(arguments, name, value)
	{
		const struct mcp_argument *a = mcp_argument_find(tool, name);
		if (a == NULL) {
			mcp_refuse_unknown(tool, r);
		} else if (!mcp_is_none(value)) {
			mcp_set_argument(r, mcp_argument_field(tool, a), value, wait_seconds);
		}
	}
	if (tool->method == METHOD_QUESTION_ASK && !request_has(r, "type")) {
		bool is_choice = request_has(r, "options");
		request_text(r, "type",
			     words_text(&words_question_type,
					is_choice ? QUESTION_CHOICE : QUESTION_TEXT));
	}
	if (tool->method == METHOD_QUESTION_ASK) {
		mcp_lengthen_key(r);
	}
	for (const struct mcp_argument *a = tool->arguments; a->name != NULL; a++) {
		const struct field *f = mcp_argument_field(tool, a);
		if ((f->flags & FIELD_REQ) != 0 && !request_has(r, a->field)) {
			mcp_refuse_argument(r, a->field, "is missing");
		}
	}
	return r;
}

/* The field may be a path, as options[3]: what is behind its name stays. */
void mcp_tool_explain(const struct mcp_tool *tool, const struct fault *f, char *out, size_t cap)
{
	size_t len = strcspn(f->field, ".[");
	const struct mcp_argument *a = tool->arguments;
	while (a->name != NULL &&
	       (strlen(a->field) != len || strncmp(a->field, f->field, len) != 0)) {
		a++;
	}
	if (a->name == NULL) {
		fault_line(f, out, cap);
	} else {
		(void)format_to(out, cap, "%s%s %s", a->name, f->field + len, f->message);
	}
}
