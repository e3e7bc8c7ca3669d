/*
 * test_cli.c - the command line, addresses, decks from words, and waits of a script.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/acts/span.h"
#include "client/cli/options.h"
#include "client/cli/reach/pages.h"
#include "client/cli/rooms/create_room.h"
#include "client/cli/rooms/script_wait.h"
#include "client/cli/verb_method.h"
#include "client/cli/verbs.h"
#include "client/net/transport/address.h"
#include "tests/support/test.h"

#define WORDS_MAX 80

/* A command line from one string with spaces. */
static enum err parse(const char *line, struct args *out, char text[512], struct errmsg *why)
{
	char *argv[WORDS_MAX] = {NULL};
	int argc = 0;
	char *rest = NULL;
	assert_true(strlen(line) < 512);
	memcpy(text, line, strlen(line) + 1);
	for (char *word = strtok_r(text, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		argv[argc++] = word;
	}
	return options_parse(argc, argv, verbs_take, out, why);
}

TEST(test_options_and_words_are_told_apart)
{
	struct args a;
	char text[512];
	struct errmsg why = {""};
	assert_int_equal(
		parse("aye --name Ada room vote K7QX3M - --wait --server=unix:/x -- --json", &a,
		      text, &why),
		OK);
	assert_string_equal(a.value[OPTION_NAME], "Ada");
	assert_string_equal(a.value[OPTION_WAIT], "");
	assert_string_equal(a.value[OPTION_SERVER], "unix:/x");
	assert_null(a.value[OPTION_JSON]);
	assert_int_equal(a.words_n, 5);
	assert_string_equal(a.words[3], "-");
	assert_string_equal(a.words[4], "--json");
	assert_int_equal(parse("aye export K7QX3M -o x.csv -- -o", &a, text, &why), OK);
	assert_string_equal(a.value[OPTION_OUTPUT], "x.csv");
	assert_string_equal(a.words[2], "-o");
}

/* export watches into a file, whoami for changes: the verb in front says which is meant. */
TEST(test_an_option_of_two_verbs_is_the_one_of_its_verb)
{
	struct args a;
	char text[512];
	struct errmsg why = {""};
	assert_int_equal(parse("aye whoami --watch --json", &a, text, &why), OK);
	assert_string_equal(a.value[OPTION_FOLLOW], "");
	assert_null(a.value[OPTION_WATCH]);
	assert_string_equal(a.value[OPTION_JSON], "");
	assert_int_equal(parse("aye export K7QX3M --watch room.html", &a, text, &why), OK);
	assert_string_equal(a.value[OPTION_WATCH], "room.html");
	assert_null(a.value[OPTION_FOLLOW]);
	assert_int_equal(parse("aye --watch room.html export K7QX3M", &a, text, &why), OK);
	assert_string_equal(a.value[OPTION_WATCH], "room.html");
	assert_int_equal(parse("aye whoami --watch=x", &a, text, &why), ERR_INVALID);
	assert_int_equal(parse("aye whoami --watch --watch", &a, text, &why), ERR_INVALID);
	assert_int_equal(parse("aye export K7QX3M --watch", &a, text, &why), ERR_INVALID);
}

TEST(test_an_option_whose_value_has_dots_may_be_given_again_and_again)
{
	struct args a;
	char text[512];
	char line[512] = "aye ask why";
	struct errmsg why = {""};
	assert_int_equal(parse("aye ask why -o yes --audience product --option no "
			       "--audience=ethics -o perhaps",
			       &a, text, &why),
			 OK);
	assert_string_equal(args_value(&a, OPTION_CHOICE, 0), "yes");
	assert_string_equal(args_value(&a, OPTION_CHOICE, 1), "no");
	assert_string_equal(args_value(&a, OPTION_CHOICE, 2), "perhaps");
	assert_null(args_value(&a, OPTION_CHOICE, 3));
	assert_string_equal(args_value(&a, OPTION_AUDIENCE, 1), "ethics");
	assert_null(args_value(&a, OPTION_AUDIENCE, 2));
	assert_null(args_value(&a, OPTION_NEED, 0));
	assert_null(args_value(&a, OPTION_NEED, 1));
	assert_null(a.value[OPTION_OUTPUT]);
	for (size_t i = 0; i <= ARGS_REPEATS_MAX; i++) {
		assert_int_equal(parse(line, &a, text, &why), OK);
		assert_true(strlen(line) + 5 < sizeof(line));
		(void)strcat(line, " -o x");
	}
	assert_int_equal(parse(line, &a, text, &why), OK);
	(void)strcat(line, " -o x");
	assert_int_equal(parse(line, &a, text, &why), ERR_INVALID);
	assert_string_equal(why.text, "-o is given too often");
	assert_int_equal(parse("aye ask why -o", &a, text, &why), ERR_INVALID);
	assert_string_equal(why.text, "-o needs a value: TEXT...");
}

TEST(test_a_wrong_option_is_named)
{
	static const char *const lines[] = {"aye --nonsense", "aye --name",
					    "aye --json=1",   "aye --json --json",
					    "aye --=x",	      "aye --jso",
					    "aye -o",	      "aye -o a --output b -o c"};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct args a;
		char text[512];
		struct errmsg why = {""};
		assert_int_equal(parse(lines[i], &a, text, &why), ERR_INVALID);
		assert_true(why.text[0] != '\0');
	}
}

TEST(test_more_words_than_there_is_room_for_are_refused)
{
	char *argv[ARGS_WORDS_MAX + 2];
	char word[] = "w";
	struct args a;
	struct errmsg why = {""};
	for (size_t i = 0; i < ARGS_WORDS_MAX + 2; i++) {
		argv[i] = word;
	}
	assert_int_equal(options_parse(ARGS_WORDS_MAX + 1, argv, verbs_take, &a, &why), OK);
	assert_int_equal(options_parse(ARGS_WORDS_MAX + 2, argv, verbs_take, &a, &why),
			 ERR_INVALID);
}

TEST(test_seconds_are_read_exactly)
{
	static const struct {
		const char *text;
		int64_t ms;
	} good[] = {{"1", 1000},  {"0.5", 500},	     {".25", 250},
		    {"2.", 2000}, {"10.125", 10125}, {"0.001", 1}};
	static const char *const bad[] = {"",	".",  "0",     "0.000", "1.2345",
					  "-1", "1s", "1.2.3", "1e3",	"1234567890"};
	int64_t ms = 0;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(span_parse_ms(good[i].text, &ms), OK);
		assert_int_equal(ms, good[i].ms);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(span_parse_ms(bad[i], &ms), ERR_INVALID);
	}
}

TEST(test_a_span_is_read_in_steps_that_grow_with_it)
{
	static const struct {
		int64_t ms;
		const char *words;
		int64_t change_in;
	} rows[] = {
		{-1000, "", 11000},
		{0, "", 10000},
		{9999, "", 1},
		{10000, "10 s", 10000},
		{47000, "40 s", 3000},
		{59999, "50 s", 1},
		{60000, "1 min", 60000},
		{12 * 60000 + 59000, "12 min", 1000},
		{3600000, "1 h", 3600000},
		{24 * 3600000 - 1, "23 h", 1},
		{24 * 3600000, "1 day", 24 * 3600000},
		{INT64_C(49) * 3600000, "2 days", 23 * 3600000},
	};
	char out[SPAN_WORDS_BYTES];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(span_words(rows[i].ms, out), rows[i].words);
		assert_int_equal(span_words_change_in(rows[i].ms), rows[i].change_in);
	}
}

/* A deadline is so long from now, wherever one is typed: none is in the past. */
TEST(test_no_deadline_in_the_past_can_be_typed)
{
	static const char *const past[] = {"0",	    "0s",	  "-5",	   "-1d",
					   "-0:30", "2020-01-01", "17:00", "yesterday"};
	int64_t seconds = 7;
	for (size_t i = 0; i < sizeof(past) / sizeof(past[0]); i++) {
		for (int64_t bare = 0; bare <= 60; bare += 60) {
			bool is_minutes = bare == 60 && strcmp(past[i], "17:00") == 0;
			assert_int_equal(span_parse(past[i], bare, &seconds),
					 is_minutes ? OK : ERR_INVALID);
		}
	}
}

TEST(test_each_verb_is_found_by_its_own_name)
{
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		struct args a;
		char text[512];
		char line[512] = "aye ";
		struct errmsg why = {""};
		size_t used;
		memcpy(line + 4, v->name, strlen(v->name) + 1);
		assert_int_equal(parse(line, &a, text, &why), OK);
		assert_ptr_equal(verbs_find(&a, &used), v);
		assert_int_equal(used, a.words_n);
		assert_true(v->words_min <= v->words_max && v->words_max <= ARGS_WORDS_MAX);
		assert_true(v->help[0] != '\0');
	}
}

/* What a row says is in the records of its method: of data, of each kind that has the method. */
static void assert_row_fits(const struct verb *v, const struct method_row *method)
{
	const struct record *rec =
		v->run == verb_list ? pages_field(v->method)->of : method->result;
	for (size_t i = 0; i < ACT_WORDS_MAX && v->words[i].kind != WORD_NONE; i++) {
		const char *field = v->words[i].field;
		if (field != NULL && record_field(method->params, slice_str(field)) == NULL) {
			fail_msg("%s has no %s, which `%s` fills", method->name, field, v->name);
		}
	}
	for (enum option o = 0; o < OPTION_COUNT; o++) {
		const char *field = verb_method_option_field(o);
		bool is_taken = field != NULL && verb_takes(v, o);
		bool is_map_or_list = strcmp(method->name, "presence.set") != 0 &&
				      strcmp(method->name, "presence.remove") != 0;
		if (is_taken && is_map_or_list) {
			assert_non_null(record_field(method->params, slice_str(field)));
		}
	}
	for (const char *at = v->says == NULL ? "" : v->says; (at = strchr(at, '{')) != NULL;
	     at++) {
		bool is_word = at[1] >= '0' && at[1] <= '9';
		if (!is_word &&
		    record_field(rec, slice_of(at + 1, strcspn(at + 1, ":@#~}"))) == NULL) {
			fail_msg("%s has no %s", rec->name, at);
		}
	}
}

TEST(test_each_row_of_a_request_fits_its_method)
{
	static const char *const kinds[] = {"map", "list", "presence"};
	size_t n = 0;
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		if (v->run != NULL && v->run != verb_list) {
			continue;
		}
		if (v->act == NULL) {
			assert_row_fits(v, &method_rows[v->method]);
			n++;
		}
		for (size_t i = 0; v->act != NULL && i < 3; i++) {
			char name[64];
			(void)snprintf(name, sizeof(name), "%s.%s", kinds[i], v->act);
			enum method m = method_find(slice_str(name));
			if (m != METHOD_COUNT) {
				assert_row_fits(v, &method_rows[m]);
				n++;
			}
		}
	}
	assert_true(n > 40);
}

TEST(test_what_is_no_verb_is_not_found)
{
	static const char *const lines[] = {"aye room", "aye roo vote", "aye room votes",
					    "aye votes", "aye"};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct args a;
		char text[512];
		struct errmsg why = {""};
		size_t used;
		assert_int_equal(parse(lines[i], &a, text, &why), OK);
		assert_null(verbs_find(&a, &used));
	}
}

/* Whoever is asked can say so before; and nothing is for good that nobody is asked about. */
TEST(test_each_verb_that_asks_takes_yes)
{
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		bool asks = v->sure != NULL || v->asks != NULL;
		assert_int_equal(asks, verb_takes(v, OPTION_YES));
		assert_true(asks || !v->is_for_good);
	}
}

TEST(test_an_alias_is_its_verb_and_hides_no_longer_one)
{
	static const struct {
		const char *line;
		const char *name;
		size_t used;
	} rows[] = {
		{"aye vote K7QX3M 5", "vote", 1},
		{"aye show K7QX3M", "show", 1},
		{"aye reveal K7QX3M", "reveal", 1},
		{"aye reveal cancel K7QX3M", "cancel", 2},
		{"aye room vote K7QX3M 5", "vote", 2},
		{"aye settle K7QX3M 5", "settle", 1},
		{"aye round settle K7QX3M 5", "settle", 2},
		{"aye timer K7QX3M 5m", "timer start", 1},
		{"aye rules K7QX3M", "room policy", 1},
		{"aye team new Payments", "team new", 2},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct args a;
		char text[512];
		struct errmsg why = {""};
		size_t used;
		assert_int_equal(parse(rows[i].line, &a, text, &why), OK);
		const struct verb *v = verbs_find(&a, &used);
		assert_non_null(v);
		assert_string_equal(v->name, rows[i].name);
		assert_int_equal(used, rows[i].used);
	}
}

TEST(test_addresses_are_read)
{
	static const struct {
		const char *text, *host, *port, *whole;
	} good[] = {
		{"tcp://example.org:80", "example.org", "80", "tcp://example.org:80"},
		{"tcp://127.0.0.1", "127.0.0.1", "2937", "tcp://127.0.0.1:2937"},
		{"tcp://[::1]:9", "::1", "9", "tcp://[::1]:9"},
		{"tcp://[fe80::1]", "fe80::1", "2937", "tcp://[fe80::1]:2937"},
	};
	struct address a;
	struct errmsg why = {""};
	assert_int_equal(address_parse("unix:/run/x.sock", &a, &why), OK);
	assert_true(a.is_unix);
	assert_string_equal(a.path, "/run/x.sock");
	assert_string_equal(a.text, "unix:/run/x.sock");
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(address_parse(good[i].text, &a, &why), OK);
		assert_false(a.is_unix);
		assert_string_equal(a.host, good[i].host);
		assert_string_equal(a.port, good[i].port);
		assert_string_equal(a.text, good[i].whole);
	}
}

TEST(test_addresses_of_ssh_are_read)
{
	static const struct {
		const char *text, *user, *host, *port, *path, *whole;
	} good[] = {
		{"ssh://poker", "", "poker", "", "", "ssh://poker"},
		{"ssh://poker/", "", "poker", "", "", "ssh://poker"},
		{"ssh://Ada@Poker.example:0022/srv/ayed.sock", "Ada", "Poker.example", "22",
		 "/srv/ayed.sock", "ssh://Ada@Poker.example:22/srv/ayed.sock"},
		{"ssh://ada@corp.example@poker", "ada@corp.example", "poker", "", "",
		 "ssh://ada@corp.example@poker"},
		{"ssh://ada@[fe80::1%eth0]:2222", "ada", "fe80::1%eth0", "2222", "",
		 "ssh://ada@[fe80::1%eth0]:2222"},
	};
	struct address a;
	struct errmsg why = {""};
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char canonical[ADDRESS_TEXT_BYTES];
		assert_int_equal(address_parse(good[i].text, &a, &why), OK);
		assert_true(a.is_ssh && !a.is_unix && !a.is_tls);
		assert_string_equal(a.user, good[i].user);
		assert_string_equal(a.host, good[i].host);
		assert_string_equal(a.port, good[i].port);
		assert_string_equal(a.path, good[i].path);
		assert_string_equal(a.text, good[i].whole);
		address_canonical(&a, canonical);
		assert_string_equal(canonical, a.text);
	}
}

TEST(test_others_have_another_user)
{
	static const char *const rows[][2] = {
		{"ssh://ada@poker:22/srv/a.sock", "ssh://poker:22/srv/a.sock"},
		{"ssh://poker", "ssh://poker"},
		{"tcp://poker:80", "tcp://poker:80"},
		{"unix:/srv/a@b.sock", "unix:/srv/a@b.sock"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[ADDRESS_TEXT_BYTES];
		struct address a;
		struct errmsg why;
		assert_int_equal(address_parse(rows[i][0], &a, &why), OK);
		address_for_others(&a, out);
		assert_string_equal(out, rows[i][1]);
	}
}

/* Each would be an option, another command, or a second word to somebody. */
TEST(test_what_ssh_or_a_shell_would_take_for_something_else_is_refused)
{
	static const char *const bad[] = {
		"ssh://",
		"ssh:///run/x.sock",
		"ssh://-oProxyCommand=sh",
		"ssh://ada@-oProxyCommand=sh",
		"ssh://-lroot@poker",
		"ssh://[-oProxyCommand=sh]",
		"ssh://@poker",
		"ssh://po ker",
		"ssh://poker;sh",
		"ssh://$(sh)",
		"ssh://`sh`@poker",
		"ssh://ada'@poker",
		"ssh://po\nker",
		"ssh://p\xc3\xb6ker",
		"ssh://poker:",
		"ssh://poker:0",
		"ssh://poker:-22",
		"ssh://poker:65536",
		"ssh://poker:22x",
		"ssh://[::1",
		"ssh://poker/a'b",
		"ssh://poker/a\"b",
		"ssh://poker/a b",
		"ssh://poker/a\nb",
		"ssh://poker/a\\b",
		"ssh://poker/$HOME",
		"ssh://poker/`sh`",
		"ssh://poker/a;b",
		"ssh://poker/a!b",
		"ssh://poker#SHA256:x",
	};
	char text[ADDRESS_TEXT_BYTES] = "ssh://poker/";
	struct address a = {.text = "as it was"};
	struct errmsg why = {""};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(address_parse(bad[i], &a, &why), ERR_INVALID);
		assert_string_equal(a.text, "as it was");
	}
	memset(text + 12, 'x', ADDRESS_PATH_MAX - 1);
	assert_int_equal(address_parse(text, &a, &why), OK);
	text[12 + ADDRESS_PATH_MAX - 1] = 'x';
	assert_int_equal(address_parse(text, &a, &why), ERR_INVALID);
	(void)memset(text, 0, sizeof(text));
	memcpy(text, "ssh://", 6);
	memset(text + 6, 'u', ADDRESS_USER_MAX);
	memcpy(text + 6 + ADDRESS_USER_MAX, "@poker", 7);
	assert_int_equal(address_parse(text, &a, &why), OK);
	memset(text + 6, 'u', ADDRESS_USER_MAX + 1);
	memcpy(text + 6 + ADDRESS_USER_MAX + 1, "@poker", 7);
	assert_int_equal(address_parse(text, &a, &why), ERR_INVALID);
}

TEST(test_an_address_has_one_canonical_form)
{
	static const struct {
		const char *text, *canonical;
	} rows[] = {
		{"tcp://Poker.Example", "tcp://poker.example:2937"},
		{"tcp://poker.example:02937", "tcp://poker.example:2937"},
		{"tcp://[FE80::1]", "tcp://[fe80::1]:2937"},
		{"tcp://10.0.0.1:80", "tcp://10.0.0.1:80"},
		{"unix:/Run/Ayed.sock", "unix:/Run/Ayed.sock"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[ADDRESS_TEXT_BYTES];
		struct address a;
		struct errmsg why;
		assert_int_equal(address_parse(rows[i].text, &a, &why), OK);
		address_canonical(&a, out);
		assert_string_equal(out, rows[i].canonical);
	}
}

TEST(test_what_is_no_address_is_refused)
{
	static const char *const bad[] = {"",
					  "example.org:80",
					  "unix:relative",
					  "tcp://",
					  "tcp://:80",
					  "tcp://h:0",
					  "tcp://h:65536",
					  "tcp://h:",
					  "tcp://h:1x",
					  "tcp://[::1",
					  "tcp://[::1]x",
					  "tcp://a b:1",
					  "tcp://a/b:1",
					  "tcp://::1:80",
					  "http://h:80",
					  "unix:"};
	char path[256] = "unix:/";
	struct address a;
	struct errmsg why = {""};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(address_parse(bad[i], &a, &why), ERR_INVALID);
	}
	memset(path + 6, 'x', ADDRESS_PATH_MAX - 1);
	assert_int_equal(address_parse(path, &a, &why), OK);
	memset(path + 6, 'x', ADDRESS_PATH_MAX);
	assert_int_equal(address_parse(path, &a, &why), ERR_INVALID);
}

TEST(test_cards_are_split_at_blanks_and_commas)
{
	static const char *const words[] = {" 1, 2", "3", "", "XL,?"};
	struct slice cards[CREATE_ROOM_CARDS_MAX];
	struct slices deck = {cards, 0};
	create_room_split(words, 4, &deck);
	assert_int_equal(deck.n, 5);
	assert_true(slice_eq(cards[0], SLICE("1")));
	assert_true(slice_eq(cards[1], SLICE("2")));
	assert_true(slice_eq(cards[4], SLICE("?")));
}

static json_t *json(const char *text)
{
	json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
	assert_non_null(value);
	return value;
}

TEST(test_a_pattern_fits_what_holds_it)
{
	static const struct {
		const char *where, *value;
		bool fits;
	} rows[] = {
		{"{}", "{\"a\":1}", true},
		{"{\"a\":1}", "{\"a\":1,\"b\":2}", true},
		{"{\"a\":1}", "{\"b\":2}", false},
		{"{\"a\":{\"b\":true}}", "{\"a\":{\"b\":true,\"c\":null}}", true},
		{"{\"a\":{\"b\":true}}", "{\"a\":{\"b\":false}}", false},
		{"{\"u\":[{\"n\":\"Ada\"}]}", "{\"u\":[{\"n\":\"Bo\"},{\"n\":\"Ada\",\"v\":1}]}",
		 true},
		{"{\"u\":[{\"n\":\"Ada\"},{\"n\":\"Bo\"}]}", "{\"u\":[{\"n\":\"Bo\"}]}", false},
		{"[]", "[1]", true},
		{"{}", "[]", false},
		{"1", "1", true},
		{"null", "null", true},
		{"null", "0", false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *where = json(rows[i].where);
		json_t *value = json(rows[i].value);
		assert_int_equal(script_wait_fits(where, value), rows[i].fits);
		json_decref(where);
		json_decref(value);
	}
}

static void keep(struct script_wait *w, int n)
{
	json_t *notice = json_pack("{s:s, s:{s:i}}", "method", "m", "params", "n", n);
	assert_non_null(notice);
	script_wait_keep(w, notice);
}

TEST(test_a_wait_sees_what_came_before_it_but_nothing_twice)
{
	struct script_wait w = {0};
	keep(&w, 1);
	keep(&w, 2);
	keep(&w, 3);
	w.pattern = json("{\"method\":\"m\",\"where\":{\"n\":2}}");
	json_t *found = script_wait_find(&w);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(found, "params"), "n")),
			 2);
	json_decref(found);
	assert_null(script_wait_find(&w));
	keep(&w, 2);
	found = script_wait_find(&w);
	assert_non_null(found);
	json_decref(found);
	script_wait_finish(&w);
}

TEST(test_kept_notifications_are_bounded)
{
	struct script_wait w = {0};
	for (int i = 0; i < SCRIPT_WAIT_KEPT_MAX + 10; i++) {
		keep(&w, i);
	}
	assert_int_equal(w.kept_n, SCRIPT_WAIT_KEPT_MAX);
	w.pattern = json("{\"method\":\"m\",\"where\":{\"n\":9}}");
	assert_null(script_wait_find(&w));
	script_wait_finish(&w);
}
