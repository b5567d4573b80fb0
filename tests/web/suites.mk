# The suites of the core and the specs, as WebAssembly under node: `make web-test-suites`. A page has no processes and
# no threads: suites of these are left out, and so are those that look at the files of the build. Those of ids need a
# process for each test.

WEB_NO_SUITES := ids layers
WEB_TEST_SRC := $(filter-out $(WEB_NO_SUITES:%=tests/core/check_%.c),$(wildcard tests/core/*.c)) \
  tests/script/check_specs.c $(filter-out %/runner.c %/check_performance.c, \
  $(wildcard tests/support/*.c)) tests/web/runner.c
# Without it an older node warns that its own fetch is experimental.
node_knows = $$(node $(1) -e 0 2>/dev/null && echo $(1))
WEB_TEST_NEEDS := 'check>=0.12<1'

web-test-suites: ## run the suites of the core and the specs as WebAssembly
	$(Q)$(call find_deps,web)
	$(Q)sh demo/support/debian_sources.sh $(WEB_SOURCES) $(WEB_NEEDS) $(WEB_TEST_NEEDS)
	+$(Q)$(web_make) web-tests
	$(Q)node $(call node_knows,--no-experimental-fetch) --stack-size=4000 $(WEB_BUILD)/tests.js

.PHONY: web-test-suites web-tests

ifeq ($(TARGET),web)

# Check without processes: its headers ask what the system has; two are generated.
$(BUILD)/check/check_stdint.h:
	$(call say,gen)mkdir -p $(@D) && echo '#include <stdint.h>' >$@ && : >$(@D)/config.h
WEB_CHECK := $(addprefix src/,check.c check_error.c check_list.c check_log.c check_msg.c check_pack.c check_print.c \
  check_run.c check_str.c) lib/libcompat.c
WEB_CHECK_HAS := UNISTD_H SYS_TIME_H STDINT_H DECL_ALARM MALLOC REALLOC GETPID GETTIMEOFDAY DECL_LOCALTIME_R \
  DECL_STRDUP DECL_STRSIGNAL STDARG_H VSNPRINTF SNPRINTF GETLINE DECL_GETLINE
$(eval $(call web_library,check,$(WEB_SOURCES)/check,$(WEB_CHECK),-O2 -I$(WEB_SOURCES)/check/src \
  -I$(WEB_SOURCES)/check/lib -I$(BUILD)/check -DCK_ATTRIBUTE_UNUSED= $(WEB_CHECK_HAS:%=-DHAVE_%=1)))
$(TEST_OBJ) $(addprefix $(BUILD)/check/,$(WEB_CHECK:.c=.o)): $(BUILD)/check/check_stdint.h

# They read the specs from the disk.
$(BUILD)/tests.js: $(TEST_OBJ) $(SCRIPT) $(BUILD)/libcheck.a $(BUILD)/libplayer_lua.a
	$(call say,link)$(link) -O1 $(WEB_STACK) -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sENVIRONMENT=node -sNODERAWFS \
	  -sEXIT_RUNTIME -o $@ $^

web-tests: $(BUILD)/tests.js

endif
