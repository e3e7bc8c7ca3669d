/*
 * course.c - see course.h.
 */
#include "tests/soak/course.h"

#include <stdlib.h>
#include <string.h>

struct figure_row {
	const char *json;
	const char *title;
	int decimals;
};

static const struct figure_row figure_rows[] = {
#define COURSE_ROW(symbol, json, title, decimals) {json, title, decimals},
	COURSE_FIGURES(COURSE_ROW)
#undef COURSE_ROW
};

void course_init(struct course *c)
{
	*c = (struct course){0};
}

void course_finish(struct course *c)
{
	free(c->samples);
	free(c->events);
	*c = (struct course){0};
}

/* Room for one more of `size` bytes; NULL without memory. */
static void *grow(void *at, size_t n, size_t *room, size_t size)
{
	if (n < *room) {
		return at;
	}
	size_t more = *room == 0 ? 256 : 2 * *room;
	void *grown = realloc(at, more * size);
	if (grown != NULL) {
		*room = more;
	}
	return grown;
}

enum err course_add_sample(struct course *c, const struct course_sample *sample)
{
	struct course_sample *grown =
		grow(c->samples, c->samples_n, &c->samples_room, sizeof(*sample));
	if (grown == NULL) {
		return ERR_NOMEM;
	}
	c->samples = grown;
	c->samples[c->samples_n++] = *sample;
	return OK;
}

enum err course_add_event(struct course *c, double at_s, const char *text)
{
	struct course_event *grown = grow(c->events, c->events_n, &c->events_room, sizeof(*grown));
	if (grown == NULL) {
		return ERR_NOMEM;
	}
	c->events = grown;
	c->events[c->events_n++] = (struct course_event){.at_s = at_s, .text = text};
	return OK;
}

/* ---- judging ---- */

#define GROWTH_PART	     0.02 /* of memory */
#define GROWTH_KB	     1024
#define GROWTH_OF_A_CROWD_KB 2048
#define CHANGE_PART	     1.25 /* of what a change takes on disk */
#define HELD_PART	     0.1  /* of the data, which a backup may keep from being used again */

/* Samples [begin, end). */
struct part {
	const struct course_sample *begin, *end;
};

static size_t part_n(struct part p)
{
	return (size_t)(p.end - p.begin);
}

/* Of n samples one has fewer than half below it, and with its equals more. */
static double part_median(struct part p, enum course_figure f)
{
	for (const struct course_sample *s = p.begin; s < p.end; s++) {
		size_t below = 0, equal = 0;
		for (const struct course_sample *other = p.begin; other < p.end; other++) {
			below += other->figures[f] < s->figures[f];
			equal += other->figures[f] == s->figures[f];
		}
		if (below <= part_n(p) / 2 && part_n(p) / 2 < below + equal) {
			return s->figures[f];
		}
	}
	return 0;
}

static double part_least(struct part p, enum course_figure f)
{
	double least = p.begin->figures[f];
	for (const struct course_sample *s = p.begin; s < p.end; s++) {
		least = s->figures[f] < least ? s->figures[f] : least;
	}
	return least;
}

static double part_growth(struct part p, enum course_figure f)
{
	return p.end[-1].figures[f] - p.begin->figures[f];
}

static double part_bytes_a_change(struct part p)
{
	double kept = part_growth(p, COURSE_KEPT);
	return kept > 0 ? 1024 * part_growth(p, COURSE_DISK) / kept : 0;
}

/* The last two thirds of the last life, halved. False: there is too little of them. */
static bool course_parts(const struct course *c, struct part parts[2])
{
	const struct course_sample *end = c->samples + c->samples_n;
	const struct course_sample *begin = end;
	while (begin > c->samples && begin[-1].life == end[-1].life) {
		begin--;
	}
	size_t third = (size_t)(end - begin) / 3;
	parts[0] = (struct part){end - 2 * third, end - third};
	parts[1] = (struct part){end - third, end};
	return third >= COURSE_SAMPLES_MIN;
}

static enum course_verdict verdict_of(bool is_flat)
{
	return is_flat ? COURSE_FLAT : COURSE_GREW;
}

void course_judge(const struct course *c, struct course_judgement *out)
{
	struct part parts[2];
	*out = (struct course_judgement){COURSE_SHORT, COURSE_SHORT, COURSE_SHORT, {0}, {0}, {0}};
	if (!course_parts(c, parts)) {
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		out->memory_kb[i] = part_median(parts[i], COURSE_MEMORY);
		out->least_descriptors[i] = part_least(parts[i], COURSE_DESCRIPTORS);
	}
	struct part before = {c->samples, parts[0].begin + 1},
		    both = {parts[0].begin, parts[1].end};
	out->bytes_a_change[0] = part_bytes_a_change(before);
	out->bytes_a_change[1] = part_bytes_a_change(both);
	double disk_kb =
		CHANGE_PART * out->bytes_a_change[0] * part_growth(both, COURSE_KEPT) / 1024 +
		HELD_PART * both.end[-1].figures[COURSE_DISK];

	double memory_kb = GROWTH_PART * out->memory_kb[0] + GROWTH_KB;
	memory_kb = memory_kb > GROWTH_OF_A_CROWD_KB ? memory_kb : GROWTH_OF_A_CROWD_KB;
	out->memory = verdict_of(out->memory_kb[1] <= out->memory_kb[0] + memory_kb);
	out->descriptors = verdict_of(out->least_descriptors[1] <= out->least_descriptors[0]);
	out->disk = verdict_of(part_growth(both, COURSE_DISK) <= disk_kb);
}

const char *course_verdict_text(enum course_verdict v)
{
	static const char *const texts[] = {[COURSE_FLAT] = "flat",
					    [COURSE_GREW] = "grew",
					    [COURSE_SHORT] = "too short to tell"};
	return texts[v];
}

/* ---- JSON ---- */

static void write_judgement(const struct course *c, struct buf *out)
{
	struct course_judgement j;
	course_judge(c, &j);
	(void)buf_printf(out,
			 "\"judged\":{\"memory\":\"%s\",\"descriptors\":\"%s\",\"disk\":\"%s\","
			 "\"memory_kb\":[%.0f,%.0f],\"least_descriptors\":[%.0f,%.0f],"
			 "\"bytes_a_change_kept\":[%.0f,%.0f]}",
			 course_verdict_text(j.memory), course_verdict_text(j.descriptors),
			 course_verdict_text(j.disk), j.memory_kb[0], j.memory_kb[1],
			 j.least_descriptors[0], j.least_descriptors[1], j.bytes_a_change[0],
			 j.bytes_a_change[1]);
}

void course_write_json(const struct course *c, struct buf *out)
{
	(void)buf_printf(out, "{");
	write_judgement(c, out);
	(void)buf_printf(out, ",\n\"events\":[");
	for (size_t i = 0; i < c->events_n; i++) {
		(void)buf_printf(out, "%s{\"at_s\":%.1f,\"text\":\"%s\"}", i > 0 ? ",\n" : "",
				 c->events[i].at_s, c->events[i].text);
	}
	(void)buf_printf(out, "],\n\"samples\":[");
	for (size_t i = 0; i < c->samples_n; i++) {
		const struct course_sample *s = &c->samples[i];
		(void)buf_printf(out, "%s{\"at_s\":%.1f,\"life\":%u", i > 0 ? ",\n" : "", s->at_s,
				 s->life);
		for (size_t f = 0; f < COURSE_FIGURE_COUNT; f++) {
			(void)buf_printf(out, ",\"%s\":%.*f", figure_rows[f].json,
					 figure_rows[f].decimals, s->figures[f]);
		}
		(void)buf_printf(out, "}");
	}
	(void)buf_printf(out, "]}\n");
}

/* ---- the drawing ---- */

#define WIDTH	    1000
#define LEFT	    10
#define ROW_HEIGHT  110
#define PLOT_TOP    24 /* of a row */
#define PLOT_HEIGHT 70
#define POINTS_MOST 900 /* about one each pixel */

static double course_seconds(const struct course *c)
{
	double s = c->samples_n == 0 ? 0 : c->samples[c->samples_n - 1].at_s;
	return s > 0 ? s : 1;
}

static double x_of(const struct course *c, double at_s)
{
	return LEFT + (WIDTH - 2 * LEFT) * at_s / course_seconds(c);
}

/* The largest of all samples, which the row is drawn up to. */
static double course_most(const struct course *c, size_t f)
{
	double most = 0;
	for (size_t i = 0; i < c->samples_n; i++) {
		double figure = c->samples[i].figures[f];
		most = figure > most ? figure : most;
	}
	return most;
}

/* Of samples that share a pixel the one with the largest figure is drawn. */
static void draw_figure(const struct course *c, size_t f, struct buf *out)
{
	double most = course_most(c, f);
	double top = (double)f * ROW_HEIGHT + PLOT_TOP;
	size_t step = c->samples_n / POINTS_MOST + 1;
	(void)buf_printf(out,
			 "<text x=\"%d\" y=\"%.0f\">%s: up to %.*f</text>\n<polyline points=\"",
			 LEFT, top - 6, figure_rows[f].title, figure_rows[f].decimals, most);
	for (size_t i = 0; i < c->samples_n; i += step) {
		double figure = 0;
		for (size_t k = i; k < i + step && k < c->samples_n; k++) {
			double other = c->samples[k].figures[f];
			figure = other > figure ? other : figure;
		}
		(void)buf_printf(out, "%.1f,%.1f ", x_of(c, c->samples[i].at_s),
				 top + PLOT_HEIGHT * (most > 0 ? 1 - figure / most : 1));
	}
	(void)buf_printf(out, "\"/>\n");
}

void course_write_svg(const struct course *c, struct buf *out)
{
	int height = COURSE_FIGURE_COUNT * ROW_HEIGHT;
	(void)buf_printf(out,
			 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n"
			 "<style>svg{background:#fff}text{font:13px sans-serif}"
			 "polyline{fill:none;stroke:#05a;stroke-width:1.5}"
			 "path{stroke:#c60;stroke-opacity:.4}</style>\n"
			 "<title>%.0f minutes of a server</title>\n",
			 WIDTH, height, course_seconds(c) / 60);
	for (size_t i = 0; i < c->events_n; i++) {
		(void)buf_printf(out, "<path d=\"M%.1f 0V%d\"><title>%s</title></path>\n",
				 x_of(c, c->events[i].at_s), height, c->events[i].text);
	}
	for (size_t f = 0; f < COURSE_FIGURE_COUNT; f++) {
		draw_figure(c, f, out);
	}
	(void)buf_printf(out, "</svg>\n");
}
