/*
 * test_messages.c - messages and their params, written as JSON and sent as
 * MessagePack: what is answered, what is refused, and which field is blamed.
 */
#include "tests/unit/proto/frames.h"

#include "proto/base/format.h"

#define ROOM "\"room_id\":\"K7QX3M\""
#define KEY  "\"0123456789012345678901234567890123456789012\""

static const struct {
	const char *json;
	enum outcome want;
	const char *field;
} message_rows[] = {
	/* No message that could be answered. */
	{"[3]", NO_MESSAGE, NULL},
	{"[-1,1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[0]", NO_MESSAGE, NULL},
	{"[0,null,\"z\",[]]", NO_MESSAGE, NULL},
	{"[0,-1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[0,4294967296,\"z\",[]]", NO_MESSAGE, NULL},
	{"[0,1.5,\"z\",[]]", NO_MESSAGE, NULL},
	{"[0,\"1\",\"z\",[]]", NO_MESSAGE, NULL},
	{"[0,[1],\"z\",[]]", NO_MESSAGE, NULL},
	{"[\"0\",1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[null,1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[[0],1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[true,1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[0.0,1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[9,1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[9223372036854775807,1,\"z\",[]]", NO_MESSAGE, NULL},
	{"[1]", NO_MESSAGE, NULL},
	{"[1,1]", NO_MESSAGE, NULL},
	{"[1,1,null]", NO_MESSAGE, NULL},
	{"[1,1,null,null,null]", NO_MESSAGE, NULL},
	{"[1,-1,null,null]", NO_MESSAGE, NULL},
	{"[2]", NO_MESSAGE, NULL},
	{"[2,\"z\"]", NO_MESSAGE, NULL},
	{"[2,\"z\",[],1]", NO_MESSAGE, NULL},
	{"{\"method\":\"room.vote\"}", NO_MESSAGE, NULL},
	{"\"room.vote\"", NO_MESSAGE, NULL},
	/* Requests that have a msgid and something else wrong. */
	{"[0,1]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\"]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",[],1]", ANSWERABLE, NULL},
	{"[0,1,{\"room\":\"vote\"},[]]", ANSWERABLE, NULL},
	{"[0,1,null,[]]", ANSWERABLE, NULL},
	{"[0,1,7,[]]", ANSWERABLE, NULL},
	{"[0,1,[\"room.vote\"],[]]", ANSWERABLE, NULL},
	{"[0,1,true,[]]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",{}]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",null]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",\"K7QX3M\"]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",[null]]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",[\"K7QX3M\"]]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",[[]]]", ANSWERABLE, NULL},
	{"[0,1,\"room.vote\",[{},{}]]", ANSWERABLE, NULL},
	{"[0,4294967295,\"room.vote\",[5]]", ANSWERABLE, NULL},
	/* Methods there are none of. */
	{"[0,1,\"\",[]]", UNKNOWN, NULL},
	{"[0,1,\"room\",[]]", UNKNOWN, NULL},
	{"[0,1,\"room.vot\",[]]", UNKNOWN, NULL},
	{"[0,1,\"room.votes\",[]]", UNKNOWN, NULL},
	{"[0,1,\"ROOM.VOTE\",[]]", UNKNOWN, NULL},
	{"[0,1,\"room.vote\\u0000\",[]]", UNKNOWN, NULL},
	{"[0,1,\"room.update\",[]]", UNKNOWN, NULL},
	/* Not for other messages than requests. */
	{"[1,1,null,null]", OTHER_MESSAGE, NULL},
	{"[1,1,{\"code\":\"CONFLICT\"},null]", OTHER_MESSAGE, NULL},
	{"[2,\"room.update\",[]]", OTHER_MESSAGE, NULL},
	{"[2,\"room.update\",[{}]]", OTHER_MESSAGE, NULL},
	{"[2,\"z\",{}]", OTHER_MESSAGE, NULL},
	{"[2,\"z\",[1]]", OTHER_MESSAGE, NULL},
	{"[2,1,[]]", OTHER_MESSAGE, NULL},
	/* Good ones, each next to the bad ones below. */
	{"[0,1,\"server.ping\",[]]", TAKEN, NULL},
	{"[0,0,\"server.ping\",[{}]]", TAKEN, NULL},
	{"[0,4294967295,\"server.ping\",[{}]]", TAKEN, NULL},
	{"[0,1,\"session.hello\",[{\"protocol\":1,\"client\":\"z\"}]]", TAKEN, NULL},
	{"[0,1,\"session.hello\",[{\"client\":\"z\",\"protocol\":1000}]]", TAKEN, NULL},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"5\"}]]", TAKEN, NULL},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"5\",\"user_key\":" KEY "}]]", TAKEN, NULL},
	{"[0,1,\"room.create\",[]]", TAKEN, NULL},
	{"[0,1,\"room.create\",[{\"title\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.create\",[{\"title\":\"\"}]]", TAKEN, NULL},
	{"[0,1,\"room.create\",[{\"valid_sizes\":[]}]]", TAKEN, NULL},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":{\"epoch\":1,\"version\":2}}]]", TAKEN,
	 NULL},
	/* Params that the rows do not allow. */
	{"[0,1,\"server.ping\",[{\"z\":1}]]", REFUSED, "z"},
	{"[0,1,\"session.hello\",[]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":1}]]", REFUSED, "client"},
	{"[0,1,\"session.hello\",[{\"client\":\"z\"}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":0,\"client\":\"z\"}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":1001,\"client\":\"z\"}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":-1,\"client\":\"z\"}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":-9223372036854775808}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":9223372036854775807}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":1.25}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":\"1\"}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":true}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":null}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":[1]}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"protocol\":{\"v\":1}}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"client\":\"\"}]]", REFUSED, "client"},
	{"[0,1,\"session.hello\",[{\"client\":7}]]", REFUSED, "client"},
	{"[0,1,\"session.hello\",[{\"client\":null}]]", REFUSED, "client"},
	{"[0,1,\"session.hello\",[{\"protocol\":1,\"client\":\"z\",\"version\":2}]]", REFUSED,
	 "version"},
	{"[0,1,\"session.hello\",[{\"Protocol\":1}]]", REFUSED, "Protocol"},
	{"[0,1,\"session.hello\",[{\"protocol \":1}]]", REFUSED, "protocol"},
	{"[0,1,\"session.hello\",[{\"\":1}]]", REFUSED, "?"},
	{"[0,1,\"session.hello\",[{\"\\u001b[2J\":1}]]", REFUSED, "\xef\xbf\xbd[2J"},
	{"[0,1,\"session.hello\",[{\"a\\u202eb\":1}]]", REFUSED, "ab"},
	{"[0,1,\"room.get\",[]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{\"room_id\":\"K7QX3\"}]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{\"room_id\":\"K7QX3MK7QX3MK7QX3\"}]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{\"room_id\":null}]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{\"room_id\":123456}]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{\"room_id\":[\"K7QX3M\"]}]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{\"room_id\":{\"K7QX3M\":1}}]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{\"room_id\":false}]]", REFUSED, "room_id"},
	{"[0,1,\"room.get\",[{" ROOM ",\"user_key\":" KEY "}]]", REFUSED, "user_key"},
	{"[0,1,\"room.vote\",[{" ROOM "}]]", REFUSED, "vote"},
	{"[0,1,\"room.vote\",[{\"vote\":\"5\"}]]", REFUSED, "room_id"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":5}]]", REFUSED, "vote"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":0.5}]]", REFUSED, "vote"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":true}]]", REFUSED, "vote"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":[\"5\"]}]]", REFUSED, "vote"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"\"}]]", REFUSED, "vote"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"5\",\"votes\":\"5\"}]]", REFUSED, "votes"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"5\",\"user_key\":\"short\"}]]", REFUSED,
	 "user_key"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"5\",\"user_key\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"5\",\"idempotency_key\":\"\"}]]", REFUSED,
	 "idempotency_key"},
	{"[0,1,\"room.vote\",[{" ROOM ",\"vote\":\"5\",\"idempotency_key\":1}]]", REFUSED,
	 "idempotency_key"},
	{"[0,1,\"room.join\",[{" ROOM "}]]", TAKEN, NULL},
	{"[0,1,\"room.join\",[{" ROOM ",\"username\":\"\"}]]", REFUSED, "username"},
	{"[0,1,\"room.join\",[{" ROOM ",\"username\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.join\",[{" ROOM ",\"username\":\"z\",\"is_bot\":1}]]", REFUSED, "is_bot"},
	{"[0,1,\"room.join\",[{" ROOM ",\"username\":\"z\",\"is_bot\":\"true\"}]]", REFUSED,
	 "is_bot"},
	{"[0,1,\"room.join\",[{" ROOM ",\"username\":\"z\",\"is_bot\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.join\",[{" ROOM ",\"username\":\"z\",\"role\":\"\"}]]", REFUSED, "role"},
	{"[0,1,\"room.join\",[{" ROOM ",\"username\":\"z\",\"role\":\"0123456789abcdefg\"}]]",
	 REFUSED, "role"},
	{"[0,1,\"room.create\",[{\"valid_sizes\":\"1 2 3\"}]]", REFUSED, "valid_sizes"},
	{"[0,1,\"room.create\",[{\"valid_sizes\":{\"1\":2}}]]", REFUSED, "valid_sizes"},
	{"[0,1,\"room.create\",[{\"valid_sizes\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.create\",[{\"valid_sizes\":[1,2]}]]", REFUSED, "valid_sizes[0]"},
	{"[0,1,\"room.create\",[{\"valid_sizes\":[\"1\",null]}]]", REFUSED, "valid_sizes[1]"},
	{"[0,1,\"room.create\",[{\"valid_sizes\":[\"1\",[\"2\"]]}]]", REFUSED, "valid_sizes[1]"},
	{"[0,1,\"room.create\",[{\"deck\":\"\"}]]", REFUSED, "deck"},
	{"[0,1,\"room.create\",[{\"deck\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.create\",[{\"title\":5}]]", REFUSED, "title"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":1}]]", REFUSED, "since"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":null}]]", TAKEN, NULL},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":[]}]]", REFUSED, "since"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":{}}]]", REFUSED, "since.epoch"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":{\"epoch\":1}}]]", REFUSED, "since.version"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":{\"epoch\":-1}}]]", REFUSED, "since.epoch"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":{\"epoch\":1.5}}]]", REFUSED, "since.epoch"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":{\"version\":\"2\"}}]]", REFUSED,
	 "since.version"},
	{"[0,1,\"room.subscribe\",[{" ROOM ",\"since\":{\"epoch\":1,\"version\":2,\"z\":3}}]]",
	 REFUSED, "since.z"},
	{"[0,1,\"room.set_revealed\",[{" ROOM "}]]", REFUSED, "is_revealed"},
	{"[0,1,\"room.set_revealed\",[{" ROOM ",\"is_revealed\":0}]]", REFUSED, "is_revealed"},
	{"[0,1,\"room.set_title\",[{" ROOM "}]]", REFUSED, "title"},
	{"[0,1,\"room.kick\",[{" ROOM ",\"user_id\":\"\"}]]", REFUSED, "user_id"},
	{"[0,1,\"room.claim_host\",[{" ROOM "}]]", REFUSED, "host_key"},
};

FRAME_TEST(test_messages_end_as_their_rows_say, f)
{
	for (size_t i = 0; i < sizeof(message_rows) / sizeof(message_rows[0]); i++) {
		check_json(f, message_rows[i].json, message_rows[i].want, message_rows[i].field);
	}
}

/* JSON cannot say a name twice, so these are bytes. */
FRAME_TEST(test_a_field_that_is_there_twice_is_refused, f)
{
	static const struct slice twice =
		BYTES("\x94\x00\x01\xa8room.get\x91\x82\xa7room_id\xa6K7QX3M\xa7room_id\xa6K7QX3M");
	static const struct slice inner =
		BYTES("\x94\x00\x01\xaeroom.subscribe\x91\x82\xa7room_id\xa6K7QX3M\xa5since\x83\xa5"
		      "epoch\x01"
		      "\xa7version\x01\xa5"
		      "epoch\x01");
	check(f, twice, REFUSED, "room_id");
	check(f, inner, REFUSED, "since.epoch");
}

FRAME_TEST(test_text_longer_than_its_row_is_refused, f)
{
	static const struct {
		const char *method, *field;
		size_t max;
	} rows[] = {
		{"session.hello", "client", 128},
		{"room.join", "username", 4 * MAX_NAME_BYTES},
		{"room.vote", "vote", 4 * MAX_CARD_BYTES},
		{"room.set_title", "title", MAX_TITLE_BYTES},
		{"room.vote", "idempotency_key", 64},
		{"room.kick", "user_id", 64},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[2048], json[2200];
		memset(text, 'z', sizeof(text));
		for (size_t len = rows[i].max + 1; len <= 2000; len += 700) {
			format_to(json, sizeof(json), "[0,1,\"%s\",[{\"%s\":\"%.*s\"}]]",
				  rows[i].method, rows[i].field, (int)len, text);
			check_json(f, json, REFUSED, rows[i].field);
		}
	}
}

FRAME_TEST(test_lists_longer_than_their_row_are_refused, f)
{
	char json[1024] = "[0,1,\"room.create\",[{\"valid_sizes\":[\"0\"";
	for (int i = 1; i <= 64; i++) {
		strcat(json, ",\"9\"");
	}
	strcat(json, "]}]]");
	check_json(f, json, REFUSED, "valid_sizes");
	memset(json, 0, sizeof(json));
	strcpy(json, "[0,1,\"room.create\",[{\"valid_sizes\":[\"0\",\"");
	memset(json + strlen(json), 'z', MAX_CARD_BYTES + 1);
	strcat(json, "\"]}]]");
	check_json(f, json, REFUSED, "valid_sizes[1]");
}

FRAME_TEST(test_a_long_unknown_name_is_cut_in_the_answer, f)
{
	char json[400];
	format_to(json, sizeof(json), "[0,1,\"server.ping\",[{\"%0300d\":1}]]", 0);
	char want[33];
	memset(want, '0', 32);
	want[32] = '\0';
	check_json(f, json, REFUSED, want);
}

FRAME_TEST(test_at_least_a_hundred_bad_frames_were_tried, f)
{
	assert_true(f->frames >= 100);
}

int main(void)
{
	return test_run(fixture_open, fixture_close);
}
