/*
 * test_issue_address.c - which addresses are those of an issue, and its key.
 */
#include "client/formats/import/issue_address.h"
#include "tests/support/test.h"

static void reads(const char *text, const char *key)
{
	struct issue_address a;
	bool is_read = issue_address_read(slice_str(text), &a);
	if (is_read != (key != NULL) || (is_read && strcmp(a.key, key) != 0)) {
		fail_msg("%s: %s", text, is_read ? a.key : "none");
	}
}

TEST(test_an_issue_is_known_by_the_path_of_its_address)
{
	reads("https://github.com/o/r/issues/12", "#12");
	reads("https://github.com/o/r/issues/12/", "#12");
	reads("https://github.com/o/r/issues/12#issuecomment-5", "#12");
	reads("https://github.com/o/r/pull/7/files?w=1", "#7");
	reads("http://git.example:3000/o/r/issues/3", "#3");
	reads("https://gitlab.example/g/sub/p/-/issues/3", "#3");
	reads("https://gitlab.example/g/p/-/work_items/4", "#4");
	reads("https://x.atlassian.net/browse/PAY-7", "PAY-7");
	reads("https://x.atlassian.net/browse/pay-7?focusedCommentId=1", "PAY-7");
	reads("https://jira.example/jira/browse/A2_B-10", "A2_B-10");
	reads("https://x.atlassian.net/jira/software/projects/PAY/boards/1?a=b&selectedIssue=PAY-9",
	      "PAY-9");
	reads("https://linear.app/team/issue/ENG-4/sign-in", "ENG-4");
}

TEST(test_other_addresses_and_texts_are_none)
{
	reads("", NULL);
	reads("#12", NULL);
	reads("PAY-7", NULL);
	reads("https://", NULL);
	reads("https://github.com", NULL);
	reads("https://github.com/o/r", NULL);
	reads("https://github.com/o/r/issues", NULL);
	reads("https://github.com/o/r/issues/", NULL);
	reads("https://github.com/o/r/issues/new", NULL);
	reads("https://github.com/o/r/issues/12345678901234567890123456789012345678901234567890",
	      NULL);
	reads("https://x.example/browse/", NULL);
	reads("https://x.example/browse/12", NULL);
	reads("https://x.example/browse/PAY-", NULL);
	reads("https://x.example/?selectedIssue=", NULL);
	reads("https://x.example/?selectedIssue=#PAY-7", NULL);
	reads("https://github.com/o/r/issues/12 Refund", NULL);
	reads("javascript:alert(1)/issues/12", NULL);
	reads("ssh://github.com/o/r/issues/12", NULL);
}

TEST(test_a_number_behind_a_sign_is_one)
{
	assert_true(issue_is_number(SLICE("#12")));
	assert_false(issue_is_number(SLICE("#")));
	assert_false(issue_is_number(SLICE("#1a")));
	assert_false(issue_is_number(SLICE("12")));
	assert_false(issue_is_number(SLICE("PAY-1")));
	assert_false(issue_is_number(SLICE("")));
}

static void takes(const char *typed, const char *title, const char *link, const char *key)
{
	struct slice is = slice_str(typed);
	struct slice of = {0};
	struct issue_address a = {.key = ""};
	bool is_taken = issue_address_take(&is, &of, &a);
	assert_int_equal(is_taken, key != NULL);
	assert_true(slice_eq(is, slice_str(title)));
	assert_true(slice_eq(of, slice_str(link)));
	assert_string_equal(a.key, key == NULL ? "" : key);
}

TEST(test_what_follows_an_address_is_the_title)
{
	static const char pay[] = "https://x.atlassian.net/browse/PAY-7";
	takes("https://x.atlassian.net/browse/PAY-7", "PAY-7", pay, "PAY-7");
	takes(" https://x.atlassian.net/browse/PAY-7  Refund, in parts ", "Refund, in parts", pay,
	      "PAY-7");
	takes("https://x.atlassian.net/browse/PAY-7: Refund", "Refund", pay, "PAY-7");
	takes("https://github.com/o/r/issues/12\tRefund", "Refund",
	      "https://github.com/o/r/issues/12", "#12");
	takes("Refund https://x.atlassian.net/browse/PAY-7",
	      "Refund https://x.atlassian.net/browse/PAY-7", "", NULL);
	takes("https://x.example/ Refund", "https://x.example/ Refund", "", NULL);
	takes("", "", "", NULL);
	takes(":", ":", "", NULL);
}
