/*
 * features.c - all there are. The acts of a run are chosen in this order.
 */
#include "tests/sim/features/feature.h"

#include "proto/base/assert.h"

/* One row each: features/NAME.c defines feature_NAME. */
#define FEATURES(X)        \
	X(votes)           \
	X(rounds)          \
	X(rounds_disk)     \
	X(rounds_undo)     \
	X(votes_aside)     \
	X(nudges)          \
	X(stories)         \
	X(open_stories)    \
	X(rooms)           \
	X(seats)           \
	X(hosts)           \
	X(doors)           \
	X(data)            \
	X(presence)        \
	X(lists)           \
	X(lifetimes)       \
	X(sign_in)         \
	X(sessions)        \
	X(session_watch)   \
	X(session_disk)    \
	X(questions)       \
	X(points)          \
	X(owner)           \
	X(notices)         \
	X(groups)          \
	X(groups_disk)     \
	X(group_watch)     \
	X(unwatch)         \
	X(users)           \
	X(ends)            \
	X(containers)      \
	X(items)           \
	X(container_watch) \
	X(group_members)   \
	X(group_rooms)     \
	X(backlog)         \
	X(backlog_disk)    \
	X(quiet_round)     \
	X(nonsense)

#define FEATURE_DECLARE(name) extern const struct feature feature_##name;
FEATURES(FEATURE_DECLARE)
#define FEATURE_ADDRESS(name) &feature_##name,
const struct feature *const features[] = {FEATURES(FEATURE_ADDRESS)};
const size_t features_n = sizeof(features) / sizeof(features[0]);

const struct request *feature_request(enum method method)
{
	static const struct request *rows[METHOD_COUNT];
	static bool is_made;
	for (size_t f = 0; f < features_n && !is_made; f++) {
		for (size_t i = 0; i < features[f]->requests_n; i++) {
			const struct request *row = &features[f]->requests[i];
			ASSERT(rows[row->method] == NULL);
			rows[row->method] = row;
		}
	}
	is_made = true;
	return method == METHOD_COUNT ? NULL : rows[method];
}
