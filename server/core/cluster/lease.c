/*
 * lease.c - see lease.h.
 */
#include "server/core/cluster/lease.h"

bool lease_round_is_due(const struct lease_round *r, int64_t boot_ms)
{
	return !r->is_sent && boot_ms >= lease_round_due_ms(r);
}

int64_t lease_round_due_ms(const struct lease_round *r)
{
	return r->sent_ms == 0 ? 0 : r->sent_ms + LEASE_EVERY_MS;
}

void lease_round_sent(struct lease_round *r, int64_t boot_ms)
{
	r->is_sent = true;
	r->sent_ms = boot_ms;
}

void lease_round_answered(struct lease_round *r, bool is_good)
{
	r->is_sent = false;
	r->good_ms = is_good ? r->sent_ms : r->good_ms;
}

static bool lease_is_late(const struct lease *l, int64_t boot_ms)
{
	return l->renewal.is_sent && boot_ms - l->renewal.sent_ms >= LEASE_EVERY_MS;
}

void lease_renewed(struct lease *l, bool is_good, bool is_lapsed, int64_t boot_ms)
{
	if (!is_good || is_lapsed || lease_is_late(l, boot_ms)) {
		l->failed_ms = boot_ms;
	}
	lease_round_answered(&l->renewal, is_good);
}

static bool lease_round_is_fresh(const struct lease_round *r, int64_t boot_ms)
{
	return r->good_ms > 0 && boot_ms - r->good_ms < LEASE_MS;
}

bool lease_is_fresh(const struct lease *l, int64_t boot_ms)
{
	return lease_round_is_fresh(&l->renewal, boot_ms) &&
	       lease_round_is_fresh(&l->list, boot_ms);
}

bool lease_proves_absence(const struct lease *l, int64_t boot_ms)
{
	return l->renewal.good_ms > 0 && !lease_is_late(l, boot_ms) &&
	       boot_ms - l->failed_ms >= LEASE_REST_MS;
}
