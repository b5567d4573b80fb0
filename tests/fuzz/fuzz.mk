# Random tests that take longer than `make test` should, and fuzzing led by coverage.

STEPS ?= 10000000
EDITS ?= 100000

soak: $(BUILD)/tests ## compare ten million random calls, of C and of Lua, with a simple model (STEPS=, SEED=)
	$(Q)SP_MODEL_STEPS=$(STEPS) SP_MODEL_SEED=$(SEED) CK_RUN_CASE=games $(BUILD)/tests model

# What `make check-slow` refuses is every 37th call of a host; with each shift every call has its turn.
SHIFTS := $(shell seq 0 36)
soak-memory: $(BUILD)/tests ## fail allocations of each spec (SP_SEED=: others), every one of a host, the player's start
	$(Q)$(BUILD)/tests model time snapshot
	$(Q)SP_REFUSE=50 $(BUILD)/tests specs_refused
	$(Q)for n in $(SHIFTS); do echo "shift $$n"; SP_SHIFT=$$n $(BUILD)/tests host_memory || exit 1; done

soak-specs: $(BUILD)/tests ## run every spec with every collector
	$(Q)SP_ALL_SPECS=1 $(BUILD)/tests specs specs_repeated specs_collecting

# Edits random projects of modules and classes while they are played, a dozen edits each. A failure is shortened and
# printed as a script, with the command that plays it again.
soak-edits: $(MODULE) ## play random games that are edited a hundred thousand times (EDITS=, SEED=)
	$(Q)LUA_CPATH="$(BUILD)/?.so;;" lua5.4 tests/fuzz/played_projects.lua $$(($(EDITS) / 12)) $(SEED)

# Judges the tests by what they find: tests/coverage/mutants.lua.
N ?= 200
mutants: ## change N lines of the core and the binding, one at a time, and count those that no suite sees
	+$(Q)SP_MODEL_QUESTIONS=0 lua5.4 tests/coverage/mutants.lua $(BUILD) $(N)

# {== Fuzzing: clang's libFuzzer, in a build of its own with both sanitizers ==

# T: seconds for each target. TARGET: which. FUZZ_FLAGS: more for libFuzzer (-runs=, -jobs=, -print_final_stats=1).
T ?= 60
TARGET ?= $(FUZZ_TARGETS)
FUZZ_CC ?= clang
FUZZ_TARGETS := model lua load codec png recording zip
FUZZ_BUILD := $(BUILD)/fuzz
FUZZ_SANITIZE := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ_HAVE = echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
  $(FUZZ_CC) -fsanitize=fuzzer,address -x c -o $(FUZZ_BUILD)/have - >/dev/null 2>&1

# What is found lies in $(BUILD)/fuzz: an input that ends the process in found/, inputs that reach something new in
# corpus/, where the next run goes on.
fuzz: ## fuzz the model, Lua games, pictures, saves, recordings, zips (T= seconds each, TARGET=)
	$(Q)mkdir -p $(FUZZ_BUILD)
	+$(Q)if $(FUZZ_HAVE); then $(submake) BUILD=$(FUZZ_BUILD) CC=$(FUZZ_CC) WERROR= \
	    CFLAGS="-O1 -fsanitize=fuzzer-no-link $(FUZZ_SANITIZE)" LDFLAGS="$(FUZZ_SANITIZE)" \
	    $(addprefix $(FUZZ_BUILD)/fuzz-,$(TARGET)) && \
	  failed=; for t in $(TARGET); do $(MAKE) --no-print-directory fuzz-run TARGET=$$t || failed="$$failed $$t"; done; \
	  [ -z "$$failed" ] || { echo "fuzz: failed:$$failed"; exit 1; }; \
	else echo "$(FUZZ_CC) cannot build a fuzzer here: skipped (Debian: apt-get install clang libclang-rt-dev)"; fi

# A leak is looked for after each input that seems to leave something, and at the end.
fuzz-run:
	$(Q)rm -rf $(FUZZ_BUILD)/folders && mkdir -p $(FUZZ_BUILD)/corpus/$(TARGET) $(FUZZ_BUILD)/found $(FUZZ_BUILD)/folders
	$(Q)echo "fuzz $(TARGET): $(T) s"
	$(Q)SP_TEST_FOLDERS=$(FUZZ_BUILD)/folders $(FUZZ_BUILD)/fuzz-$(TARGET) \
	  -max_total_time=$(T) -timeout=20 -rss_limit_mb=2048 -max_len=4096 -len_control=20 -print_final_stats=1 \
	  -verbosity=1 -artifact_prefix=$(FUZZ_BUILD)/found/$(TARGET)- $(FUZZ_FLAGS) \
	  $(FUZZ_BUILD)/corpus/$(TARGET) tests/fuzz/corpus/$(TARGET) 2>$(FUZZ_BUILD)/$(TARGET).log && \
	  sed -n '/DONE/p; /stat::\(number_of_executed_units\|average_exec\|peak_rss\)/p' $(FUZZ_BUILD)/$(TARGET).log || \
	  { grep -v '^#[0-9]*.\(NEW\|REDUCE\|pulse\)' $(FUZZ_BUILD)/$(TARGET).log | tail -n 60; \
	    echo "The input lies in $(FUZZ_BUILD)/found. Again: $(FUZZ_BUILD)/fuzz-$(TARGET) FILE, or with any compiler:"; \
	    echo "  SP_FUZZ_INPUT=FILE SP_FUZZ_TARGET=$(TARGET) CK_FORK=no $(BUILD)/tests fuzz"; exit 1; }

# One program per target, whose function becomes the entry of libFuzzer by name.
FUZZ_OBJ := $(call object,$(filter-out %/check_fuzz.c %/check_model.c,\
  $(wildcard tests/fuzz/*.c tests/fuzz/alone/*.c tests/model/*.c tests/support/core_*.c)) \
  $(addprefix tests/support/,files.c memory.c process.c))
$(call object,$(wildcard tests/fuzz/alone/*.c)): LAYER = -O1 $(POSIX) -I. -Itests
$(BUILD)/fuzz-%: $(FUZZ_OBJ) $(filter-out %/main.o,$(DEMO_OBJ)) $(SCRIPT) $(LIBRARY)
	$(call say,link)$(link) -fsanitize=fuzzer -Wl,--defsym=LLVMFuzzerTestOneInput=fuzz_$* \
	  -Wl,--wrap=_ck_assert_failed,--wrap=_mark_point \
	  -o $@ $(filter %.o,$^) $(SCRIPT) $(LIBRARY) $(CHECK_LIBS) $(SDL_LIBS) $(CJSON_LIBS) $(ZIP_LIBS) \
	  $(SECCOMP_LIBS) $(LUA_LIBS) -lm

# }==

.PHONY: soak soak-memory soak-specs mutants fuzz fuzz-run soak-edits
