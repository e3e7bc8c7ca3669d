/*
 * issue_address.h - the addresses at which trackers show an issue, and the keys in them.
 *
 *   https://github.com/o/r/issues/12             #12; also /pull/12
 *   https://gitlab.example/g/p/-/issues/3        #3; also /-/work_items/3
 *   https://x.atlassian.net/browse/PAY-7         PAY-7
 *   https://linear.app/team/issue/ENG-4/title    ENG-4
 */
#ifndef CLIENT_FORMATS_IMPORT_ISSUE_ADDRESS_H
#define CLIENT_FORMATS_IMPORT_ISSUE_ADDRESS_H

#include <stdbool.h>

#include "proto/base/slice.h"
#include "proto/base/limits.h"

struct issue_address {
	char key[MAX_STORY_KEY_BYTES + 1];
};

/* Read the whole text as an address; false: it is none, or of no tracker that is known. */
bool issue_address_read(struct slice text, struct issue_address *out);

/*
 * Take the address that a title begins with off it: "https://x.example/browse/PAY-7 Refund". A
 * title without other text becomes the key, in *out. Returns false, and changes nothing, if there
 * is none.
 */
bool issue_address_take(struct slice *title, struct slice *link, struct issue_address *out);

/* "#12": a number behind a sign. */
bool issue_is_number(struct slice key);

#endif
