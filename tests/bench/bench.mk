# `make bench`: spawnpool beside its limits and its peers (see tests/bench/bench.lua). `make bench QUICK=1`: a first look;
# `SUITES="core time"`: only these.
# Peers come from Debian packages; one that is not installed is left out and its row says so. `make bench-deps` installs
# them. Everything is compiled with -O3 and without -march=native, as spawnpool is shipped.

BENCH := build/bench
BENCH_DEPS := libmimalloc-dev libjemalloc2 libboost-dev libev-dev libuv1-dev luajit
BENCH_CXXFLAGS := -std=c++17 -O3 -DNDEBUG -Wall -Wextra -Isrc -MMD -MP
BENCH_CFLAGS := -std=c11 -O3 -DNDEBUG -Wall -Wextra -Isrc -MMD -MP
BENCH_LUA_CFLAGS = $(shell pkg-config --cflags lua5.4 2>/dev/null || echo -I/usr/include/lua5.4)
BENCH_PEERS := $(BENCH)/pools-mimalloc $(BENCH)/loops-libev $(BENCH)/loops-libuv
BENCH_PROGRAMS := $(BENCH)/pools $(BENCH)/pools-spawnpool $(BENCH)/timers $(BENCH)/timers-spawnpool \
  $(BENCH)/count $(BENCH)/empty.so $(BENCH)/prototype.so

.PHONY: bench bench-build bench-deps bench-count bench-reload

bench: bench-build ## spawnpool beside its limits and its peers; QUICK=1: under 40 s
	@lua5.4 tests/bench/bench.lua $(if $(QUICK),--quick) $(SUITES)

# Instructions per operation, counted: the same on every machine with the same compiler.
bench-count: $(BENCH)/count build/spawnpool.so
	@sh tests/bench/count.sh

# Hot reload: the scenarios of tests/lua by spawnpool, by plain require, and without any reload.
bench-reload: build/spawnpool.so
	@LUA_CPATH="build/?.so;;" lua5.4 tests/bench/reload_peers/run.lua $(if $(filter 1,$(V)),-v)

bench-build: $(BENCH_PROGRAMS) $(BENCH_PEERS) build/spawnpool.so

bench-deps:
	apt-get install -y --no-install-recommends $(BENCH_DEPS)

# Without the main Makefile: `make -f tests/bench/bench.mk bench`.
ifeq ($(words $(MAKEFILE_LIST)),1)
build/libspawnpool.a: $(wildcard src/core/*.c src/core/*.h)
	@mkdir -p $(BENCH)/core
	cd $(BENCH)/core && $(CC) -std=c11 -O3 -DNDEBUG -I$(CURDIR)/src -c $(addprefix $(CURDIR)/,$(filter %.c,$^))
	$(AR) rcs $@ $(BENCH)/core/*.o
build/spawnpool.so:
	@echo "bench: no build/spawnpool.so, its rows are left out"
endif

$(BENCH):
	@mkdir -p $@

$(BENCH)/pools: tests/bench/core/pools.cpp | $(BENCH)
	$(CXX) $(BENCH_CXXFLAGS) $< -o $@
$(BENCH)/pools-spawnpool: tests/bench/core/spawnpool.cpp build/libspawnpool.a | $(BENCH)
	$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/timers: tests/bench/time/timers.cpp | $(BENCH)
	$(CXX) $(BENCH_CXXFLAGS) $< -o $@
$(BENCH)/timers-spawnpool: tests/bench/time/spawnpool.cpp build/libspawnpool.a | $(BENCH)
	$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/count: tests/bench/count.c build/libspawnpool.a | $(BENCH)
	$(CC) $(BENCH_CFLAGS) $(filter %.c %.a,$^) -lm -o $@
$(BENCH)/%.so: tests/bench/lua/%.c | $(BENCH)
	$(CC) $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) -shared -fPIC $< -o $@

# $(call peer,header,library,command): builds a peer's program when its package is there.
define peer
@if echo 'int main(void) { return 0; }' | $(CC) -include $(1) -x c - -l$(2) -o $@.probe 2>/dev/null; \
then echo '$(3)'; $(3); else echo 'bench: $(2) is not installed'; fi; rm -f $@.probe
endef
$(BENCH)/pools-mimalloc: tests/bench/core/mimalloc.cpp | $(BENCH)
	$(call peer,mimalloc.h,mimalloc,$(CXX) $(BENCH_CXXFLAGS) $< -lmimalloc -o $@)
$(BENCH)/loops-libev: tests/bench/time/loops.cpp | $(BENCH)
	$(call peer,ev.h,ev,$(CXX) $(BENCH_CXXFLAGS) -DBENCH_LIBEV $< -lev -o $@)
$(BENCH)/loops-libuv: tests/bench/time/loops.cpp | $(BENCH)
	$(call peer,uv.h,uv,$(CXX) $(BENCH_CXXFLAGS) -DBENCH_LIBUV $< -luv -o $@)

-include $(wildcard $(BENCH)/*.d)
