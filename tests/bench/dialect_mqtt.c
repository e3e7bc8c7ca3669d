/*
 * dialect_mqtt.c - MQTT 3.1.1, quality of service 0.
 *
 * A client may go on without waiting for CONNACK (3.1.4 of the standard).
 * https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/mqtt-v3.1.1.html
 */
#include <string.h>

#include "proto/base/format.h"
#include "tests/bench/dialect.h"

enum mqtt_type {
	MQTT_CONNECT = 1,
	MQTT_CONNACK = 2,
	MQTT_PUBLISH = 3,
	MQTT_SUBSCRIBE = 8,
	MQTT_SUBACK = 9,
};

/* Everything here is shorter than 128 bytes but a vote, so two bytes of length are enough. */
static void mqtt_head(enum mqtt_type type, unsigned flags, size_t len, struct buf *out)
{
	unsigned char head[3] = {(unsigned char)((unsigned)type << 4 | flags),
				 (unsigned char)(len % 128 + (len < 128 ? 0 : 128)),
				 (unsigned char)(len / 128)};
	(void)buf_append(out, head, len < 128 ? 2 : 3);
}

static void mqtt_text(struct slice text, struct buf *out)
{
	unsigned char len[2] = {(unsigned char)(text.len >> 8), (unsigned char)text.len};
	(void)buf_append(out, len, 2);
	(void)buf_append_slice(out, text);
}

static struct slice mqtt_topic(const struct speaker *who, char name[ROOM_NAME_BYTES])
{
	return slice_of(name, format_to(name, ROOM_NAME_BYTES, "room%u", who->room));
}

static void mqtt_connect(const struct speaker *who, struct buf *out)
{
	static const unsigned char level_flags_keepalive[] = {4, 2, 0, 0};
	char id[2 * ROOM_NAME_BYTES];
	size_t len = format_to(id, sizeof(id), "r%um%u", who->room, who->member);
	mqtt_head(MQTT_CONNECT, 0, 6 + sizeof(level_flags_keepalive) + 2 + len, out);
	mqtt_text(SLICE("MQTT"), out);
	(void)buf_append(out, level_flags_keepalive, sizeof(level_flags_keepalive));
	mqtt_text(slice_of(id, len), out);
}

static void mqtt_subscribe(const struct speaker *who, struct buf *out)
{
	static const unsigned char packet_id[] = {0, 1};
	char name[ROOM_NAME_BYTES];
	struct slice topic = mqtt_topic(who, name);
	mqtt_head(MQTT_SUBSCRIBE, 2, sizeof(packet_id) + 2 + topic.len + 1, out);
	(void)buf_append(out, packet_id, sizeof(packet_id));
	mqtt_text(topic, out);
	(void)buf_append(out, "", 1); /* quality of service 0 */
}

static bool mqtt_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	if (step == 0) {
		mqtt_connect(who, out);
		mqtt_subscribe(who, out);
	}
	return step < 2;
}

static void mqtt_vote(const struct speaker *who, uint64_t seq, struct buf *out)
{
	char name[ROOM_NAME_BYTES];
	struct slice topic = mqtt_topic(who, name);
	mqtt_head(MQTT_PUBLISH, 0, 2 + topic.len + PAYLOAD_BYTES, out);
	mqtt_text(topic, out);
	payload_write(who, seq, out);
}

/* The head's own bytes, with the length of what follows; 0 for more, DIALECT_BAD for a length beyond all use. */
static size_t mqtt_read_head(struct slice in, size_t *len)
{
	*len = 0;
	for (size_t i = 1; i < in.len && i < 4; i++) {
		unsigned char c = (unsigned char)in.data[i];
		*len |= (size_t)(c & 127U) << (7 * (i - 1));
		if (c < 128) {
			return i + 1;
		}
	}
	return in.len < 4 ? 0 : DIALECT_BAD;
}

static bool mqtt_read_vote(struct slice body, struct incoming *out)
{
	if (body.len < 2) {
		return false;
	}
	size_t topic = (size_t)(unsigned char)body.data[0] << 8 | (unsigned char)body.data[1];
	return body.len >= 2 + topic &&
	       payload_read(slice_of(body.data + 2 + topic, body.len - 2 - topic), out);
}

static size_t mqtt_split(struct slice in, struct incoming *out)
{
	size_t len;
	size_t head = mqtt_read_head(in, &len);
	if (head == 0 || head == DIALECT_BAD) {
		return head;
	}
	if (in.len - head < len) {
		return 0;
	}
	struct slice body = slice_of(in.data + head, len);
	unsigned type = (unsigned char)in.data[0] >> 4;
	out->kind = INCOMING_STEP;
	if (type == MQTT_PUBLISH) {
		return mqtt_read_vote(body, out) ? head + len : DIALECT_BAD;
	}
	if (type == MQTT_CONNACK && len == 2 && body.data[1] != 0) {
		out->kind = INCOMING_REFUSED;
		out->text = SLICE("the broker refuses the connection");
	} else if (type != MQTT_CONNACK && type != MQTT_SUBACK) {
		return DIALECT_BAD;
	}
	return head + len;
}

const struct dialect dialect_mqtt = {
	.name = "mosquitto",
	.greet = mqtt_greet,
	.vote = mqtt_vote,
	.split = mqtt_split,
};
