/*
 * machines.c - moves of the declared state machines: traced, and counted, so
 * that a state that no run ever reaches is noticed.
 */
#include "tests/sim/world/world.h"

#include "server/core/rooms/subscription.h"
#include "server/domain/room/room.h"

static const struct machine *const sim_machines[SIM_MACHINES] = {
	&seat_machine,
	&subscription_machine,
};

static void on_move(void *context, const struct machine *m, const char *whose, unsigned from,
		    unsigned to)
{
	struct world *w = context;
	if (!w->o.is_scripted) {
		trace(w, "  %s %s: %s to %s", m->name, whose, m->states[from].name,
		      m->states[to].name);
	}
	for (size_t i = 0; i < SIM_MACHINES; i++) {
		w->figures.moves[i][from][to] += sim_machines[i] == m;
	}
}

void machines_start(struct world *w)
{
	w->machine_trace = (struct machine_trace){.moves = on_move, .context = w};
	w->config.trace = &w->machine_trace;
}

unsigned machines_report(const struct world_figures *f)
{
	unsigned allowed = 0;
	unsigned made = 0;
	for (size_t i = 0; i < SIM_MACHINES; i++) {
		const struct machine *m = sim_machines[i];
		for (unsigned a = 0; a < MACHINE_STATES_MAX; a++) {
			for (unsigned b = 0; b < MACHINE_STATES_MAX; b++) {
				if ((m->states[a].next & MACHINE_TO(b)) == 0) {
					continue;
				}
				allowed++;
				made += f->moves[i][a][b] > 0;
				if (f->moves[i][a][b] == 0) {
					printf("# no %s went from %s to %s\n", m->name,
					       m->states[a].name, m->states[b].name);
				}
			}
		}
	}
	printf("# %u of %u moves of the state machines were made\n", made, allowed);
	return allowed - made;
}
