/*
 * data.h - what maps, lists and presences have in common.
 */
#ifndef TESTS_SIM_FEATURES_DATA_H
#define TESTS_SIM_FEATURES_DATA_H

#include "tests/sim/features/feature.h"
#include "tests/sim/net/send.h"

/* One map and one list are enough to disagree on. */
#define SEND_DATA(p, about, w, c, room, set)                       \
	do {                                                       \
		SEND_ROOM_ID(p, w, room);                          \
		(p).name = slice_str(set);                         \
		(about).shows_user_key = send_shows_key(w, c, room, &(p).user_key); \
	} while (false)

/* A value that no other has, as MessagePack. */
struct slice send_value(struct world *w, struct op *about, char out[9]);
/* create, delete, and what else only names the set */
void send_data(struct world *w, struct conn *c, enum method method, int room, const char *set, const char *once);

void send_get(struct world *w, struct conn *c, enum method method, int room, const char *set);

state_test refused_no_data_editor, refused_no_data_deleter, refused_no_data_reader;
#define DATA_EDITORS_ROW  .forbidden = refused_no_data_editor, .takes_no_key = true
#define DATA_DELETERS_ROW .forbidden = refused_no_data_deleter, .takes_no_key = true
#define DATA_READERS_ROW  .forbidden = refused_no_data_reader, .takes_no_key = true

#endif
