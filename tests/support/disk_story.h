/*
 * disk_story.h - people at work on a real ayed, while what it does to its disk is recorded (disk_log.h).
 *
 * Ada, Bob and Cy found a team, vote and settle, ask and answer, and keep a backlog. Meanwhile a backup is made, and the
 * server is killed once, with a request under way, and starts again; in the end the backup is restored.
 *
 * The story leaves notes in the log (DISK_NOTE), two strings with a zero byte after each. By the note's mark:
 *
 *   0       a fact, its name and its value: root, the server's directory; token, of Ada's session; room and host, the
 *           room's id and host key. Or what is finished, and where it is below the root: backup, restore.
 *   others  the msgid of a request, noted before it is sent: its subject, and part of a line of `ayed dump` that shows
 *           it done. A later request on the same subject may have done more. Each such msgid is three bytes on the wire.
 */
#ifndef TESTS_SUPPORT_DISK_STORY_H
#define TESTS_SUPPORT_DISK_STORY_H

#include "tests/support/net_kit.h"

#define STORY_ID_BYTES	64 /* enough for any id, and for a subject */
#define STORY_LOG_BYTES (NET_PATH_BYTES + 8)

/* The options of its server, for net_start(). */
extern const char *const disk_story_args[];

/*
 * Play it, by the ayed that AYED names, with disk_record.so from the same build. A step that fails fails the test; then
 * the log is there as far as it got. Both paths are set at the start; removing the directory and the log is the caller's.
 */
void disk_story_record(char root[NET_PATH_BYTES], char log[STORY_LOG_BYTES]);

#endif
