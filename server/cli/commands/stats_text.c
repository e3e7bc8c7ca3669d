/*
 * stats_text.c - see stats_text.h.
 */
#include "server/cli/commands/stats_text.h"

#include <jansson.h>

#include "proto/base/format.h"
#include "server/core/counters.h"

#define STATS_NUMBER_BYTES 40

/* Seconds are counted in microseconds: at most six digits behind the point. */
static const char *stats_number(const json_t *value, char out[STATS_NUMBER_BYTES])
{
	if (json_is_real(value)) {
		(void)format_to(out, STATS_NUMBER_BYTES, "%.6f", json_real_value(value));
		return out;
	}
	size_t n = json_dumpb(value, out, STATS_NUMBER_BYTES - 1,
			      JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	out[n < STATS_NUMBER_BYTES ? n : 0] = '\0';
	return out;
}

/* ---- for Prometheus ---- */

static void stats_sample(struct buf *out, const struct metric_row *row, const char *suffix,
			 const char *labels, const json_t *value)
{
	char number[STATS_NUMBER_BYTES];
	if (json_is_number(value)) {
		(void)buf_printf(out, METRIC_PREFIX "%s%s%s %s\n", row->name, suffix, labels,
				 stats_number(value, number));
	}
}

static void stats_samples(struct buf *out, const struct metric_row *row, json_t *metric)
{
	char labels[160];
	const char *first;
	const char *second;
	json_t *inner;
	json_t *value;
	switch (row->shape) {
	case METRIC_NUMBER:
		stats_sample(out, row, "", "", metric);
		break;
	case METRIC_BY_METHOD:
		json_object_foreach(metric, first, inner)
		{
			json_object_foreach(inner, second, value)
			{
				(void)format_to(labels, sizeof(labels),
						"{" METRIC_METHOD "=\"%s\"," METRIC_OUTCOME
						"=\"%s\"}",
						first, second);
				stats_sample(out, row, "", labels, value);
			}
		}
		break;
	case METRIC_BY_CODE:
		json_object_foreach(metric, first, value)
		{
			(void)format_to(labels, sizeof(labels), "{" METRIC_CODE "=\"%s\"}", first);
			stats_sample(out, row, "", labels, value);
		}
		break;
	case METRIC_HISTOGRAM:
		json_object_foreach(json_object_get(metric, "buckets"), first, value)
		{
			(void)format_to(labels, sizeof(labels), "{le=\"%s\"}", first);
			stats_sample(out, row, "_bucket", labels, value);
		}
		stats_sample(out, row, "_sum", "", json_object_get(metric, "sum"));
		stats_sample(out, row, "_count", "", json_object_get(metric, "count"));
		break;
	}
}

static void stats_metric(struct buf *out, const struct metric_row *row, json_t *metric)
{
	(void)buf_printf(out, "# HELP " METRIC_PREFIX "%s %s\n# TYPE " METRIC_PREFIX "%s %s\n",
			 row->name, row->help, row->name, metric_type_name(row->type));
	stats_samples(out, row, metric);
}

/* ---- for people ---- */

/* The bound that `percent` of the values lie within. */
static const char *stats_bound(json_t *buckets, json_int_t all, json_int_t percent)
{
	const char *bound;
	json_t *n;
	json_object_foreach(buckets, bound, n)
	{
		if (json_integer_value(n) * 100 >= all * percent) {
			return bound;
		}
	}
	return "+Inf";
}

static void stats_line(struct buf *out, const struct metric_row *row, json_t *metric)
{
	char number[STATS_NUMBER_BYTES];
	const char *first;
	const char *second;
	json_t *inner;
	json_t *value;
	switch (row->shape) {
	case METRIC_NUMBER:
		(void)buf_printf(out, "%-30s %s\n", row->name, stats_number(metric, number));
		break;
	case METRIC_BY_METHOD:
		(void)buf_printf(out, "%s\n", row->name);
		json_object_foreach(metric, first, inner)
		{
			size_t before = out->len;
			bool is_any = false;
			(void)buf_printf(out, "  %-28s", first);
			json_object_foreach(inner, second, value)
			{
				if (json_integer_value(value) > 0) {
					is_any = true;
					(void)buf_printf(out, " %s %s", stats_number(value, number),
							 second);
				}
			}
			(void)buf_append(out, "\n", 1);
			if (!is_any && out->error == OK) {
				out->len = before;
			}
		}
		break;
	case METRIC_BY_CODE:
		(void)buf_printf(out, "%s\n", row->name);
		json_object_foreach(metric, first, value)
		{
			if (json_integer_value(value) > 0) {
				(void)buf_printf(out, "  %-28s %s\n", first,
						 stats_number(value, number));
			}
		}
		break;
	case METRIC_HISTOGRAM:
		inner = json_object_get(metric, "buckets");
		value = json_object_get(metric, "count");
		(void)buf_printf(out, "%-30s %s", row->name, stats_number(value, number));
		if (json_integer_value(value) > 0) {
			json_int_t all = json_integer_value(value);
			(void)buf_printf(out, " times, median %s, 99th percentile %s",
					 stats_bound(inner, all, 50), stats_bound(inner, all, 99));
		}
		(void)buf_append(out, "\n", 1);
		break;
	}
}

/* ---- both ---- */

enum err stats_write(enum stats_format format, struct slice json, struct buf *out)
{
	if (format == STATS_JSON) {
		(void)buf_append_slice(out, json);
		return buf_append(out, "\n", 1);
	}
	json_t *answer = json_loadb(json.data, json.len, 0, NULL);
	json_t *metrics = json_object_get(answer, "counters");
	enum err e = json_is_object(metrics) ? OK : ERR_PROTO;
	for (size_t i = 0; e == OK && i < METRIC_COUNT; i++) {
		const struct metric_row *row = &metric_rows[i];
		json_t *metric = json_object_get(metrics, row->name);
		if (metric != NULL) {
			(format == STATS_PROMETHEUS ? stats_metric : stats_line)(out, row, metric);
		}
		e = out->error;
	}
	json_decref(answer);
	return e;
}
