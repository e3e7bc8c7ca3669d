/*
 * crowd_come.c - how a crowd begins, party by party, and ends.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "tests/support/crowd_client.h"
#include "tests/support/test.h"

/* One that reveals by itself waits for the member who never votes. */
static void make_room(const char *socket, bool keeps_votes, bool reveals, char room[ID_BYTES])
{
	struct net_peer p;
	char params[256];
	net_peer_open(&p, net_connect_unix(socket));
	net_hello(&p);
	(void)format_to(
		params, sizeof(params),
		"{\"valid_sizes\":[\"c0\",\"c1\",\"c2\",\"c3\",\"c4\",\"c5\",\"c6\",\"c7\"],"
		"\"policy\":{\"who_reveals\":\"everyone\",\"who_resets\":\"everyone\","
		"\"keep_votes\":%s,\"auto_reveal\":%s}}",
		keeps_votes ? "true" : "false", reveals ? "true" : "false");
	net_field(net_must(&p, "room.create", params), "room_id", room, ID_BYTES);
	net_peer_close(&p);
}

static void sit_down(struct client *c, const char *room)
{
	char params[96];
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"}", room);
	const char *json = net_must(&c->peer, "room.subscribe", params);
	net_field(json, "user_key", c->proof, sizeof(c->proof));
	net_field(json, "user_id", c->user_id, ID_BYTES);
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"username\":\"m%u\"}", room,
			c->at);
	(void)net_must(&c->peer, "room.join", params);
}

static void log_in(struct client *c)
{
	char params[128], name[16];
	(void)format_to(name, sizeof(name), "person %u", c->at);
	bool is_keeper = c->kind == &crowd_keeper;
	net_peer_open(&c->peer, net_connect_unix(crowd_socket(c)));
	net_field(is_keeper ? net_login_with_key(&c->peer, name) : net_login(&c->peer, name),
		  "token", c->proof, sizeof(c->proof));
	if (is_keeper) {
		net_field(net_must(&c->peer, "group.create", "{}"), "container_id", c->place,
			  ID_BYTES);
		(void)format_to(params, sizeof(params),
				"{\"container_id\":\"%s\",\"name\":\"counter\",\"quantity\":0}",
				c->place);
		net_field(net_must(&c->peer, "item.add", params), "item_id", c->counter, ID_BYTES);
	}
}

static const struct client_kind *kind_of(unsigned i)
{
	bool asks = (i - MEMBERS - KEEPERS) % 2 == 0;
	return i < MEMBERS			    ? &crowd_member
	       : i < MEMBERS + KEEPERS		    ? &crowd_keeper
	       : i >= MEMBERS + KEEPERS + 2 * PAIRS ? &crowd_player
	       : asks				    ? &crowd_asker
						    : &crowd_answerer;
}

static void party_come(struct crowd *crowd, const char *socket, bool keeps_votes)
{
	char rooms[2][ID_BYTES]; /* where members vote, and where one plays */
	bool are_several = crowd->servers_n > 1;
	assert_true(crowd->n + CLIENTS <= CLIENTS_MAX);
	for (size_t i = 0; i < 2; i++) {
		size_t at = (crowd->rooms_n + i) % crowd->servers_n;
		make_room(are_several ? crowd->servers[at]->socket : socket, keeps_votes,
			  are_several && i == 0, rooms[i]);
	}
	for (unsigned i = 0; i < CLIENTS; i++) {
		struct client *c = &crowd->clients[crowd->n];
		c->crowd = crowd;
		c->socket = socket;
		c->at = (unsigned)crowd->n;
		c->card = -1;
		c->kind = kind_of(i);
		c->is_silent = are_several && i == 0;
		c->other = c->kind == &crowd_asker ? c + 1 : NULL;
		if (c->kind->is_seated) {
			size_t which = c->kind == &crowd_player;
			c->room = &crowd->rooms[crowd->rooms_n + which];
			memcpy(c->place, rooms[which], ID_BYTES);
			crowd_open(c, &c->peer);
			sit_down(c, c->place);
		} else {
			log_in(c);
		}
		c->is_open = true;
		c->is_ready = true;
		crowd->n++;
	}
	crowd->rooms_n += 2;
}

struct crowd *crowd_create(const struct net_server *s, unsigned seed)
{
	struct crowd *crowd = calloc(1, sizeof(*crowd));
	assert_non_null(crowd);
	*crowd = (struct crowd){.servers = {s},
				.servers_n = 1,
				.random = seed,
				.pause_ms = CROWD_TURN_MS};
	party_come(crowd, s->relays[0] > 0 ? s->relay_sockets[0] : s->socket, false);
	return crowd;
}

void crowd_add_party(struct crowd *crowd, const char *socket)
{
	party_come(crowd, socket, true);
}

struct crowd *crowd_create_among(const struct net_server *const *servers, size_t n, size_t parties,
				 unsigned seed)
{
	struct crowd *crowd = calloc(1, sizeof(*crowd));
	assert_non_null(crowd);
	assert_true(n <= CROWD_SERVERS_MAX);
	*crowd = (struct crowd){.servers_n = n, .random = seed, .pause_ms = CROWD_TURN_MS};
	memcpy(crowd->servers, servers, n * sizeof(servers[0]));
	for (size_t i = 0; i < parties; i++) {
		party_come(crowd, NULL, i % 2 == 1);
	}
	return crowd;
}

void crowd_destroy(struct crowd *crowd)
{
	free(crowd->times_us);
	for (size_t i = 0; i < crowd->n; i++) {
		if (crowd->clients[i].is_open) {
			net_peer_close(&crowd->clients[i].peer);
		}
		free(crowd->clients[i].fates);
	}
	free(crowd);
}
