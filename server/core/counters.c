/*
 * counters.c - the rows of counters.h as a table, and as a map for the wire.
 */
#include "server/core/counters.h"

#include <msgpack.h>

#include "proto/records/record_pack.h"

#define ROW(member, name_, type_, unit_, shape_, help_)   \
	{(name_),	 (help_),	  METRIC_##type_, \
	 METRIC_##unit_, METRIC_##shape_, offsetof(struct counters, member)},
#define ROW_NUMBER(member, name, type, unit, help)    ROW(member, name, type, unit, NUMBER, help)
#define ROW_METHODS(member, name, type, unit, help)   ROW(member, name, type, unit, BY_METHOD, help)
#define ROW_CODES(member, name, type, unit, help)     ROW(member, name, type, unit, BY_CODE, help)
#define ROW_HISTOGRAM(member, name, type, unit, help) ROW(member, name, type, unit, HISTOGRAM, help)

const struct metric_row metric_rows[METRIC_COUNT] = {
	METRICS(ROW_NUMBER, ROW_METHODS, ROW_CODES, ROW_HISTOGRAM)};

const char *metric_type_name(enum metric_type type)
{
	return type == METRIC_COUNTER ? "counter" : type == METRIC_GAUGE ? "gauge" : "histogram";
}

static const char *const counters_outcomes[OUTCOME_COUNT] = {
#define OUTCOME_WORD(symbol, word) (word),
	OUTCOMES(OUTCOME_WORD)
#undef OUTCOME_WORD
};

static void pack_text(msgpack_packer *p, const char *text)
{
	record_pack_text(p, slice_str(text)); /* failures stick to the buffer */
}

/* Seconds are counted in microseconds. */
static void pack_value(msgpack_packer *p, enum metric_unit unit, uint64_t value)
{
	if (unit == METRIC_SECONDS) {
		(void)msgpack_pack_double(p, (double)value / 1e6);
	} else {
		(void)msgpack_pack_uint64(p, value);
	}
}

static void pack_histogram(msgpack_packer *p, const struct metric_row *row,
			   const struct histogram *h)
{
	enum histogram_kind kind = row->type == METRIC_TIME ? HISTOGRAM_TIME : HISTOGRAM_SIZE;
	uint64_t n = 0;
	(void)msgpack_pack_map(p, 3);
	pack_text(p, "buckets");
	(void)msgpack_pack_map(p, HISTOGRAM_BOUNDS + 1);
	for (size_t i = 0; i <= HISTOGRAM_BOUNDS; i++) {
		n += h->counts[i];
		pack_text(p, i == HISTOGRAM_BOUNDS ? "+Inf" : histogram_bound_texts[kind][i]);
		(void)msgpack_pack_uint64(p, n);
	}
	pack_text(p, "sum");
	pack_value(p, row->unit, h->sum);
	pack_text(p, "count");
	(void)msgpack_pack_uint64(p, n);
}

/* @by_method  the outcomes of each, one after the other. */
static void pack_methods(msgpack_packer *p, const uint64_t *by_method)
{
	(void)msgpack_pack_map(p, METHOD_COUNT + 1);
	for (size_t m = 0; m <= METHOD_COUNT; m++) {
		pack_text(p, m == METHOD_COUNT ? METRIC_NO_METHOD : method_rows[m].name);
		(void)msgpack_pack_map(p, OUTCOME_COUNT);
		for (size_t i = 0; i < OUTCOME_COUNT; i++) {
			pack_text(p, counters_outcomes[i]);
			(void)msgpack_pack_uint64(p, by_method[m * OUTCOME_COUNT + i]);
		}
	}
}

static void pack_codes(msgpack_packer *p, const uint64_t *by_code)
{
	(void)msgpack_pack_map(p, FAULT_COUNT - 1);
	for (size_t i = FAULT_NONE + 1; i < FAULT_COUNT; i++) {
		pack_text(p, fault_code_name((enum fault_code)i));
		(void)msgpack_pack_uint64(p, by_code[i]);
	}
}

void counters_write(const struct counters *c, struct buf *out)
{
	msgpack_packer p;
	msgpack_packer_init(&p, out, record_pack_bytes);
	(void)msgpack_pack_map(&p, METRIC_COUNT);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric_row *row = &metric_rows[i];
		const void *member = (const char *)c + row->offset;
		pack_text(&p, row->name);
		switch (row->shape) {
		case METRIC_NUMBER:
			pack_value(&p, row->unit, *(const uint64_t *)member);
			break;
		case METRIC_BY_METHOD:
			pack_methods(&p, member);
			break;
		case METRIC_BY_CODE:
			pack_codes(&p, member);
			break;
		case METRIC_HISTOGRAM:
			pack_histogram(&p, row, member);
			break;
		}
	}
}
