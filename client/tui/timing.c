/*
 * timing.c - spans of time as people type and read them.
 */
#include "client/tui/tui_state.h"

#include "client/acts/narrate.h"
#include "client/acts/span.h"
#include "proto/base/format.h"

int64_t timing_left(int64_t now_ms, int64_t ends_at)
{
	return ends_at <= now_ms ? 0 : (ends_at - now_ms + 999) / 1000;
}

int64_t timing_second_ends_in(int64_t now_ms, int64_t ends_at)
{
	return ends_at <= now_ms ? -1
				 : ends_at - now_ms - (timing_left(now_ms, ends_at) - 1) * 1000;
}

int64_t timing_sooner(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

void timing_text(int64_t seconds, char *out, size_t cap)
{
	long long s = seconds;
	if (s >= 86400) {
		(void)format_to(out, cap, "%lld d %lld h", s / 86400, s / 3600 % 24);
	} else if (s >= 3600) {
		(void)format_to(out, cap, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	} else {
		(void)format_to(out, cap, "%lld:%02lld", s / 60, s % 60);
	}
}

const char *away_text(const struct tui *t, const struct user_view *m, int cells, char *out)
{
	if (draw_cells(narrate_away(m, t->now_ms, out)) > cells) {
		(void)narrate_away(m, 0, out);
	}
	return out;
}

int64_t away_changes_in_ms(const struct tui *t, const struct replica *room)
{
	int64_t next = -1;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (!m->is_connected && m->away_since > 0) {
			next = timing_sooner(next, span_words_change_in(t->now_ms - m->away_since));
		}
	}
	return next;
}
