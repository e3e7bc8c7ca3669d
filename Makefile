# aye and ayed. `make help` lists the targets; nothing is written outside $(BUILD).
#
# Sources are found by directory: a new file needs no edit here. Each directory
# becomes one archive, and a program or a test links only the archives that its
# place in the tree allows it to know (server never sees client, and so on).

VERSION := 0.9.0
VARIANT ?= debug
BUILD   ?= build
OUT     := $(BUILD)/$(VARIANT)
PREFIX  ?= /usr/local
DESTDIR ?=
V       ?= 0
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
SEEDS   ?= 1000
FILES   ?= 3000
STATES  ?= 2000
ROUNDS  ?= 30
MINUTES ?= 3
PLACES  ?= single sentinel cluster
NODES   ?= 1
FUZZ_SECONDS ?= 60
TEST_SECONDS ?= 900
TIDY_NODES   ?= 75000

SANITIZE         := -fno-sanitize-recover=all -fno-omit-frame-pointer
VARIANT-debug    := -O1 -g
# The same program whichever directory it is built in.
VARIANT-release  := -O2 -g -DASSERT_SLOW=0 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -Wl,-z,relro,-z,now \
                    -ffile-prefix-map=$(CURDIR)=.
# Reports of sanitizers need lines, no types or variables; that is a tenth of the time to compile. And their runtimes are
# linked statically: a program then begins in three quarters of the time, and tests begin thousands.
VARIANT-asan     := -O1 -g1 -fsanitize=address,undefined $(SANITIZE)
VARIANT-tsan     := -O1 -g1 -fsanitize=thread
RUNTIME-asan     := -static-libasan -static-libubsan
RUNTIME-tsan     := -static-libtsan
VARIANT-fuzz     := -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined $(SANITIZE)
VARIANT-coverage := -O0 -g --coverage
WARN_ALWAYS := -Werror=implicit-function-declaration
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wcast-qual -Wformat=2 -Wvla -Wundef -Wwrite-strings -Wimplicit-fallthrough $(WARN_ALWAYS)
# uthash's own hash function falls through; only gcc forgives that to a system header's macro.
CLANG_WARN := -Wno-implicit-fallthrough
WARN     += $(if $(findstring clang,$(CC)),$(CLANG_WARN))
WERROR   ?=
PKGS     := libuv lmdb hiredis msgpack libsodium libutf8proc jansson openssl
# hiredis asks for 64-bit offsets of files, which makes other names of glibc's functions, open64() of open(); none of
# its functions takes one.
INCLUDE  := -std=c11 -D_POSIX_C_SOURCE=200809L -DAYE_VERSION='"$(VERSION)"' -I. \
            $(filter-out -D_FILE_OFFSET_BITS=64,$(shell pkg-config --cflags $(PKGS) 2>/dev/null))
# What a sanitizer is for is compiled for that; debug and release, and clang-tidy, look for warnings.
COMPILE   = $(CC) $(INCLUDE) $(CPPFLAGS) $(if $(filter asan tsan fuzz,$(VARIANT)),$(WARN_ALWAYS),$(WARN) $(WERROR)) \
            $(VARIANT-$(VARIANT)) $(CFLAGS) -MMD -MP
LINK      = $(CC) $(VARIANT-$(VARIANT)) $(RUNTIME-$(VARIANT)) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) \
            -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
LIBS     := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -pthread
CURSES_CFLAGS := $(shell pkg-config --cflags ncursesw 2>/dev/null)
# These have no files for pkg-config.
WEB_LIBS     := -lhttp_parser -lwslay
CLIENT_LIBS  := $(shell pkg-config --libs ncursesw libqrencode libseccomp 2>/dev/null)
TEST_LIBS := $(shell pkg-config --libs cmocka vterm 2>/dev/null)
say       = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' $(1) $(2);)

.DEFAULT_GOAL := help
.PHONY: help run deps all test check unit asan asan-check tsan tsan-check valgrind sim damage powercut mutants redis-failover redis-storm cluster-soak soak soak-programs mcp-sdk web-test web-speed web-modules fuzz bench instructions instructions-write coverage layers screens picture fmt \
        fmt-check tidy cppcheck docs test-deps musl musl-check install uninstall dist deb package-test clean arm64 test-programs fuzz-programs bench-programs

help:            ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

run: deps        ## install what is missing, build, open a new room
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=release all
	@aye=$(BUILD)/release/aye; if [ -t 0 ] && [ -t 1 ]; then exec $$aye new; fi; \
	  told=$$($$aye new) && printf '%s\n' "$$told" | sed "s|^aye |$$aye |"

deps:            ## install the libraries and tools that building needs
	@tests/tools/install-deps.sh build

# ---- programs: one archive for each layer ---------------------------------------
objects   = $(patsubst %.c,$(OUT)/%.o,$(filter-out %/main.c $(PRELOADED) $(BENCH_MAINS),$(sort $(wildcard $(1)/*.c))))
archive   = $(OUT)/$(subst /,-,$(1)).a
archives  = $(foreach l,$(1),$(call archive,$(l)))
STORE    := store store/base store/lmdb store/redis store/redis/admin store/redis/link store/redis/start store/admin
PROTO    := proto proto/base proto/text proto/keys proto/records
CORE     := server/core server/core/cluster server/core/conns server/core/rooms server/core/txn
DOMAIN   := server/domain server/domain/base server/domain/question server/domain/room server/domain/room/data \
            server/domain/room/members server/domain/room/rounds server/domain/session server/domain/team
NET      := server/cli server/cli/commands server/net server/net/streams server/web
MODEL    := client/model client/model/lists client/model/questions client/model/room client/formats client/formats/import client/acts
TUI      := client/tui client/tui/actions client/tui/curses client/tui/room client/tui/views client/tui/widgets
CLI      := client/cli client/cli/output client/cli/people client/cli/reach client/cli/rooms client/lines \
            client/kiosk client/state
LINKS    := client/net client/net/transport
LAYERS   := $(PROTO) proto/tls $(STORE) $(CORE) $(DOMAIN) $(NET) \
            $(MODEL) client/mcp $(TUI) client/app $(CLI) $(LINKS) tests/docs tests/support tests/bench tests/soak
SERVER   := $(NET) $(STORE) $(CORE) $(DOMAIN) proto/tls $(PROTO)
CLIENT   := $(CLI) client/app $(TUI) $(LINKS) client/mcp $(MODEL) proto/tls $(PROTO)
PROGRAMS := $(OUT)/ayed $(OUT)/aye
BENCH_MAINS := $(wildcard tests/bench/bench*.c) tests/bench/fill.c tests/bench/instructions.c \
               tests/bench/reference.c
# Shared objects that are preloaded into a server.
PRELOADED := tests/bench/slow_sync.c tests/support/disk_record.c tests/soak/set_clock.c
BENCH_PRELOAD := $(OUT)/tests/bench/slow_sync.so
DISK_RECORD := $(OUT)/tests/support/disk_record.so
SET_CLOCK := $(OUT)/tests/soak/set_clock.so

all: $(PROGRAMS) ## build aye and ayed

define ARCHIVE_RULE
$(call archive,$(1)): $(call objects,$(1))
	$$(call say,AR,$$@) rm -f $$@ && $$(AR) rcsD $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call ARCHIVE_RULE,$(l))))

$(OUT)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<) $(COMPILE) -c -o $@ $<
# The page's files become a part of this one.
$(OUT)/server/web/web_files.o: $(wildcard client/web/*)
# So do the scripts that Redis runs.
$(OUT)/store/redis/redis_scripts.o: $(wildcard store/redis/scripts/*.lua)
# A sanitizer sees as much in a test that is not optimised, which takes a third of the time to compile; what is tested is optimised.
$(OUT)/tests/unit/%.o: COMPILE += $(if $(filter asan tsan,$(VARIANT)),-O0)
# ncurses' own flags lower the source level, so only the files that name curses get them.
$(OUT)/%_curses.o: COMPILE += $(CURSES_CFLAGS)

$(OUT)/ayed: $(OUT)/server/cli/main.o $(call archives,$(SERVER))
	$(call say,LD,$@) $(LINK) $(LIBS) $(WEB_LIBS)
$(OUT)/aye: $(OUT)/client/cli/main.o $(call archives,$(CLIENT))
	$(call say,LD,$@) $(LINK) $(LIBS) $(CLIENT_LIBS)

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
.PRECIOUS: $(OUT)/%.o

# ---- test programs ----------------------------------------------------------------
# tests/unit/AREA/test_*.c: one cmocka program each, linked with what AREA may know.
KNOWS-proto  := proto/tls $(PROTO)
KNOWS-store  := $(STORE) $(PROTO)
KNOWS-server := $(SERVER)
KNOWS-client := $(CLIENT)
KNOWS-bench  := tests/bench $(STORE) proto/tls $(PROTO)
KNOWS-soak   := tests/soak $(PROTO)
HEAP_WRAP    := -Wl,--undefined=__wrap_malloc,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
# What tests/support/files.c makes fail is for the client's state.
WRAP-client  := -Wl,--undefined=__wrap_open,--wrap=open,--wrap=write,--wrap=fsync,--wrap=rename,--wrap=close
programs      = $(patsubst %.c,$(OUT)/%,$(wildcard $(1)))

define UNIT_RULE
UNIT-$(1) := $(call programs,tests/unit/$(1)/test_*.c)
$$(UNIT-$(1)): %: %.o $(call archives,tests/docs tests/support $(KNOWS-$(1)))
	$$(call say,LD,$$@) $$(LINK) $(HEAP_WRAP) $(WRAP-$(1)) $$(LIBS) $$(WEB_LIBS) $$(TEST_LIBS) $$(CLIENT_LIBS)
endef
AREAS := proto store server client bench soak
$(foreach a,$(AREAS),$(eval $(call UNIT_RULE,$(a))))
UNIT  := $(foreach a,$(AREAS),$(UNIT-$(a)))
SIM_PARTS := tests/sim/world tests/sim/net tests/sim/disk tests/sim/oracle tests/sim/features
SIM   := $(if $(wildcard tests/sim/*.c),$(OUT)/tests/sim/sim)
SOAK  := $(OUT)/tests/soak/soak
E2E   := $(call programs,tests/e2e/*.c tests/tui/*.c)
BENCHES := $(patsubst %.c,$(OUT)/%,$(BENCH_MAINS))
FUZZ  := $(call programs,tests/fuzz/fuzz_*.c)
TOOLS := $(call programs,tests/tools/*.c)

$(OUT)/tests/sim/sim: $(OUT)/tests/sim/main.o $(foreach d,$(SIM_PARTS),$(call objects,$(d))) \
		$(call archives,$(CORE) $(DOMAIN) $(STORE) $(PROTO) tests/support)
	$(call say,LD,$@) $(LINK) $(LIBS)
$(E2E): %: %.o $(call archives,proto/tls $(PROTO) tests/support)
	$(call say,LD,$@) $(LINK) $(LIBS) $(TEST_LIBS)
$(OUT)/tests/e2e/powercut: $(call archives,$(STORE)) | $(DISK_RECORD)
$(BENCHES): %: %.o $(call archives,tests/bench $(STORE) proto/tls $(PROTO) tests/support)
	$(call say,LD,$@) $(LINK) $(LIBS) $(TEST_LIBS) -lm
$(SOAK): $(OUT)/tests/soak/main.o $(call archives,tests/soak tests/bench proto/tls $(PROTO) tests/support) | $(SET_CLOCK)
	$(call say,LD,$@) $(LINK) $(LIBS) $(TEST_LIBS) -lm
# The runtime of a sanitizer is the program's own, so what is preloaded into it has none.
$(BENCH_PRELOAD) $(DISK_RECORD) $(SET_CLOCK): VARIANT-asan := -O1 -g1
$(BENCH_PRELOAD) $(DISK_RECORD) $(SET_CLOCK): VARIANT-tsan := -O1 -g1
$(BENCH_PRELOAD) $(DISK_RECORD) $(SET_CLOCK): $(OUT)/%.so: %.c Makefile
	@mkdir -p $(@D)
	$(call say,LD,$@) $(COMPILE) -fPIC -shared $(LDFLAGS) -o $@ $<
$(OUT)/tests/bench/instructions: $(call archives,$(CORE) $(DOMAIN))
$(OUT)/tests/bench/instructions: LIBS += $(HEAP_WRAP)
$(TOOLS): %: %.o $(call archives,tests/docs $(STORE) $(CORE) $(DOMAIN) $(TUI) $(MODEL) $(PROTO))
	$(call say,LD,$@) $(LINK) $(LIBS)
$(OUT)/tests/tools/manual: $(call archives,$(CLIENT))
$(OUT)/tests/tools/manual: LIBS += $(CLIENT_LIBS)
$(OUT)/tests/tools/redis_servers: $(call archives,tests/support)
$(OUT)/tests/tools/redis_servers: LIBS += $(TEST_LIBS)
$(FUZZ): %: %.o $(call archives,server/core/cluster server/web store/redis store/redis/link client/mcp client/model client/model/questions $(PROTO))
	$(call say,LD,$@) $(LINK) -fsanitize=fuzzer $(LIBS) $(WEB_LIBS)

# With musl as the libc: all of these layers are compiled against the headers of their libraries, and these tests
# linked and run, as what they reach needs no library but libc; tests/support/musl has what stands for cmocka and libsodium.
MUSL_LAYERS   := $(PROTO) store store/base $(CORE) $(DOMAIN) $(MODEL)
MUSL_TESTS    := proto/test_decimal proto/test_link proto/test_quantity proto/test_rights server/test_rank \
                 client/test_csv client/test_settings client/test_spelling client/test_text_merge
MUSL_HEADERS  := msgpack.h msgpack sodium.h sodium jansson.h jansson_config.h utf8proc.h uthash.h utlist.h
MUSL_PROGRAMS := $(addprefix $(OUT)/musl/,$(MUSL_TESTS))
$(MUSL_PROGRAMS): $(OUT)/musl/%: $(OUT)/tests/unit/%.o $(addprefix $(OUT)/tests/support/,test.o test_main.o musl/sodium.o) \
		$(call archives,$(MUSL_LAYERS))
	@mkdir -p $(@D)
	$(call say,LD,$@) $(LINK) -static

# ---- running them -------------------------------------------------------------------
# Every test goes through tests/run, which counts and ends with "N passed, N failed".
RUN = AYE=$(abspath $(OUT)/aye) AYED=$(abspath $(OUT)/ayed) AYE_POWERCUT_STATES=$(STATES) \
      ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:allocator_may_return_null=1 \
      UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1 \
      tests/run --jobs $(JOBS) --seconds $(TEST_SECONDS) --logs $(OUT)/logs --times $(BUILD)/times
# The simulator in parts, to run side by side.
SIM_TESTS = $(if $(SIM),$(foreach k,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16,"$(strip $(SIM) --part $k/16 --seeds $(SEEDS) $(SIM_ONLY))"))
# The scripts that have a server or a client do something; the others look at what is built and installed.
SERVED   := $(filter-out %/dist.sh %/install_files.sh %/bench_smoke.sh,$(wildcard tests/e2e/*.sh))
# Under a sanitizer a program takes ten times longer to begin, and these begin it hundreds of times: days of a team, and
# verbs that the unit tests run under it one by one; or copies thousands of rooms, which test_admin_table does with a few,
# or needs a cluster of Redis, as test_redis_cluster does.
SANITIZED := $(filter-out %/store_copy.sh %/cluster_rooms.sh %/store_cluster.sh %/store_tls.sh %/day_of_a_team.sh %/day_of_questions.sh \
             %/cli_verbs.sh %/cli_status.sh %/cli_words.sh %/cli_names.sh %/cli_context.sh %/cli_completion.sh %/cli_tls.sh %/cli_ask.sh %/ssh_kiosk.sh \
             %/play_rules.sh %/lines_of_text.sh,$(SERVED))

# What depends on where the table is: days of a team and of questions, rooms, sessions, questions by a program that is
# killed, the end of rooms, the page.
OVER_REDIS := day_of_a_team day_of_questions play_session play_rules data_login data_shared data_whoami_watch data_life mcp web_client

# Unit tests that wait for servers of Redis nearly all the time: 150 s, with 12 s of CPU.
AWAITING := $(call programs,tests/unit/store/test_redis_*.c tests/unit/server/test_net_redis.c)

test: test-deps  ## install what tests need, build, run every test
	@$(MAKE) --no-print-directory -j$(JOBS) check

test-programs: $(PROGRAMS) $(UNIT) $(SIM) $(E2E) $(TOOLS) $(BENCHES) $(SOAK)
# Not $(MAKE): a line with it is run by `make -n` too, and this one is all the tests.
check: test-programs
	@$(RUN) --exit tests/layers.sh tests/words.sh tests/promises.py "make -s fmt-check" --tap $(SIM_TESTS) $(filter-out $(AWAITING),$(UNIT)) \
	        --waiting $(AWAITING) $(E2E) --exit $(wildcard tests/e2e/*.sh tests/tui/*.sh) \
	        $(OVER_REDIS:%="tests/support/over_redis.sh %.sh")

unit: $(UNIT)    ## run the unit tests only
	@$(RUN) --tap $(UNIT)

# Several times slower, so a test may take as many times longer before it is given up, and the simulator runs fewer seeds.
# Its replays and planted faults try the simulator, as does `make check`; what draws on a real terminal runs there too, and
# what compares all that verbs print, or screens show, as text.
asan: test-deps  ## run units, simulator and whole programs under AddressSanitizer and UBSan
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=asan TEST_SECONDS=1500 SEEDS=300 STATES=300 SIM_ONLY=--only asan-check
asan-check: $(PROGRAMS) $(UNIT) $(SIM) $(E2E) $(OUT)/tests/bench/fill $(SET_CLOCK)
	@$(RUN) --tap $(SIM_TESTS) $(filter-out $(AWAITING) %/test_verb_transcript,$(UNIT)) \
	        --waiting $(AWAITING) $(filter-out %/twelve_stories,$(E2E)) --exit $(SANITIZED)

# What runs threads, or a server that does. Not what builds for itself, and not what measures time; nor backups made by
# the test's own process: ThreadSanitizer allows no thread in the child of one that has threads (tests/e2e/backup.sh has none);
# nor a process for each page of a file, which takes it more than ten minutes; nor the files that a power
# cut leaves; nor what is about Redis alone: that engine, its tests and a server on it have one thread, as aye has. Of the
# scripts it gets those in which the threads of LMDB's table, which write, read and copy beside the loop, have most to do.
TSAN     := $(filter-out %/test_admin_backup %/test_page_check %/test_sync $(call programs,tests/unit/store/test_redis_*.c),$(UNIT-store)) \
            $(filter-out %/powercut %/redis_storm,$(call programs,tests/unit/server/test_net_*.c tests/e2e/*.c))
THREADED := $(patsubst %,tests/e2e/%.sh,backup data_check data_life data_login data_shared data_whoami_watch play_session \
            public_client stats systemd web_client)
tsan: test-deps  ## run the tests of the store, the server's loop and whole programs under ThreadSanitizer
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=tsan TEST_SECONDS=1500 tsan-check
tsan-check: $(PROGRAMS) $(TSAN) $(OUT)/tests/bench/fill
	@$(RUN) --tap $(filter-out $(OUT)/tests/e2e/%,$(TSAN)) --waiting $(filter $(OUT)/tests/e2e/%,$(TSAN)) --exit $(THREADED)

# Without the test of a real terminal: under valgrind a program cannot stop itself (SIGTSTP).
valgrind: $(UNIT) ## run the unit tests under valgrind
	@$(RUN) --seconds 900 --under "valgrind -q --leak-check=full --error-exitcode=99" \
	        --tap $(filter-out %_curses,$(UNIT))

sim: $(SIM)      ## run SEEDS=n seeds of the simulator
	$(SIM) --seeds $(SEEDS)

# `make check` has a small part of it.
damage: $(PROGRAMS) $(OUT)/tests/e2e/damage ## serve from FILES=3000 damaged data files
	@AYED=$(abspath $(OUT)/ayed) AYE_DAMAGE_FILES=$(FILES) $(OUT)/tests/e2e/damage

# The same.
powercut: $(PROGRAMS) $(OUT)/tests/e2e/powercut ## look at STATES=2000 states of the files that a power cut may leave
	@AYED=$(abspath $(OUT)/ayed) AYE_POWERCUT_STATES=$(STATES) $(OUT)/tests/e2e/powercut

# The same.
redis-failover: $(call programs,tests/unit/store/test_redis_failover.c tests/unit/store/test_redis_cluster.c) ## lose servers of a Redis group, and of a cluster, under load, ROUNDS=30 times
	@for test in $^; do AYE_STORM_ROUNDS=$(ROUNDS) $$test || exit 1; done

# The same: `make check` has each cause once on a single server, in 20 seconds.
redis-storm: $(PROGRAMS) $(OUT)/tests/e2e/redis_storm ## kill, stop, fill and cut a Redis for MINUTES=3 each: PLACES="single sentinel cluster", check what was acknowledged
	@for place in $(PLACES); do AYED=$(abspath $(OUT)/ayed) AYE_STORM_SECONDS=$$(($(MINUTES) * 60)) AYE_STORM_PLACE=$$place \
		AYE_STORM_NODES=$(NODES) $(OUT)/tests/e2e/redis_storm || exit 1; done
# With it each cause has come once after two minutes or three; more come for as long as it says.
cluster-soak: NODES := 3
cluster-soak: redis-storm ## the same with three servers that share the Redis, which are killed, stopped, hang and are cut off, too

# Not part of `check`: it takes as long as it says; `.ci/run` has two minutes of it. IN=redis for the data in Redis.
soak:            ## trouble a server for MINUTES=3, check what it acknowledged, draw its memory, descriptors, disk, latency
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=release soak-programs
	@mkdir -p $(BUILD)/soak && echo "Writing $(BUILD)/soak/course.json and course.svg"
	@AYED=$(abspath $(BUILD)/release/ayed) AYE_SOAK_SECONDS=$$(($(MINUTES) * 60)) AYE_SOAK_STORE=$(IN) \
	        AYE_SOAK_OUT=$(BUILD)/soak CMOCKA_MESSAGE_OUTPUT=TAP $(BUILD)/release/tests/soak/soak
soak-programs: $(OUT)/ayed $(SOAK)

# Not part of `check`: it takes most of an hour. A tenth of them, another each time: SHARE=--tenth; only whether each
# can be planted: SHARE=--build.
mutants: test-deps ## plant faults one at a time; fail where the tests that should notice do not
	@$(MAKE) --no-print-directory -j$(JOBS) test-programs
	@tests/mutants/mutants.py --jobs $(JOBS) $(SHARE)

musl:            ## compile with musl what is pure, and run its tests that need no library
	@tests/tools/install-deps.sh build musl
	@mkdir -p $(BUILD)/musl/include && ln -sf $(addprefix /usr/include/,$(MUSL_HEADERS)) $(BUILD)/musl/include
	@$(MAKE) --no-print-directory -j$(JOBS) CC=musl-gcc BUILD=$(BUILD)/musl musl-check \
	        CPPFLAGS="-isystem tests/support/musl -isystem $(BUILD)/musl/include"
musl-check: $(MUSL_PROGRAMS)
	@tests/run --logs $(OUT)/logs --tap $(MUSL_PROGRAMS)

# Not part of `check`: it unpacks an arm64 Debian, which needs root and its mirror, and builds everything with another
# compiler: half an hour on two cores.
arm64:           ## build twice for arm64 with Debian's cross compiler, compare; run pure units and simulator under qemu
	@tests/tools/install-deps.sh build arm64
	@tests/run --seconds 5400 --logs $(BUILD)/arm64/logs --tap "tests/arm64.sh $(abspath $(BUILD))/arm64"

# Not part of `check`: npm fetches the SDK.
mcp-sdk: $(PROGRAMS) ## drive aye mcp by the public MCP SDK (node, npm and its registry)
	@$(RUN) --exit tests/e2e/sdk/mcp_sdk.sh

# Not part of `check` either: npm fetches what drives the browser. Everything is run in $(WEB_DIR), below which npm's
# packages are found, and which keeps the pictures.
WEB_DIR   = $(BUILD)/web
WEB_TESTS = stories nodes clumsy phone says secrecy injection looks doors wire
web-test: web-modules ## play in the page with a real browser (chromium, node, npm and its registry)
	@$(MAKE) --no-print-directory -j$(JOBS) $(PROGRAMS)
	@cd $(WEB_DIR) && AYE=$(abspath $(OUT)/aye) AYED=$(abspath $(OUT)/ayed) $(CURDIR)/tests/run --seconds $(TEST_SECONDS) \
	        --logs logs --times times --jobs $(JOBS) --tap $(WEB_TESTS:%="node %.js")
web-speed: web-modules ## measure how soon the page can be used, in a real browser
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=release all
	@cd $(WEB_DIR) && AYE=$(abspath $(BUILD)/release/aye) AYED=$(abspath $(BUILD)/release/ayed) node speed.js
web-modules:
	@tests/tools/install-deps.sh build web
	@mkdir -p $(WEB_DIR) && cp tests/web/*.js tests/web/package.json $(WEB_DIR)
	@cd $(WEB_DIR) && npm install --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error

# The dictionary is made by a program of the debug build, which `make test` has built.
DICTIONARY = $(BUILD)/debug/tests/tools/reference
fuzz:            ## run each fuzzer for FUZZ_SECONDS=60 seconds (clang)
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=debug $(DICTIONARY)
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=fuzz CC=clang fuzz-programs
	@$(DICTIONARY) dict >$(BUILD)/fuzz/fuzz.dict
	@tests/fuzz.sh $(BUILD)/fuzz $(FUZZ_SECONDS)
fuzz-programs: $(FUZZ)

# CELLS="1 2" for some only, BENCH_DIR for the disk to measure, BENCH_JSON for a file of all runs.
bench:           ## measure speed next to other servers, in 20 minutes, or 3 with BENCH=quick
	@tests/tools/install-deps.sh build
	@tests/tools/install-deps.sh bench || echo "Going on without those."
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=release bench-programs
	@$(BUILD)/release/tests/bench/bench $(if $(filter quick,$(BENCH)),--quick) $(CELLS:%=--cell %) \
	        $(if $(BENCH_DIR),--dir $(BENCH_DIR)) $(if $(BENCH_JSON),--json $(BENCH_JSON))
bench-programs: $(PROGRAMS) $(BENCH_PRELOAD) $(filter-out %/instructions,$(BENCHES))

# Counted, not timed: the same on a busy machine. The figures are those of a release build.
instructions: INSTRUCTIONS = $(BUILD)/release/tests/bench/instructions
instructions:    ## count the instructions of a vote, a full update, a decode; fail where there are more
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=release $(INSTRUCTIONS)
	@tests/bench/instructions.sh $(INSTRUCTIONS) $(WRITE)
instructions-write: ## the same, and write them down as the figures to compare with
	@$(MAKE) --no-print-directory instructions WRITE=--write

coverage:        ## show which lines unit tests and simulator reach
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=coverage unit sim
	@tests/tools/coverage.sh $(BUILD)/coverage

# ---- the text itself ------------------------------------------------------------------
# Headers are laid out by hand: what matters in them is tables and prose.
SOURCES = $(shell find proto store server client tests -name '*.c')

layers:          ## check that no file includes what its layer may not know
	@tests/layers.sh

fmt:             ## format every source file (clang-format 14)
	@clang-format -i $(SOURCES)

fmt-check:       ## check that `make fmt` would change nothing
	@clang-format --version >/dev/null
	@! clang-format --dry-run $(SOURCES) 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: .*//p' | sort -u | grep .

# .clang-tidy leaves out what it cannot see through the macros of uthash and utlist.
# tests/.clang-tidy is without the static analyzer, which is most of the time: tests are run, under the sanitizers too.
# The largest first, so that none is left for one core at the end.
# It shows clang's own warnings as well; ncurses' flags define again what a few files define themselves. The analyzer gives a function up after TIDY_NODES states; its default is three
# times as many. Of 30 faults planted at the ends of long functions it found 28 with that, and 27 in half the time.
tidy:            ## run clang-tidy, and see what clang warns of
	@ls -S $(SOURCES) | xargs -P $(JOBS) -I{} clang-tidy --quiet {} -- $(INCLUDE) $(CURSES_CFLAGS) $(WARN) $(CLANG_WARN) -Wno-macro-redefined \
	        -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_NODES)

# One thread reads the directory and the password file; what is unset, valgrind knows better. Its preprocessor cannot
# expand the rows of acts in verb_table.c, which is a table without code.
cppcheck:        ## run cppcheck
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	        --error-exitcode=1 -j $(JOBS) --library=posix -D_POSIX_C_SOURCE=200809L -I. \
	        --suppress=readdirCalled --suppress=getpwuidCalled --suppress=fgetpwentCalled --suppress=uninitvar \
	        --suppress=internalAstError --suppress=preprocessorErrorDirective:client/cli/verb_table.c \
	        proto store server client

# All that is compared with screens as text. Removed first, so that no file outlives its test.
SCREEN_FILES  = tests/tui/screens/*.txt tests/tui/session/*/*.txt tests/tui/transcripts/*.txt \
                tests/unit/client/verbs.txt
SCREEN_TESTS := $(patsubst %.c,$(OUT)/%,$(shell grep -lE 'screen_files.h|difference.h' tests/unit/client/*.c))
screens: test-programs ## rewrite the expected screens and transcripts; then review each that changed
	@rm -f $(SCREEN_FILES)
	@AYE_UPDATE_SCREENS=1 $(RUN) --tap $(SCREEN_TESTS) $(OUT)/tests/tui/twelve_stories $(OUT)/tests/tui/picture \
	        --exit tests/e2e/plain_session.sh tests/e2e/plain_inbox.sh
	@AYE_UPDATE_SCREENS=1 tests/tui/readme_screens.sh
	@git status --short -- tests/tui tests/unit README.md

picture: $(PROGRAMS) $(OUT)/tests/tui/picture ## redraw README's picture: a session with the real programs
	@AYE_UPDATE_SCREENS=1 $(RUN) --tap $(OUT)/tests/tui/picture

docs: $(TOOLS)   ## rewrite the tables of the documents from those of the program
	@$(OUT)/tests/tools/reference
	@tests/promises.py --write
	@for page in $(PAGES); do for part in $$(sed -n 's/.*BEGIN \([a-z]*\).*/\1/p' $$page); do \
	        $(OUT)/tests/tools/manual $$part >$(OUT)/manual-part && \
	        sed -i -e "/BEGIN $$part/,/END $$part/{//!d}" -e "/BEGIN $$part/r $(OUT)/manual-part" $$page || exit 1; done; done

test-deps:       ## install what building and testing need
	@tests/tools/install-deps.sh build test

# ---- installing -------------------------------------------------------------------------
# The release variant, unless VARIANT= says otherwise.
INSTALLED = $(BUILD)/$(if $(filter file,$(origin VARIANT)),release,$(VARIANT))
ROOT      = $(DESTDIR)$(PREFIX)
# What is installed, below PREFIX: what install writes and uninstall removes.
PAGES    := $(wildcard client/*.[1-8] server/*.[1-8])
UNITS    := $(wildcard server/*.service server/*.socket server/*.timer)
UNIT_DIR := lib/systemd/system
# Where each shell looks for what completes aye.
BASH_FILE := share/bash-completion/completions/aye
ZSH_FILE  := share/zsh/vendor-completions/_aye
FISH_FILE := share/fish/vendor_completions.d/aye.fish
page_file = share/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1))
FILES_INSTALLED = bin/aye bin/ayed $(foreach p,$(PAGES),$(call page_file,$(p))) \
                  $(addprefix $(UNIT_DIR)/,$(notdir $(UNITS))) $(BASH_FILE) $(ZSH_FILE) $(FISH_FILE)

install:         ## install under PREFIX=/usr/local (and DESTDIR=)
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=$(notdir $(INSTALLED)) all
	install -d $(sort $(dir $(addprefix $(ROOT)/,$(FILES_INSTALLED))))
	install -m 755 $(INSTALLED)/aye $(INSTALLED)/ayed $(ROOT)/bin
	$(foreach p,$(PAGES),install -m 644 $(p) $(ROOT)/$(call page_file,$(p)) &&) true
	$(foreach u,$(UNITS),sed 's|@PREFIX@|$(PREFIX)|g' $(u) > $(ROOT)/$(UNIT_DIR)/$(notdir $(u)) &&) true
	$(INSTALLED)/aye completion bash > $(ROOT)/$(BASH_FILE)
	$(INSTALLED)/aye completion zsh > $(ROOT)/$(ZSH_FILE)
	$(INSTALLED)/aye completion fish > $(ROOT)/$(FISH_FILE)
	chmod 644 $(addprefix $(ROOT)/$(UNIT_DIR)/,$(notdir $(UNITS))) \
	        $(ROOT)/$(BASH_FILE) $(ROOT)/$(ZSH_FILE) $(ROOT)/$(FISH_FILE)

uninstall:       ## remove what install put there
	rm -f $(addprefix $(ROOT)/,$(FILES_INSTALLED))

# ---- source archive and packages --------------------------------------------------------
# The same bytes wherever and whenever they are made: files in order, without owners, dated
# as the packages' changelog. An archive has the list of its files with it, in place of git's.
NAME     := aye-$(VERSION)
ARCHIVE  := $(BUILD)/$(NAME).tar.gz
TRACKED   = $(if $(wildcard .git),git ls-files | grep -vx .files,cat .files)
DATED     = $$(date -d "$$(sed -n '/^ -- .*>  /{s///p;q}' .debian/changelog)" +%s)

dist:            ## make the source archive aye-VERSION.tar.gz in BUILD=build
	@rm -rf $(BUILD)/dist && mkdir -p $(BUILD)/dist
	@$(TRACKED) | LC_ALL=C sort > $(BUILD)/dist/.files && test -s $(BUILD)/dist/.files
	@tar --create --file=$(ARCHIVE) --use-compress-program='gzip -9n' --format=ustar \
	        --mtime=@$(DATED) --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
	        --transform='s|^|$(NAME)/|' --no-recursion --files-from=$(BUILD)/dist/.files \
	        --directory=$(BUILD)/dist .files
	@echo $(ARCHIVE)

# Built from the archive. What this make was told (BUILD=, VARIANT=) is not for that one.
DEB_ENV   = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BUILD -u VARIANT -u PREFIX -u DESTDIR
deb: dist        ## build the Debian packages aye and ayed in BUILD/deb
	@tests/tools/install-deps.sh build package
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb
	@tar -xzf $(ARCHIVE) -C $(BUILD)/deb && cp -r .debian $(BUILD)/deb/$(NAME)/debian
	@cd $(BUILD)/deb/$(NAME) && $(DEB_ENV) dpkg-buildpackage --no-sign --build=binary \
	        --jobs=$(JOBS) >../build.log 2>&1 || { tail -n 40 ../build.log; exit 1; }
	@ls $(BUILD)/deb/*.deb

# Builds them twice. As root, where namespaces are allowed and Debian's mirror can be reached, installs them, too.
package-test:    ## build the packages twice, compare; install, upgrade, purge them on a machine of their own
	@tests/tools/install-deps.sh build package
	@tests/run --seconds 600 --logs $(BUILD)/package/logs --tap "tests/package.sh $(abspath $(BUILD))/package"

clean:           ## remove what was built
	rm -rf $(BUILD)
