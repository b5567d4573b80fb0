# `make analyze`: what compilers and checkers find without running anything. Each is left out when it is not installed.
# What is switched off is listed, with the reason: here for gcc, in .clang-tidy and demo/.clang-tidy, in cppcheck.txt.

ANALYZED := $(CORE_SRC) $(SCRIPT_SRC) $(DEMO_SRC) $(EMBED_SRC)
ANALYZER ?= gcc
CLANG_TIDY ?= clang-tidy
ANALYZE_FLAGS = -std=c11 -O1 -Isrc -I$(BUILD)/include -I. $(POSIX) $(LUA_CFLAGS) $(SDL_CFLAGS) \
  $(CJSON_CFLAGS) $(ZIP_CFLAGS) $(SECCOMP_CFLAGS)

# It loses count of the finds that a loop without branches writes, and finds the rest of the list without a value.
$(BUILD)/analyze/src/core/overlaps.ok: LET := -Wno-analyzer-use-of-uninitialized-value
# It loses a block that is kept in a list behind two pointers. Leaks are tried by `make asan` and `make valgrind`.
$(BUILD)/analyze/demo/draw/picture.ok $(BUILD)/analyze/demo/draw/sprites.ok: LET := -Wno-analyzer-malloc-leak

.PHONY: analyze analyze-files
analyze: ## run gcc -fanalyzer, clang-tidy and cppcheck
	+$(Q)$(submake) analyze-files
	$(Q)if command -v cppcheck >/dev/null; then mkdir -p $(BUILD)/analyze/cppcheck && cppcheck -q \
	  -j $(or $(shell nproc 2>/dev/null),2) --cppcheck-build-dir=$(BUILD)/analyze/cppcheck --std=c11 --error-exitcode=1 \
	  --inline-suppr -Isrc -I$(BUILD)/include -I. --enable=warning,performance,portability,style \
	  --suppressions-list=tests/analyze/cppcheck.txt src demo; \
	  else echo 'cppcheck: not installed, skipped'; fi

analyze-files: $(patsubst %.c,$(BUILD)/analyze/%.ok,$(ANALYZED))

# One file: both, or nothing is kept. A file that passed is checked again when it or one of its headers changes.
$(BUILD)/analyze/%.ok: %.c tests/analyze/analyze.mk .clang-tidy demo/.clang-tidy | $(HEADERS)
	$(call say,check)mkdir -p $(@D)
	$(Q)$(CC) $(ANALYZE_FLAGS) -MM -MP -MT $@ -MF $(@:.ok=.d) $<
	$(Q)if $(ANALYZER) -fanalyzer -E -x c /dev/null >/dev/null 2>&1; then \
	  $(ANALYZER) $(ANALYZE_FLAGS) -fanalyzer $(LET) -Werror -c -o /dev/null $<; fi
	$(Q)if command -v $(CLANG_TIDY) >/dev/null; then $(CLANG_TIDY) --quiet $< -- $(ANALYZE_FLAGS) 2>/dev/null; fi
	$(Q)touch $@

-include $(patsubst %.c,$(BUILD)/analyze/%.d,$(ANALYZED))
