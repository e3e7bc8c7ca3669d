/*
 * test_bad_input.c - what peers should not send, and what it costs: an error or
 * a close for the one who sent it, bounded memory, and nothing for anybody else.
 *
 * Frames by themselves are tests/unit/proto's; here it is what becomes of the
 * connection that sends them.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

/* All other peers are as before: nothing was sent to them, and the next vote works. */
static void assert_unnoticed(struct table *t)
{
	assert_string_equal(rig_heard(t->ada), "");
	assert_string_equal(rig_heard(t->bob), "");
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_non_null(strstr(rig_table(t->ada), "bob voted"));
}

static void assert_closed(struct rig_peer *p, const char *reason)
{
	char expected[256];
	snprintf(expected, sizeof(expected), "server.closing {'reason':'%s'}", reason);
	assert_string_equal(rig_next(p), expected);
	assert_false(p->is_open);
}

/* ---- broken frames: an error, and a close ---- */

TABLE_TEST(test_garbage_closes_the_connection_that_sent_it, t)
{
	const struct slice garbage[] = {
		SLICE("\xc1"),
		SLICE("GET / HTTP/1.1\r\n\r\n"),
		SLICE("\x93\x00"
		      "\xc1"),
		SLICE("\xd4\x00\x00"), /* an extension that is all there is */
		SLICE("\x00"),
		SLICE("\x80"),
		SLICE("\x90"),
		SLICE("\x91\x00"),
		SLICE("\x94\x05\x01\xa1x\x90"),
		SLICE("\x94\x00\xff\xa1x\x91\x80"), /* msgid -1 */
	};
	for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		struct rig_peer *cy = rig_guest(&t->r, "cy");
		rig_bytes(cy, garbage[i]);
		assert_closed(cy, "the data received is not MessagePack-RPC");
	}
	assert_unnoticed(t);
}

/* As of a WebSocket whose text is no request; a reason may be long, and repeat what the peer sent. */
TABLE_TEST(test_what_cannot_be_passed_on_closes_with_its_reason, t)
{
	char long_reason[400];
	char cut[201];
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_broken(cy, "id required");
	assert_closed(cy, "id required");
	memset(long_reason, 'a', sizeof(long_reason) - 1);
	long_reason[sizeof(long_reason) - 1] = '\0';
	memcpy(cut, long_reason, sizeof(cut) - 1);
	cut[sizeof(cut) - 1] = '\0';
	cy = rig_guest(&t->r, "cy");
	rig_broken(cy, long_reason);
	assert_closed(cy, cut);
	cy = rig_guest(&t->r, "cy");
	rig_broken(cy, "");
	assert_closed(cy, "the data received is not MessagePack-RPC");
	assert_unnoticed(t);
}

TABLE_TEST(test_claimed_sizes_close_before_they_cost_anything, t)
{
	const struct slice claims[] = {
		SLICE("\xdd\xff\xff\xff\xff"),
		SLICE("\xdf\xff\xff\xff\xff"),
		SLICE("\xdb\xff\xff\xff\xff"),
		SLICE("\xc6\xff\xff\xff\xff"),
		SLICE("\x94\x00\x01\xdb\x00\x9c\x40\x00"),
		SLICE("\xdc\xff\xff"),
	};
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		struct rig_peer *cy = rig_guest(&t->r, "cy");
		rig_bytes(cy, claims[i]);
		assert_closed(cy, "a message was larger or deeper than the limits allow");
	}
	assert_unnoticed(t);
}

TABLE_TEST(test_deep_nesting_closes, t)
{
	char deep[1000];
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	memset(deep, '\x91', sizeof(deep));
	rig_bytes(cy, slice_of(deep, sizeof(deep)));
	assert_closed(cy, "a message was larger or deeper than the limits allow");
	assert_unnoticed(t);
}

TABLE_TEST(test_a_guest_may_send_4096_bytes_and_a_greeted_peer_65536, t)
{
	char text[70000];
	memset(text, 'x', sizeof(text));
	memcpy(text, "\x94\x00\x01\xdb\x00\x00\x10\x00", 8);
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	rig_bytes(cy, slice_of(text, 8));
	assert_closed(cy, "a message was larger or deeper than the limits allow");
	cy = rig_guest(&t->r, "cy");
	rig_bytes(cy, slice_of(text, 8 + 4096));
	assert_true(cy->is_open);
	memcpy(text, "\x94\x00\x01\xdb\x00\x01\x00\x00", 8);
	cy = rig_guest(&t->r, "cy");
	rig_bytes(cy, slice_of(text, sizeof(text)));
	assert_closed(cy, "a message was larger or deeper than the limits allow");
	assert_unnoticed(t);
}

/* ---- bad requests: an error, and the connection lives ---- */

TABLE_TEST(test_a_request_of_the_wrong_shape_gets_an_error_and_lives, t)
{
	const struct slice requests[] = {
		SLICE("\x94\x00\x07\x80\x91\x80"),	    /* a map as method */
		SLICE("\x94\x00\x07\x01\x91\x80"),	    /* a number */
		SLICE("\x94\x00\x07\xc0\x91\x80"),	    /* nil */
		SLICE("\x94\x00\x07\xa1x\x80"),		    /* params no array */
		SLICE("\x94\x00\x07\xa1x\x92\x80\x80"),	    /* two params */
		SLICE("\x94\x00\x07\xa1x\x91\x01"),	    /* the param no map */
		SLICE("\x94\x00\x07\xa1x\x91\x81\x01\x01"), /* a key that is no string */
		SLICE("\x94\x00\x07\xabserver.ping\x91\x91\x80"),
	};
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct rig_peer *cy = rig_guest(&t->r, "cy");
		rig_bytes(cy, requests[i]);
		const char *code = rig_outcome(cy, 7);
		if (strcmp(code, "VALIDATION_ERROR") != 0 && strcmp(code, "UNKNOWN_METHOD") != 0) {
			fail_msg("request %zu: %s", i, code);
		}
		assert_string_equal(rig_code(cy, "server.ping", RIG_NONE), "ok");
	}
	assert_unnoticed(t);
}

/* On the wire each deadline is so long from now, at least a second; 0 clears one, where there is one to clear. */
TABLE_TEST(test_no_deadline_in_the_past_can_be_asked_for, t)
{
	static const struct {
		const char *method;
		bool has_room;
		const char *params, *code;
	} rows[] = {
		{"timer.start", true, "'seconds':0", "VALIDATION_ERROR seconds"},
		{"timer.start", true, "'seconds':-60", "VALIDATION_ERROR seconds"},
		{"room.pause", true, "'seconds':-60", "VALIDATION_ERROR seconds"},
		{"story.add", true, "'title':'x','reveal_in_seconds':-60",
		 "VALIDATION_ERROR reveal_in_seconds"},
		{"story.update", true, "'story_id':'x','reveal_in_seconds':-60",
		 "VALIDATION_ERROR reveal_in_seconds"},
		{"room.create", false, "'reveal_in_seconds':-60",
		 "VALIDATION_ERROR reveal_in_seconds"},
		{"room.vote", true, "'vote':'5','keep_seconds':-60",
		 "VALIDATION_ERROR keep_seconds"},
		{"question.ask", false, "'prompt':'Ship it?','type':'text','timeout_seconds':-60",
		 "VALIDATION_ERROR timeout_seconds"},
		{"invitation.create", false, "'group_id':'g_AAAAAAAAAA','expires_in_seconds':-60",
		 "VALIDATION_ERROR expires_in_seconds"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char room[64] = "";
		if (rows[i].has_room) {
			(void)snprintf(room, sizeof(room), "'room_id':'%s',", t->r.room_id);
		}
		assert_string_equal(rig_code(t->ada, rows[i].method, "%s%s", room, rows[i].params),
				    rows[i].code);
	}
}

/* promise: strict-params */
TABLE_TEST(test_fields_are_checked_by_name, t)
{
	static const char *const bad[][3] = {
		{"vote", "'vote':'5','volume':11", "VALIDATION_ERROR volume"},
		{"vote", "'vote':5", "VALIDATION_ERROR vote"},
		{"vote", "'vote':['5']", "VALIDATION_ERROR vote"},
		{"vote", "", "VALIDATION_ERROR vote"},
		{"room.vote", "'vote':'5'", "VALIDATION_ERROR room_id"},
		{"room.vote", "'vote':'5','room_id':7", "VALIDATION_ERROR room_id"},
		{"room.vote", "'vote':'5','room_id':'short'", "VALIDATION_ERROR room_id"},
		{"set_revealed", "'is_revealed':1", "VALIDATION_ERROR is_revealed"},
		{"set_revealed", "'is_revealed':null", "VALIDATION_ERROR is_revealed"},
		{"subscribe", "'since':{'epoch':1}", "VALIDATION_ERROR since.version"},
		{"subscribe", "'since':{'epoch':-1,'version':1}", "VALIDATION_ERROR since.epoch"},
		{"subscribe", "'since':{'epoch':1,'version':1,'x':1}", "VALIDATION_ERROR since.x"},
		{"subscribe", "'since':1", "VALIDATION_ERROR since"},
		{"join", "'username':'bob','is_bot':'yes'", "VALIDATION_ERROR is_bot"},
		{"session.hello", "'protocol':1", "VALIDATION_ERROR client"},
		{"session.hello", "'protocol':1.5,'client':'x'", "VALIDATION_ERROR protocol"},
		{"server.ping", "'x':1", "VALIDATION_ERROR x"},
		{"room.", "", "UNKNOWN_METHOD"},
		{"room.create ", "", "UNKNOWN_METHOD"},
		{"ROOM.CREATE", "", "UNKNOWN_METHOD"},
		{".", "", "UNKNOWN_METHOD"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->bob, bad[i][0], "%s", bad[i][1]), bad[i][2]);
	}
	assert_unnoticed(t);
}

TABLE_TEST(test_a_repeated_field_is_refused, t)
{
	rig_bytes(t->bob, SLICE("\x94\x00\x07\xadsession.hello\x91\x83\xa8protocol\x01\xa6"
				"client\xa1x\xa8protocol\x01"));
	assert_string_equal(rig_outcome(t->bob, 7), "VALIDATION_ERROR protocol");
	assert_unnoticed(t);
}

TABLE_TEST(test_nothing_but_hello_and_ping_works_before_hello, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(cy, "get", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(cy, "room.create", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(cy, "server.ping", RIG_NONE), "ok");
	assert_unnoticed(t);
}

TABLE_TEST(test_a_msgid_that_is_used_again_is_answered_again, t)
{
	for (size_t i = 0; i < 3; i++) {
		t->bob->last_msgid = 41;
		rig_send(t->bob, "vote", "'vote':'%zu'", i + 1);
	}
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(rig_outcome(t->bob, 42), "ok");
	}
	assert_string_equal(rig_outcome(t->bob, 42), "none");
	assert_string_equal(rig_self(t->bob), "bob voter =3");
}

TABLE_TEST(test_notifications_and_answers_from_a_peer_are_ignored, t)
{
	rig_bytes(t->bob, SLICE("\x93\x02\xa9room.vote\x91\x80"));
	rig_bytes(t->bob, SLICE("\x94\x01\x01\xc0\xc0"));
	rig_bytes(t->bob, SLICE("\x93\x02\xafno.such.method!\x90"));
	assert_unnoticed(t);
}

/* As pynvim begins: a notification with a binary method and params by position. */
TABLE_TEST(test_a_library_may_begin_with_a_notification_of_its_own, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	rig_bytes(cy, SLICE("\x93\x02\xc4\x14nvim_set_client_info\x95\xa6"
			    "client\x80\xa6remote\x80\x80"));
	rig_bytes(cy, SLICE("\x93\x02\x07\xc0\x93\x02\xa1x\x91\xd6\xff\0\0\0\0"));
	assert_true(cy->is_open);
	assert_string_equal(rig_code(cy, "session.hello", "'protocol':1,'client':'pynvim'"), "ok");
	rig_bytes(cy, SLICE("\x93\x02\xa1x\x93\x01\x02\x03"));
	assert_string_equal(rig_code(cy, "server.ping", RIG_NONE), "ok");
	assert_unnoticed(t);
}

TABLE_TEST(test_an_extension_in_a_request_is_refused_by_its_field, t)
{
	rig_bytes(t->bob, SLICE("\x94\x00\x07\xadsession.hello\x91\x82\xa8protocol\x01\xa6"
				"client\xd4\x00\x00"));
	assert_string_equal(rig_outcome(t->bob, 7), "VALIDATION_ERROR client");
	rig_bytes(t->bob, SLICE("\x94\x00\x08\xabserver.ping\x91\xd7\xff\0\0\0\0\0\0\0\0"));
	assert_string_equal(rig_outcome(t->bob, 8), "VALIDATION_ERROR");
	assert_unnoticed(t);
}

/* An epoch is a number of up to 48 bits, which some codecs write back as a float. */
TABLE_TEST(test_a_codec_that_writes_large_integers_as_floats_may_resume, t)
{
	rig_must(t->bob, "subscribe", "'since':{'epoch':281474976710655.0,'version':1.0}");
	rig_must(t->bob, "subscribe", "'since':null,'passcode':null");
}

TABLE_TEST(test_why_a_connection_was_closed_is_in_the_log, t)
{
	const struct {
		struct slice bytes;
		const char *reason;
	} rows[] = {
		{SLICE("\xc1"), "the data received is not MessagePack-RPC"},
		{SLICE("\x94\x05\x01\xa1x\x90"), "the data received is not MessagePack-RPC"},
		{SLICE("\xdd\xff\xff\xff\xff"),
		 "a message was larger or deeper than the limits allow"},
		{SLICE("\x94\x00"), "a message was not finished in time"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char line[200];
		struct rig_peer *cy = rig_guest(&t->r, "cy");
		buf_clear(&t->r.log);
		rig_bytes(cy, rows[i].bytes);
		rig_advance(&t->r, 10000);
		assert_false(cy->is_open);
		snprintf(line, sizeof(line), "event=broken_frame conn=%u.%u reason=\"%s\"",
			 cy->id.slot, cy->id.generation, rows[i].reason);
		assert_int_equal(buf_append(&t->r.log, "", 1), OK);
		assert_non_null(strstr(t->r.log.data, line));
	}
}

/* ---- text ---- */

/* promise: clean-text */
TABLE_TEST(test_hostile_names_are_refused, t)
{
	static const char *const names[] = {
		"a\\u0007b",
		"\\u001b[31mred",
		"a\\u0000b",
		"a\\nb",
		"\\u202eevil",
		"\\u2066x",
		"a\\u200db",
		"\\u200b",
		"\\ufeffx",
		"\\u2028",
		"\\u3164",
		"\\u00ad",
		"e\\u0301\\u0301\\u0301\\u0301",
		"\\ue000",
		"\\u0301x",
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *code = rig_code(t->bob, "join", "'username':'%s'", names[i]);
		if (strcmp(code, "VALIDATION_ERROR username") != 0) {
			fail_msg("name %zu: %s", i, code);
		}
	}
	assert_unnoticed(t);
}

TABLE_TEST(test_a_name_of_kilobytes_is_refused_and_one_of_megabytes_closes, t)
{
	char name[2000];
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_string_equal(rig_code(t->bob, "join", "'username':'%s'", name),
			    "VALIDATION_ERROR username");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	struct buf head = {.max = 64};
	buf_append(&head, "\x94\x00\x01\xa9room.join\x91\x81\xa8username\xdb\x00\x98\x96\x80", 29);
	rig_bytes(cy, buf_slice(&head));
	buf_finish(&head);
	assert_closed(cy, "a message was larger or deeper than the limits allow");
	assert_unnoticed(t);
}

/* ---- time ---- */

TABLE_TEST(test_a_peer_that_says_no_hello_in_5_seconds_is_closed, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	rig_must(cy, "server.ping", RIG_NONE);
	rig_advance(&t->r, 4999);
	assert_true(cy->is_open);
	rig_advance(&t->r, 1);
	assert_closed(cy, "session.hello did not arrive in time");
	assert_unnoticed(t);
}

TABLE_TEST(test_a_message_that_is_not_finished_in_10_seconds_closes, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_bytes(cy, SLICE("\x94\x00"));
	rig_advance(&t->r, 9000);
	rig_bytes(cy, SLICE("\x01"));
	rig_advance(&t->r, 999);
	assert_true(cy->is_open);
	rig_advance(&t->r, 1);
	assert_closed(cy, "a message was not finished in time");
	assert_unnoticed(t);
}

TABLE_TEST(test_a_quiet_peer_is_not_closed, t)
{
	rig_advance(&t->r, 3 * 3600 * 1000);
	assert_true(t->ada->is_open);
	assert_unnoticed(t);
}

TABLE_TEST(test_slow_messages_one_after_the_other_are_fine, t)
{
	struct buf bytes = {.max = 65536};
	for (size_t i = 0; i < 20; i++) {
		buf_clear(&bytes);
		uint32_t msgid = rig_compose(t->bob, &bytes, "server.ping", RIG_NONE);
		rig_bytes(t->bob, slice_of(bytes.data, 5));
		rig_advance(&t->r, 9000);
		rig_bytes(t->bob, slice_of(bytes.data + 5, bytes.len - 5));
		assert_string_equal(rig_outcome(t->bob, msgid), "ok");
	}
	buf_finish(&bytes);
	assert_unnoticed(t);
}
