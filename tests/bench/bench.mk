# `make bench`: spawnpool beside its limits and its peers (see tests/bench/bench.lua). `make bench QUICK=1`: a first
# look; `SUITES="core time"`: only these; `DOC=1`: writes the figures into docs/performance*.md. Peers come from Debian
# packages; missing ones are installed where possible, else left out, and their rows say so. Everything is compiled with
# -O3 and without -march=native, as spawnpool is shipped.

BENCH := build/bench
BENCH_CXXFLAGS := -std=c++17 -O3 -DNDEBUG -Wall -Wextra -Isrc -MMD -MP
BENCH_CFLAGS := -std=c11 -O3 -DNDEBUG -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Isrc -I$(BUILD)/include -I. -MMD -MP
BENCH_LUA_CFLAGS = $(shell pkg-config --cflags lua5.4 2>/dev/null || echo -I/usr/include/lua5.4)
BENCH_PEERS := $(BENCH)/pools-mimalloc $(BENCH)/loops-libev $(BENCH)/loops-libuv
BENCH_PROGRAMS := $(addprefix $(BENCH)/,pools pools-spawnpool timers timers-spawnpool scale mixtures snapshot tasks \
  draw processes empty.so)
COUNT_PROGRAMS := $(addprefix $(BUILD)/bench/count-,core draw script) $(MODULE)

.PHONY: bench bench-build bench-report bench-count bench-reload

bench: ## compare speed with limits and peers; QUICK=1: under 40 s; DOC=1: update docs/performance*.md
	$(if $(and $(DOC),$(QUICK)$(SUITES)),$(error DOC=1 is for a whole run: without QUICK and SUITES))
	@CXX="$(CXX)" $(find_deps) bench
	+@$(submake) bench-build
	@CC="$(CC)" lua5.4 tests/bench/bench.lua $(if $(QUICK),--quick) $(SUITES)
	$(if $(DOC),@lua5.4 tests/bench/page.lua --take build/bench.json)

# The page of the figures that were measured last: for a change in its words or its charts.
bench-report:
	@lua5.4 tests/bench/page.lua

# Instructions per operation, counted. CHECK=1: held against those that are kept, as make test does; RENEW=1: keeps
# them.
bench-count: $(COUNT_PROGRAMS)
	@BUILD=$(BUILD) CC="$(CC)" sh tests/bench/count/count.sh $(if $(RENEW),--renew,$(if $(CHECK),--check))

# Hot reload: the scenarios of tests/lua by spawnpool, by plain require, and without any reload.
bench-reload: build/spawnpool.so
	@LUA_CPATH="build/?.so;;" lua5.4 tests/bench/reload_peers/run.lua $(if $(filter 1,$(V)),-v)

bench-build: $(BENCH_PROGRAMS) $(BENCH_PEERS) build/spawnpool.so $(PLAYER)
	@:

$(BENCH):
	@mkdir -p $@

$(BENCH)/pools: tests/bench/core/pools.cpp | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $< -o $@
$(BENCH)/pools-spawnpool: tests/bench/core/spawnpool.cpp build/libspawnpool.a | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/timers: tests/bench/time/timers.cpp | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $< -o $@
$(BENCH)/timers-spawnpool: tests/bench/time/spawnpool.cpp build/libspawnpool.a | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/scale: tests/bench/scale/spawnpool.cpp build/libspawnpool.a | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/mixtures: tests/bench/scale/mixtures.cpp build/libspawnpool.a | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/snapshot: tests/bench/scale/snapshot.cpp build/libspawnpool.a | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/tasks: tests/bench/scale/tasks.cpp build/libspawnpool.a | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -lpthread -o $@
$(BENCH)/processes: tests/bench/start/processes.c | $(BENCH)
	$(call say,bench)$(CC) $(BENCH_CFLAGS) $< -o $@
# The player's own objects, but for its main.
$(BENCH)/draw: tests/bench/draw/draw.c $(filter-out %/main.o,$(DEMO_OBJ)) $(SCRIPT) $(LIBRARY) | $(BENCH)
	$(call say,bench)$(CC) $(BENCH_CFLAGS) $(SDL_CFLAGS) $(filter %.c %.o %.a,$^) \
	  $(SDL_LIBS) $(CJSON_LIBS) $(ZIP_LIBS) $(SECCOMP_LIBS) $(LUA_LIBS) -lm -o $@
$(BENCH)/%.so: tests/bench/lua/%.c | $(BENCH)
	$(call say,bench)$(CC) $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) -shared -fPIC $< -o $@

# What is counted is part of the tests, so it follows their build folder and flags.
tests-build: $(COUNT_PROGRAMS)
$(eval $(call stamp,$(BUILD)/bench/flags,$$(CPPFLAGS) $$(CFLAGS) $$(LDFLAGS)))
$(BUILD)/bench/count-core: tests/bench/count/core.c $(LIBRARY) $(BUILD)/bench/flags
	$(call say,link)$(link) $(BENCH_CFLAGS) $(filter %.c %.a,$^) -lm -o $@
$(BUILD)/bench/count-draw: tests/bench/count/draw.c $(filter-out %/main.o,$(DEMO_OBJ)) $(SCRIPT) $(LIBRARY) \
  $(BUILD)/bench/flags
	$(call say,link)$(link) $(BENCH_CFLAGS) $(SDL_CFLAGS) $(filter %.c %.o %.a,$^) \
	  $(SDL_LIBS) $(CJSON_LIBS) $(ZIP_LIBS) $(SECCOMP_LIBS) $(LUA_LIBS) -lm -o $@
$(BUILD)/bench/count-script: tests/bench/count/script.c $(MODULE) $(BUILD)/bench/flags
	$(call say,link)$(link) $(BENCH_CFLAGS) $(LUA_CFLAGS) $< $(LUA_LIBS) -lpthread -o $@

# $(call peer,header,library,command): builds a peer's program when its package is there.
define peer
@if echo 'int main(void) { return 0; }' | $(CC) -include $(1) -x c - -l$(2) -o $@.probe 2>/dev/null; \
then $(3); else echo 'bench: $(2) is not installed'; fi; rm -f $@.probe
endef
$(BENCH)/pools-mimalloc: tests/bench/core/mimalloc.cpp | $(BENCH)
	$(call peer,mimalloc.h,mimalloc,$(CXX) $(BENCH_CXXFLAGS) $< -lmimalloc -o $@)
$(BENCH)/loops-libev: tests/bench/time/loops.cpp | $(BENCH)
	$(call peer,ev.h,ev,$(CXX) $(BENCH_CXXFLAGS) -DBENCH_LIBEV $< -lev -o $@)
$(BENCH)/loops-libuv: tests/bench/time/loops.cpp | $(BENCH)
	$(call peer,uv.h,uv,$(CXX) $(BENCH_CXXFLAGS) -DBENCH_LIBUV $< -luv -o $@)

-include $(wildcard $(BENCH)/*.d)
