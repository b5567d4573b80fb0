# The player without its first wall, to be attacked: a game gets all of Lua, and what holds it is the second wall alone.
# Only tests run it. The library in C, loaded by a game, is what a game is that has broken out of Lua.

ifeq ($(shell uname),Linux)

UNWALLED := $(BUILD)/spawnpool-unwalled
BREAKOUT := $(BUILD)/breakout.so

$(BUILD)/obj/unwalled/game.o: LAYER = -O2 $(POSIX) -I. $(LUA_CFLAGS) $(SDL_CFLAGS) -DSP_TEST_FIRST_WALL_DOWN
$(BUILD)/obj/unwalled/game.o: demo/app/game.c $(BUILD)/stamp/flags | $(HEADERS)
	$(call say,cc)mkdir -p $(@D)
	$(Q)$(compile)

$(UNWALLED): $(filter-out %/demo/app/game.o,$(DEMO_OBJ)) $(BUILD)/obj/unwalled/game.o $(SCRIPT) $(BUILD)/stamp/sources
	$(call say,link)$(link) -Wl,-E -o $@ $(filter %.o,$^) $(SCRIPT) $(SDL_LIBS) $(CJSON_LIBS) $(ZIP_LIBS) \
	  $(SECCOMP_LIBS) $(LUA_LIBS) -lm

$(BREAKOUT): tests/demo/breakout/breakout.c $(BUILD)/stamp/flags
	$(call say,link)$(CC) $(BASE) -O1 $(LUA_CFLAGS) $(CFLAGS) $(LDFLAGS) -shared -o $@ $< \
	  $(SECCOMP_LIBS)

tests-build: $(UNWALLED) $(BREAKOUT)

-include $(BUILD)/obj/unwalled/game.d

endif
