/*
 * lines_of_text.h - texts of several lines as people and agents send them, what is stored of each, and how it is drawn.
 *
 * One table for all levels: unit tests expand it, tests/e2e/lines_of_text.py reads its rows. So a row has string
 * literals only, with the escapes that C and Python share; what is invisible is written by its bytes.
 */
#ifndef TESTS_SUPPORT_LINES_OF_TEXT_H
#define TESTS_SUPPORT_LINES_OF_TEXT_H

/* Cells that the column "drawn" was drawn in. */
#define LINES_OF_TEXT_CELLS 32

/* X(name, sent, stored, drawn) */
#define LINES_OF_TEXT(X)                                                                         \
	X("words", "Ship it today?", "Ship it today?", "Ship it today?\n")                       \
	X("python", "def f(x):\n    if x:\n        return  1\n    return 0",                     \
	  "def f(x):\n    if x:\n        return  1\n    return 0",                               \
	  "def f(x):\n    if x:\n        return  1\n    return 0\n")                             \
	X("diff", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n \n-\tx = 1;\n+\tx = 2;\n  y",             \
	  "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n \n-\tx = 1;\n+\tx = 2;\n  y",                     \
	  "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n\n-       x = 1;\n+       x = 2;\n  y\n")          \
	X("makefile", "all: a b\n\t$(CC) -o $@ $^\n\t@echo  done", "all: a b\n\t$(CC) -o $@ $^\n\t@echo  done", \
	  "all: a b\n        $(CC) -o $@ $^\n        @echo  done\n")                             \
	X("list", "- one\n  - two\n    - three\n\t- four\n- five", "- one\n  - two\n    - three\n\t- four\n- five", \
	  "- one\n  - two\n    - three\n        - four\n- five\n")                               \
	X("columns", "name   votes\nAda        5\nGrace     13", "name   votes\nAda        5\nGrace     13", \
	  "name   votes\nAda        5\nGrace     13\n")                                          \
	X("tabs", "a\tbb\tccc\n1234567\t8\n12345678\t9", "a\tbb\tccc\n1234567\t8\n12345678\t9",  \
	  "a       bb      ccc\n1234567 8\n12345678        9\n")                                 \
	X("indented", "    first\n  second", "    first\n  second", "    first\n  second\n")     \
	X("long code", "    call(the_first_argument, the_second, the_third)",                    \
	  "    call(the_first_argument, the_second, the_third)",                                 \
	  "    call(the_first_argument,\n    the_second, the_third)\n")                          \
	X("hard break", "one  \ntwo", "one  \ntwo", "one\ntwo\n")                                \
	X("crlf", "one\r\n\r\n  two\r\n", "one\n\n  two", "one\n\n  two\n")                      \
	X("cr", "one\r  two", "one\n  two", "one\n  two\n")                                      \
	X("blank around", " \n\t\n  first\n\n second \n \n", "  first\n\n second", "  first\n\n second\n")      \
	X("mark of bytes", "\xef\xbb\xbf" "one", "one", "one\n")                                 \
	X("soft hyphens", "Do\xc2\xadnau\xc2\xad" "dampf", "Donaudampf", "Donaudampf\n")         \
	X("family", "all: 👨\xe2\x80\x8d👩\xe2\x80\x8d👧\xe2\x80\x8d👦!", "all: 👨\xe2\x80\x8d👩\xe2\x80\x8d👧\xe2\x80\x8d👦!", \
	  "all: 👨!\n")                                                                          \
	X("kiss", "👩🏽\xe2\x80\x8d❤\xef\xb8\x8f\xe2\x80\x8d💋\xe2\x80\x8d👨🏿", "👩🏽\xe2\x80\x8d❤\xef\xb8\x8f\xe2\x80\x8d💋\xe2\x80\x8d👨🏿", \
	  "👩🏽\n")                                                                               \
	X("emoji", "🇩🇪 👍🏽 ❤\xef\xb8\x8f", "🇩🇪 👍🏽 ❤\xef\xb8\x8f", "🇩🇪 👍🏽 ❤\xef\xb8\x8f\n")   \
	X("persian", "می\xe2\x80\x8cخواهم\n\tکتاب\xe2\x80\x8cها", "می\xe2\x80\x8cخواهم\n\tکتاب\xe2\x80\x8cها", \
	  "می\xe2\x80\x8cخواهم\n        کتاب\xe2\x80\x8cها\n")                                   \
	X("arabic", "السَّلَامُ  عَلَيْكُمْ", "السَّلَامُ  عَلَيْكُمْ", "السَّلَامُ  عَلَيْكُمْ\n")              \
	X("pointed hebrew", "ש\xd6\xb8\xd6\xbc\xd7\x81לום", "ש\xd6\xb8\xd6\xbc\xd7\x81לום", "ש\xd6\xb8\xd6\xbc\xd7\x81לום\n") \
	X("marked hebrew", "שלום\xe2\x80\x8f! (3)\xe2\x80\x8e, C\xe2\x80\x8e++", "שלום\xe2\x80\x8f! (3)\xe2\x80\x8e, C\xe2\x80\x8e++", \
	  "שלום! (3), C++\n")                                                                    \
	X("hindi", "क्\xe2\x80\x8dष क्\xe2\x80\x8cष", "क्\xe2\x80\x8dष क्\xe2\x80\x8cष", "क्\xe2\x80\x8dष क्\xe2\x80\x8cष\n") \
	X("bengali", "র\xe2\x80\x8d্যাম", "র\xe2\x80\x8d্যাম", "র\xe2\x80\x8d্যাম\n")            \
	X("spaces", "計\xe3\x80\x80画\n\xc2\xa0oui\xc2\xa0!", "計\xe3\x80\x80画\n\xc2\xa0oui\xc2\xa0!", "計  画\n oui !\n") \
	X("parts", "e\xcc\x81t\xc3\xa9", "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9\n")

/* What no text may hold: X(name, sent, code point) */
#define LINES_OF_TEXT_REFUSED(X)                                   \
	X("override", "a\n\xe2\x80\xae" "b", 0x202e)               \
	X("embedding", "\xe2\x80\xab" "b", 0x202b)                 \
	X("isolate", "a\xe2\x81\xa7", 0x2067)                      \
	X("escape", "a\n\t\x1b[31m", 0x1b)                         \
	X("backspace", "a\x08", 0x08)                              \
	X("csi", "a\xc2\x9b" "2J", 0x9b)                           \
	X("line separator", "a\xe2\x80\xa8", 0x2028)               \
	X("zero width space", "a\xe2\x80\x8b" "b", 0x200b)         \
	X("joiner in latin", "a\xe2\x80\x8d" "b", 0x200d)          \
	X("joiner in front", "\xe2\x80\x8c" "ک", 0x200c)           \
	X("joiners in a row", "ک\xe2\x80\x8c\xe2\x80\x8c", 0x200c) \
	X("joiner behind an emoji", "👨\xe2\x80\x8d" "a", 0x200d)  \
	X("emoji of five", "👨\xe2\x80\x8d👩\xe2\x80\x8d👧\xe2\x80\x8d👦\xe2\x80\x8d👦", 0x200d) \
	X("tag", "\xf3\xa0\x81\x81", 0xe0041)                      \
	X("mark on a tab", "\t\xcc\x81", 0x301)                    \
	X("five marks", "q\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x86", 0x306)

#endif
