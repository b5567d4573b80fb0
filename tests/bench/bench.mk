# `make bench`: spawnpool beside its limits and its peers (see tests/bench/aims.lua). `QUICK=1`: a first look;
# `ONLY=Lua`: the promises with this text; `DOC=1`: writes the figures into docs/performance.md. Peers come from Debian
# packages; missing ones are installed where possible, else left out, and their rows say so. Everything is compiled with
# -O3 and without -march=native, as spawnpool is shipped.

BENCH := build/bench
BENCH_CXXFLAGS := -std=c++17 -O3 -DNDEBUG -Wall -Wextra -Isrc -MMD -MP
BENCH_CFLAGS := -std=c11 -O3 -DNDEBUG -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Isrc -I$(BUILD)/include -I. -MMD -MP
BENCH_LUA_CFLAGS = $(shell pkg-config --cflags lua5.4 2>/dev/null || echo -I/usr/include/lua5.4)
BENCH_PROGRAMS := $(addprefix $(BENCH)/,core empty.so count)
COUNT_PROGRAMS := $(BUILD)/bench/count $(BUILD)/bench/curves $(MODULE)

.PHONY: bench bench-build bench-count

bench: ## compare speed with limits and peers; QUICK=1: under a minute; DOC=1: update docs/performance.md
	$(if $(and $(DOC),$(QUICK)$(ONLY)),$(error DOC=1 is for a whole run: without QUICK and ONLY))
	@CXX="$(CXX)" $(call find_deps,bench)
	+@$(submake) bench-build
	@CC="$(CC)" lua5.4 tests/bench/bench.lua $(if $(QUICK),--quick) $(if $(DOC),--page) $(if $(ONLY),"$(ONLY)")

# Instructions per operation, counted. CHECK=1: held against those that are kept, as make test does; RENEW=1: keeps
# them; CURVES=1: of work over n things beside 8n.
bench-count: $(COUNT_PROGRAMS)
	@BUILD=$(BUILD) CC="$(CC)" sh tests/bench/count/count.sh \
	  $(if $(RENEW),--renew) $(if $(CHECK),--check) $(if $(CURVES),--curves)

bench-build: $(BENCH_PROGRAMS) build/spawnpool.so $(PLAYER)
	@:

$(BENCH):
	@mkdir -p $@

$(BENCH)/core: tests/bench/core.cpp build/libspawnpool.a | $(BENCH)
	$(call say,bench)$(CXX) $(BENCH_CXXFLAGS) $(filter %.cpp %.a,$^) -lm -o $@
$(BENCH)/%.so: tests/bench/lua/%.c | $(BENCH)
	$(call say,bench)$(CC) $(BENCH_CFLAGS) $(BENCH_LUA_CFLAGS) -shared -fPIC $< -o $@

# What is counted is part of the tests, so it follows their build folder and flags.
tests-build: $(COUNT_PROGRAMS)
$(eval $(call stamp,$(BUILD)/bench/flags,$$(CPPFLAGS) $$(CFLAGS) $$(LDFLAGS)))
$(BUILD)/bench/count: tests/bench/count/count.c $(filter-out %/main.o,$(DEMO_OBJ)) $(SCRIPT) $(LIBRARY) \
  $(BUILD)/bench/flags
	$(call say,link)$(link) $(BENCH_CFLAGS) $(SDL_CFLAGS) $(LUA_CFLAGS) $(filter %.c %.o %.a,$^) \
	  $(SDL_LIBS) $(CJSON_LIBS) $(ZIP_LIBS) $(SECCOMP_LIBS) $(LUA_LIBS) -lpthread -lm -o $@

$(BUILD)/bench/curves: tests/bench/count/curves.c $(LIBRARY) $(BUILD)/bench/flags
	$(call say,link)$(link) $(BENCH_CFLAGS) $(filter %.c %.a,$^) -lm -o $@

-include $(wildcard $(BENCH)/*.d)
