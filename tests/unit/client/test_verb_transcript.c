/*
 * test_verb_transcript.c - each verb as a stranger, as a member and as the host: what is
 * sent for it, what is printed, and how it ends, compared with tests/unit/client/verbs.txt.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#include "client/state/state_login.h"
#include "proto/json.h"
#include "tests/support/difference.h"

#define CARD_TOO_LONG "12345678901234567890123456789012345678901234567890123456789012345"
#define TRANSCRIPT    "tests/unit/client/verbs.txt"

/* With a room in it, a line is run as a stranger, as a member, and twice as the host. */
static const char *const lines[] = {
	"room|show|" CODE,
	"room|create|--title|T|--deck|1 2 3",
	"room|reveal|" CODE,
	"room|hide|" CODE,
	"room|reset|" CODE,
	"room|title|" CODE "|T",
	"room|title|" CODE,
	"room|title|" CODE "|caf\xc3\xa9 \xff",
	"room|links|" CODE "|https://x.example/{key}",
	"room|links|" CODE "|",
	"room|create|--link-template|https://x.example/{key}",
	"room|deck|" CODE "|tshirt",
	"room|deck|" CODE "|nosuch",
	"room|deck|" CODE "|1|" CARD_TOO_LONG,
	"room|create|--deck|1 " CARD_TOO_LONG,
	"room|create|--deck|tshirt",
	"room|create|--async|--until|2d|--quorum|5",
	"room|create|--async|--json",
	"room|create|--async|--all",
	"room|create|--quorum|3",
	"room|create|--quorum|3|auto_reveal=off",
	"room|create|auto_reveal=on|who_reveals=everyone",
	"room|create|autoreveal=on",
	"room|create|--async|--until|90d",
	"room|create|--until|2",
	"room|create|--until|91d",
	"room|create|--quorum|many",
	"room|deck|" CODE "|1|2|3,XL",
	"room|kick|" CODE "|Grace",
	"room|kick|" CODE "|U2",
	"room|kick|" CODE "|Nobody",
	"room|unkick|" CODE "|Grace",
	"room|policy|" CODE,
	"room|policy|" CODE "|locked=on|who_reveals=everyone",
	"room|policy|" CODE "|locked=maybe",
	"room|policy|" CODE "|keep_votes=on|quorum=5",
	"room|policy|" CODE "|quorum=some",
	"room|policy|" CODE "|nonsense=on",
	"room|policy|" CODE "|locked",
	"room|policy|" CODE "|who_reveals=nobody",
	"room|policy|" CODE "|passcode=off",
	"room|policy|" CODE "|passcode=sesame",
	"room|admit|" CODE "|Grace",
	"room|reject|" CODE "|Grace",
	"room|host|" CODE "|Grace",
	"room|unhost|" CODE "|Grace",
	"room|pause|" CODE "|10",
	"room|pause|" CODE "|0",
	"room|pause|" CODE "|soon",
	"room|pause|" CODE "|1441",
	"room|keep|" CODE "|3",
	"room|keep|" CODE "|x",
	"room|keep|" CODE "|91",
	"story|add|" CODE "|T",
	"story|add|" CODE
	"|T|--key|K-1|--link|http://l.example|--description|N|--estimate|5|--status|done|--after|1",
	"story|add|" CODE "|T|--status|voting",
	"story|add|" CODE "|T|--before|Nothing",
	"story|update|" CODE
	"|S1|--title|T|--link|http://l.example|--description|N|--estimate|5|--status|skipped",
	"story|update|" CODE "|Story|--title=",
	"story|update|" CODE "|1|--key=|--link=|--description=|--estimate=",
	"story|update|" CODE "|1|--link|not-an-address",
	"story|update|" CODE "|1|--status|x",
	"story|move|" CODE "|S1",
	"story|move|" CODE "|S1|--before|S1",
	"story|move|" CODE "|S1|--after|Story",
	"story|move|" CODE "|S1|--after|S1|--before|1",
	"story|remove|" CODE "|1",
	"story|remove|" CODE "|-",
	"story|restore|" CODE "|S1",
	"story|select|" CODE "|S1",
	"story|select|" CODE "|stor",
	"story|select|" CODE "|-",
	"story|next|" CODE,
	"story|import|" CODE,
	"story|import|" CODE "|x|--from|c_7HQ2MB4XNA",
	"story|list|" CODE "|--all",
	"round|list|" CODE "|--limit|3",
	"round|list|" CODE "|--limit|0",
	"round|again|" CODE,
	"round|undo|" CODE,
	"round|settle|" CODE "|5",
	"round|settle|" CODE "|-",
	"vote|" CODE "|5|--story|S1",
	"vote|" CODE "|-|--story|S1",
	"vote|" CODE "|5|--story|S1|--bot",
	"vote|" CODE "|5|--story|S1|--wait",
	"vote|" CODE "|5|--story|Nothing",
	"room|reveal|" CODE "|--story|S1",
	"round|settle|" CODE "|5|--story|S1",
	"round|settle-all|" CODE,
	"reveal|cancel|" CODE,
	"reveal|arm|" CODE,
	"reveal|arm|" CODE "|--off",
	"timer|start|" CODE "|90s",
	"timer|start|" CODE "|5m|--reveal",
	"timer|start|" CODE,
	"timer|start|" CODE "|2d",
	"timer|start|" CODE "|0.01",
	"timer|stop|" CODE,
	"nudge|" CODE,
	"nudge|" CODE "|Grace",
	"react|" CODE "|tea",
	"data|get|" CODE "|map|notes",
	"data|get|" CODE "|list|notes",
	"data|get|" CODE "|presence|notes|k",
	"data|set|" CODE "|map|notes|k|1",
	"data|set|" CODE "|map|notes|k|plain text",
	"data|set|" CODE "|map|notes|k|{\"n\":[1,2.5,null,\"\xc3\xa9\"]}|--if-revision|4",
	"data|set|" CODE "|map|notes|k|{\"n\":1,\"n\":2}",
	"data|set|" CODE "|map|notes|k",
	"data|set|" CODE "|map|notes|k|1|--if-revision|x",
	"data|set|" CODE "|list|agenda|E1|1",
	"data|set|" CODE "|presence|here|\"x\"|--timeout|1",
	"data|set|" CODE "|presence|here|k|1",
	"data|set|" CODE "|heap|here|1",
	"data|remove|" CODE "|map|notes|k|--if-revision|0",
	"data|remove|" CODE "|map|notes",
	"data|remove|" CODE "|list|agenda|E1",
	"data|remove|" CODE "|presence|here",
	"data|remove|" CODE "|presence|here|--if-revision|1",
	"data|push|" CODE "|list|agenda|1",
	"data|push|" CODE "|map|agenda|1",
	"data|insert|" CODE "|list|agenda|before|E1|1",
	"data|insert|" CODE "|list|agenda|near|E1|1",
	"data|move|" CODE "|list|agenda|E1|after|E2",
	"data|create|" CODE "|map|notes",
	"data|create|" CODE "|list|agenda",
	"data|create|" CODE "|presence|here",
	"data|delete|" CODE "|map|notes",
	"data|delete|" CODE "|list|agenda",
	"data|delete|" CODE "|presence|here",
	"data|create|" CODE "|map|\xff",
	"ask|Ship it "
	"today?|-o|yes|-o|no|--need|3|--open|1h|--audience|product|--audience|technical",
	"ask|Ship it today?|--room|" CODE "|--anonymous",
	"ask|?",
	"ask|Ship it today?|-o|yes",
	"ask|Ship it today?|--need|0",
	"ask|Ship it today?|--open|31d",
	"ask|Ship it today?|-o|yes|-o|no|--expect|yes",
	"answer|q_1|yes|--sure|4|--comment|because",
	"answer|q_1",
	"answer|q_1|yes|--sure|6",
	"question|list|--audience|product|--limit|5",
	"question|mine|--status|open",
	"question|mine|--status|new",
	"question|show|q_1",
	"question|skip|q_1",
	"question|cancel|q_1",
	"board|--week|--limit|3",
	"board|--limit|0",
	"stats",
	"notify|on|--every|2h|--audience|ethics",
	"notify|on|--command|ada@example.org",
	"notify|on|--every|1m",
	"notify|list",
	"notify|off|s_1",
	"notify|off",
	"team|new|Payments|Sprint 42",
	"team|list",
	"team|show|g_7hq2mb4xna",
	"team|show|g_7HQ2MB4XNA|--json",
	"team|show|Payments",
	"team|users|g_7HQ2MB4XNA",
	"team|rooms|g_7HQ2MB4XNA",
	"team|rename|g_7HQ2MB4XNA|Billing",
	"team|role|g_7HQ2MB4XNA|Grace|owner",
	"team|role|g_7HQ2MB4XNA|Grace|boss",
	"team|remove|g_7HQ2MB4XNA|Grace",
	"team|leave|g_7HQ2MB4XNA",
	"team|delete|g_7HQ2MB4XNA",
	"team|delete|g_7HQ2MB4XNA|--yes",
	"team|delete|g_7HQ2MB4XNA|--yes|--json",
	"room|create|--team|g_7HQ2MB4XNA",
	"room|create|--team|Payments",
	"team|join|7hq2k7qx3hq2mb4xnawp",
	"invite|g_7HQ2MB4XNA|--ends|7d|--uses|5|--json",
	"invite|g_7HQ2MB4XNA|--ends|31d",
	"invite|g_7HQ2MB4XNA|--uses|0",
	"invite|list|g_7HQ2MB4XNA",
	"invite|renew|g_7HQ2MB4XNA|i_7HQ2MB4XNA|--ends|90m",
	"invite|revoke|g_7HQ2MB4XNA|i_7HQ2MB4XNA",
	"backlog|new|g_7HQ2MB4XNA|Sprint 42",
	"backlog|list",
	"backlog|list|g_7HQ2MB4XNA|--json",
	"backlog|show|c_7HQ2MB4XNA",
	"backlog|show|Pantry",
	"backlog|rename|c_7HQ2MB4XNA|Sprint 43",
	"backlog|delete|c_7HQ2MB4XNA",
	"backlog|delete|c_7HQ2MB4XNA|--yes",
	"backlog|import|c_7HQ2MB4XNA|/nowhere/at/all",
	"backlog|import|c_7HQ2MB4XNA|-|--format|xml",
	"backlog|export|c_7HQ2MB4XNA|--format|text",
	"backlog|export|c_7HQ2MB4XNA",
	"item|add|c_7HQ2MB4XNA|Milk|--quantity|2|--unit|l|--expiry|2026-12-24|--category|dairy|--"
	"note|N",
	"item|add|c_7HQ2MB4XNA|Milk|--quantity|1e3",
	"item|add|c_7HQ2MB4XNA|Milk|--expiry|soon",
	"item|set|c_7HQ2MB4XNA|i_7HQ2MB4XNA|--quantity=|--expiry=|--note=|--unit=|--name|Milch",
	"item|set|c_7HQ2MB4XNA|i_7HQ2MB4XNA|--quantity|3|--if-revision|2",
	"item|adjust|c_7HQ2MB4XNA|i_7HQ2MB4XNA|-1.5",
	"item|adjust|c_7HQ2MB4XNA|i_7HQ2MB4XNA|some",
	"item|move|c_7HQ2MB4XNA|i_7HQ2MB4XNA|c_7HQ2MB4XNB",
	"item|remove|c_7HQ2MB4XNA|i_7HQ2MB4XNA|--yes",
	"item|remove|c_7HQ2MB4XNA|Milk",
	"item|list|c_7HQ2MB4XNA",
	"item|expiring|g_7HQ2MB4XNA|2026-12-24",
	"item|expiring|g_7HQ2MB4XNA|now",
	"server|stats",
	"server|known",
	"server|known|--json",
	"server|forget|[::1]:2937",
	"logout",
	"room|delete|" CODE "|--yes",
	"room|reset|1O1O1O",
	"room|reset",
	"jion|" CODE,
	"room|kik|" CODE "|Grace",
	"new|--color|8",
	"help|story",
	"help|invite",
	"completion|bash",
};

/* What is new each time as this word, which is no longer. */
static void mask(char *json, const char *field, const char *word)
{
	char *value = strstr(json, field);
	if (value != NULL) {
		value += strlen(field);
		memcpy(value, word, strlen(word));
		memmove(value + strlen(word), strchr(value, '"'), strlen(strchr(value, '"')) + 1);
	}
}

/* The requests but for session.hello. */
static void write_requests(struct verb_desk *d, FILE *to)
{
	for (size_t i = 0; i < d->server.requests_n; i++) {
		const struct scripted_request *r = &d->server.requests[i];
		struct buf json;
		if (r->method == METHOD_SESSION_HELLO) {
			continue;
		}
		buf_init(&json, 1u << 20);
		bool is_json = json_from_bytes(r->params, &json) == OK;
		(void)buf_append_slice(&json, is_json ? SLICE("") : SLICE("not UTF-8"));
		assert_int_equal(buf_append(&json, "", 1), OK);
		mask(json.data, "\"idempotency_key\":\"", "ONCE");
		mask(json.data, "\"public_key\":\"", "KEY");
		mask(json.data, "\"signature\":\"", "SIGNATURE");
		(void)fprintf(to, "> %s %s\n", method_rows[r->method].name, json.data);
		buf_finish(&json);
	}
}

/* The words that a shell would be given, what was sent, what was printed, and the exit code. */
static void write_run(struct verb_desk *d, FILE *to, const char *who, const char *line)
{
	char words[512];
	struct errmsg why = {""};
	(void)snprintf(words, sizeof(words), "%s", line);
	for (char *at = words; *at != '\0'; at++) {
		*at = *at == '|' ? ' ' : (*at & 0x80) != 0 ? '?' : *at;
	}
	(void)fprintf(to, "\n%s$ aye %s\n", who, words);
	play_room(d, NULL, 0);
	verb_run(d, line);
	/* Whoever asks without a login is new in the next run. */
	assert_int_equal(state_forget_login(&d->state, d->server.address, STATE_LOGIN_ASKER, &why),
			 OK);
	write_requests(d, to);
	(void)fprintf(to, "%s%s", d->out, d->err);
	(void)fprintf(to, "(%d)\n", d->code);
}

/* As the host, and again for programs. */
static void write_runs_as_host(struct verb_desk *d, FILE *to, const char *line)
{
	char json[512];
	(void)snprintf(json, sizeof(json), "%s|--json", line);
	keep_host_key(d);
	write_run(d, to, "host", line);
	keep_host_key(d);
	write_run(d, to, "host", json);
}

TEST(test_each_verb_sends_and_prints_what_the_transcript_has)
{
	static struct verb_desk d;
	char *text = NULL;
	size_t len = 0;
	struct errmsg why = {""};
	FILE *to = open_memstream(&text, &len);
	assert_non_null(to);
	verb_desk_open(&d);
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strstr(lines[i], CODE) == NULL) {
			write_run(&d, to, "", lines[i]);
			continue;
		}
		assert_int_equal(state_forget_room(&d.state, d.server.address, CODE, &why), OK);
		write_run(&d, to, "stranger", lines[i]);
		assert_int_equal(state_forget_room(&d.state, d.server.address, CODE, &why), OK);
		assert_int_equal(state_keep_seat(&d.state, d.server.address, CODE, NULL, "Ada",
						 KEY2, &why),
				 OK);
		write_run(&d, to, "Ada", lines[i]);
		write_runs_as_host(&d, to, lines[i]);
	}
	verb_desk_close(&d);
	assert_int_equal(fclose(to), 0);
	assert_as_file(TRANSCRIPT, text);
	free(text);
}
