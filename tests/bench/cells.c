/*
 * cells.c - all cells and figures there are.
 */
#include "tests/bench/cell.h"

const struct figure_row figure_rows[FIGURE_COUNT] = {
#define FIGURE_ROW(symbol, json, heading, decimals) {json, heading, decimals},
	FIGURES(FIGURE_ROW)
#undef FIGURE_ROW
};

const struct cell *const bench_cells[] = {cells_votes,	 cells_paced,	cells_connect,
					  cells_durable, cells_store,	cells_questions,
					  cells_team,	 cells_client,	cells_tls,
					  cells_web,	 cells_stories, cells_redis,
					  cells_commits, cells_nodes,	NULL};
