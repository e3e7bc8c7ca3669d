/*
 * main_serve.c - puts data, store, core and sockets together, in this order: of two
 * servers for the same data the later one fails before it touches a socket.
 */
#include "server/net/main_serve.h"

#include <sodium.h>
#include <stdio.h>
#include <time.h>

#include "proto/format.h"
#include "proto/key_hash.h"
#include "server/net/data_dir.h"
#include "server/net/event_loop.h"
#include "server/net/log.h"
#include "server/net/rlimits.h"
#include "server/net/sd_notify.h"
#include "server/net/socket.h"

#define SERVE_SOCKETS_MAX (2 * LISTEN_MAX) /* inherited ones, and those of --listen */
#define SERVE_FILES_RESERVED \
	64 /* for the store, listeners, refusals, and what the library opens \
	    */
#define SERVE_CONNECTIONS_LEAST 16
#define SERVE_OWNER		"data" /* its keyed hash identifies the server key that belongs to the data */

struct serving {
	const struct options *options;
	struct log log;
	struct server_config config;
	struct event_loop *loop;
	struct server *server;
	struct listening sockets[SERVE_SOCKETS_MAX];
	size_t sockets_n;
	bool has_tls;
	struct fingerprint fingerprint; /* of the certificate in use */
};

/* ---- the parts ---- */

/* Read the certificate of tls:// addresses, and have new connections use it. */
static enum err serve_use_certificate(struct serving *sv, struct errmsg *why)
{
	const struct options *o = sv->options;
	struct tls_context *made = NULL;
	struct buf certificate;
	struct buf key;
	buf_init(&certificate, 2 * DATA_DIR_FILE_BYTES_MAX);
	buf_init(&key, 2 * DATA_DIR_FILE_BYTES_MAX);
	enum err e = OK;
	if (o->tls_cert == NULL) {
		e = data_dir_certificate(o->data, &key, why);
	} else {
		e = data_dir_read_file(o->tls_cert, false, &certificate, why);
		e = e != OK ? e : data_dir_read_file(o->tls_key, true, &key, why);
	}
	if (e == OK) {
		e = tls_context_serve(buf_slice(o->tls_cert == NULL ? &key : &certificate),
				      buf_slice(&key), &made, why);
	}
	if (e == OK && (e = tls_context_is_valid_now(made, why)) != OK) {
		tls_context_free(made);
	}
	if (e == OK) {
		tls_context_fingerprint(made, &sv->fingerprint);
		e = event_loop_use_certificate(sv->loop, made);
	}
	if (key.data != NULL) {
		sodium_memzero(key.data, key.capacity);
	}
	buf_finish(&certificate);
	buf_finish(&key);
	return e;
}

static void serve_on_hangup(void *arg)
{
	struct serving *sv = arg;
	struct errmsg why = {{0}};
	if (!sv->has_tls) {
		return;
	}
	if (serve_use_certificate(sv, &why) == OK) {
		log_pair(&sv->log, LOG_INFO, "certificate_read", "fingerprint",
			 sv->fingerprint.text);
	} else {
		log_pair(&sv->log, LOG_ERROR, "certificate_kept", "reason", why.text);
	}
}

static enum err serve_on_certificate(void *arg, struct errmsg *why)
{
	struct serving *sv = arg;
	enum err e = serve_use_certificate(sv, why);
	sv->has_tls = e == OK;
	return e;
}

static enum err serve_open_sockets(struct serving *sv, struct errmsg *why)
{
	enum err e = socket_inherit(sv->sockets, LISTEN_MAX, &sv->sockets_n, why);
	for (size_t i = 0; i < sv->options->listens_n; i++) {
		sv->has_tls = sv->has_tls || sv->options->listens[i].is_tls;
	}
	if (e == OK && sv->has_tls) {
		e = serve_use_certificate(sv, why);
	}
	for (size_t i = 0; i < sv->options->listens_n && e == OK; i++) {
		e = socket_listen(&sv->options->listens[i], sv->options->socket_mode,
				  &sv->sockets[sv->sockets_n], why);
		sv->sockets_n += e == OK ? 1 : 0;
	}
	if (e == OK && sv->sockets_n == 0) {
		errmsg_set(why, "no address to serve on: give --listen, or start by a socket unit");
		e = ERR_INVALID;
	}
	for (size_t i = 0; i < sv->sockets_n && e == OK; i++) {
		if (sv->sockets[i].is_exposed && !sv->sockets[i].is_tls) {
			log_pair(&sv->log, LOG_WARN, "not_encrypted", "address",
				 sv->sockets[i].name);
		}
	}
	return e;
}

static enum err serve_size(struct serving *sv, struct errmsg *why)
{
	size_t files = process_raise_files();
	size_t reserved = SERVE_FILES_RESERVED + 2 * sv->options->listens_n;
	if (files < reserved + SERVE_CONNECTIONS_LEAST) {
		errmsg_set(why,
			   "only %zu files may be open, %zu are needed at least; raise `ulimit "
			   "-n`, or "
			   "LimitNOFILE= of the service",
			   files, reserved + SERVE_CONNECTIONS_LEAST);
		return ERR_IO;
	}
	int64_t possible = (int64_t)(files - reserved);
	int64_t *wanted = &sv->config.limits[LIMIT_CONNECTIONS];
	if (*wanted > possible) {
		struct log_line l;
		log_begin(&l, &sv->log, LOG_INFO, "connections_lowered");
		log_int(&l, "limit", *wanted);
		log_int(&l, "possible", possible);
		log_str(&l, "reason", "open files");
		log_end(&l);
		*wanted = possible;
	}
	return OK;
}

static void serve_on_damage(void *arg, struct slice line)
{
	struct serving *sv = arg;
	char text[LOG_LINE_BYTES_MAX];
	(void)format_to(text, sizeof(text), "%.*s", (int)line.len, line.data);
	log_pair(&sv->log, LOG_ERROR, "data_damaged", "what", text);
}

/* The event loop takes the store first, so that a failure after that is cleaned up in one place. */
static enum err serve_start(struct serving *sv, struct errmsg *why)
{
	const struct options *o = sv->options;
	struct server_config *config = &sv->config;
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_REALTIME, &now);
	server_config_defaults(config);
	memcpy(config->limits, o->limits, sizeof(config->limits));
	config->has_kiosk = o->has_kiosk;
	config->kiosk_uid = o->kiosk_uid;
	config->has_command = o->notify_command != NULL;
	config->room_code_chars = (size_t)o->room_code_chars;
	config->now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
	randombytes_buf(config->seed, sizeof(config->seed));
	enum err e = data_dir_open(o->data, why);
	e = e != OK ? e : data_dir_key(o->data, config->server_key, why);
	e = e != OK ? e : serve_size(sv, why);
	struct event_loop_config loop_config = {
		.log = &sv->log,
		.connections_max = (size_t)config->limits[LIMIT_CONNECTIONS],
		.idle_exit_ms = o->idle_exit_s * 1000,
		.notify_command = o->notify_command,
		.notify_command_ms = config->limits[LIMIT_COMMAND_MS],
		.handshake_ms = config->limits[LIMIT_HANDSHAKE_MS],
		.handshakes = (size_t)config->limits[LIMIT_HANDSHAKES],
		.handshakes_per_address = (size_t)config->limits[LIMIT_HANDSHAKES_PER_ADDRESS],
		.on_hangup = serve_on_hangup,
		.on_certificate = serve_on_certificate,
		.on_arg = sv,
	};
	e = e != OK ? e : event_loop_create(&loop_config, &sv->loop, why);
	if (e != OK) {
		return e;
	}
	struct store *store = NULL;
	struct key_text owner =
		key_hash(config->server_key, SERVE_OWNER, SLICE("whose data these are"));
	struct store_lmdb_options store_options = {
		.directory = o->data,
		.map_bytes = (uint64_t)o->map_bytes,
		.reserve_bytes = (uint64_t)o->reserve_bytes,
		.owner = slice_of(owner.text, KEY_CHARS),
		.on_damage = serve_on_damage,
		.on_damage_arg = sv,
		.wake = event_loop_wake,
		.wake_arg = sv->loop,
	};
	e = store_open_lmdb(&store_options, &store, why);
	if (e != OK) {
		return e;
	}
	e = server_create(config, &sv->server);
	if (e != OK) {
		errmsg_set(why, "cannot start: %s", err_text(e));
		store_close(store);
		return e;
	}
	event_loop_attach(sv->loop, sv->server, store);
	e = serve_open_sockets(sv, why);
	return e != OK ? e : event_loop_serve(sv->loop, sv->sockets, sv->sockets_n, why);
}

enum err serve(const struct options *o, struct errmsg *why)
{
	struct serving sv = {.options = o, .log = {.level = o->level, .fd = 2}};
	enum err e = serve_start(&sv, why);
	sodium_memzero(&sv.config, sizeof(sv.config));
	if (e == OK) {
		log_pair(&sv.log, LOG_INFO, "serving", "version", AYE_VERSION);
		/* One line, and nothing else ever, on stdout: the parent process waits for it.
		 * If stdout is closed, clients that connect find out that the server is ready. */
		(void)fputs("ready", stdout);
		for (size_t i = 0; i < sv.sockets_n; i++) {
			/* Nobody vouches for a certificate of our own: its fingerprint does. */
			bool is_own = sv.sockets[i].is_tls && o->tls_cert == NULL;
			(void)printf(" %s%s%s", sv.sockets[i].name, is_own ? "#" : "",
				     is_own ? sv.fingerprint.text : "");
		}
		(void)putchar('\n');
		(void)fflush(stdout);
		notify_manager("READY=1");
		if (event_loop_run(sv.loop) != EVENT_LOOP_STOPPED) {
			return ERR_CLOSED;
		}
	}
	event_loop_destroy(sv.loop);
	server_destroy(sv.server);
	for (size_t i = 0; i < sv.sockets_n; i++) {
		socket_close(&sv.sockets[i]);
	}
	if (e == OK) {
		log_pair(&sv.log, LOG_INFO, "stopped", "version", AYE_VERSION);
	}
	return e;
}
