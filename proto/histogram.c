/*
 * histogram.c - the bounds, as numbers and as text from the same rows.
 */
#include "proto/histogram.h"

#define HISTOGRAM_TIMES(X) \
	X(100, "0.0001")   \
	X(250, "0.00025")  \
	X(500, "0.0005")   \
	X(1000, "0.001")   \
	X(2500, "0.0025")  \
	X(5000, "0.005")   \
	X(10000, "0.01")   \
	X(25000, "0.025")  \
	X(50000, "0.05")   \
	X(100000, "0.1")   \
	X(250000, "0.25")  \
	X(500000, "0.5")   \
	X(1000000, "1")
#define HISTOGRAM_SIZES(X) \
	X(1, "1")          \
	X(2, "2")          \
	X(4, "4")          \
	X(8, "8")          \
	X(16, "16")        \
	X(32, "32")        \
	X(64, "64")        \
	X(128, "128")      \
	X(256, "256")      \
	X(512, "512")      \
	X(1024, "1024")    \
	X(2048, "2048")    \
	X(4096, "4096")

#define HISTOGRAM_NUMBER(bound, text) (bound),
#define HISTOGRAM_TEXT(bound, text)   (text),

const uint64_t histogram_bounds[HISTOGRAM_KINDS][HISTOGRAM_BOUNDS] = {
	[HISTOGRAM_TIME] = {HISTOGRAM_TIMES(HISTOGRAM_NUMBER)},
	[HISTOGRAM_SIZE] = {HISTOGRAM_SIZES(HISTOGRAM_NUMBER)},
};

const char *const histogram_bound_texts[HISTOGRAM_KINDS][HISTOGRAM_BOUNDS] = {
	[HISTOGRAM_TIME] = {HISTOGRAM_TIMES(HISTOGRAM_TEXT)},
	[HISTOGRAM_SIZE] = {HISTOGRAM_SIZES(HISTOGRAM_TEXT)},
};
