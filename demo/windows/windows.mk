# The player, the libraries and the games for Windows, in one zip: `make windows`. Everything is compiled from Debian's
# sources by its gcc-mingw-w64-x86-64, for 64 bits and msvcrt.dll, which every Windows has.

WINDOWS         := $(BUILD)/windows
WINDOWS_BUILD   := $(BUILD)/mingw
WINDOWS_SOURCES := $(BUILD)/debian
WINDOWS_PREFIX  := $(WINDOWS_BUILD)/prefix
WINDOWS_NEEDS   := 'lua5.4>=5.4.2<5.5' 'libsdl2>=2.0.18<3' 'libsdl2-image>=2.0.5<3' 'libsdl2-ttf>=2.0.18<3' \
  'libsdl2-mixer>=2.6<3' 'freetype>=2.10<3' 'libogg>=1.3<2' 'libvorbis>=1.3<2' 'cjson>=1.7<2' \
  'zlib>=1.2<2' 'minizip>=1.1<2'
WINDOWS_TEST_NEEDS := 'check>=0.15<1'
WINDOWS_HOST    := x86_64-w64-mingw32

# The Makefile runs once more, for the other system: TARGET=windows. Its headers define isfinite with casts to float,
# and call printf formats of C99 unknown that its library knows.
windows_prefix = -isystem $(WINDOWS_PREFIX)/include
windows_make = $(submake) TARGET=windows BUILD=$(WINDOWS_BUILD) WINDOWS=$(WINDOWS) WINDOWS_PREFIX=$(WINDOWS_PREFIX) \
  WINDOWS_SOURCES=$(WINDOWS_SOURCES) \
  CC=$(WINDOWS_HOST)-gcc AR=$(WINDOWS_HOST)-ar LDFLAGS=-static \
  CFLAGS="-D_WIN32_WINNT=0x0602 -DSDL_MAIN_HANDLED -Wno-float-conversion -Wno-format" LUA_CFLAGS="$(windows_prefix)" \
  SDL_CFLAGS="$(windows_prefix)/SDL2" CJSON_CFLAGS= ZIP_CFLAGS="$(windows_prefix)" SECCOMP= CHECK_CFLAGS= WRAP=

windows: windows-libraries ## build the player for Windows, in build/windows
	+$(Q)$(windows_make) windows-files

windows-libraries:
	$(Q)$(call find_deps,windows)
	$(Q)sh demo/support/debian_sources.sh $(WINDOWS_SOURCES) $(WINDOWS_NEEDS)
	$(Q)HOST=$(WINDOWS_HOST) sh demo/windows/libraries.sh $(WINDOWS_SOURCES) $(WINDOWS_PREFIX) player

windows-test: ## test that under wine
	$(Q)$(call find_deps,windows-test)
	+$(Q)$(submake) windows
	+$(Q)$(submake) $(PLAYER) $(BUILD)/embed/hello
	$(Q)sh demo/support/debian_sources.sh $(WINDOWS_SOURCES) $(WINDOWS_TEST_NEEDS)
	$(Q)HOST=$(WINDOWS_HOST) sh demo/windows/libraries.sh $(WINDOWS_SOURCES) $(WINDOWS_PREFIX) check
	+$(Q)$(windows_make) windows-tests
	$(Q)sh tests/windows/run.sh $(WINDOWS)/spawnpool-$(VERSION) $(WINDOWS_BUILD)/tests.exe $(PLAYER) $(WINDOWS_PREFIX)

.PHONY: windows windows-libraries windows-files windows-test windows-tests

ifeq ($(TARGET),windows)

WINDOWS_LIBS := $(addprefix $(WINDOWS_PREFIX)/lib/lib,SDL2_image.a SDL2_ttf.a SDL2_mixer.a SDL2.a freetype.a vorbis.a \
  cjson.a minizip.a z.a lua.a) $(addprefix -l,setupapi cfgmgr32 winmm imm32 version ole32 oleaut32 uuid gdi32 \
  advapi32 shell32 user32 m)
WINDOWS_ROOT := $(WINDOWS)/spawnpool-$(VERSION)
windows_strip = $(CC) $(CFLAGS) $(LDFLAGS) -s

# {== The player ==============================================================

$(BUILD)/player.o: demo/windows/player.rc demo/windows/player.manifest
	$(call say,rc)mkdir -p $(@D)
	$(Q)$(WINDOWS_HOST)-windres -DVERSION='\"$(VERSION)\"' $< $@

$(WINDOWS_ROOT)/spawnpool.exe: $(DEMO_OBJ) $(SCRIPT) $(BUILD)/player.o $(BUILD)/stamp/sources demo/windows/windows.mk
	$(call say,link)mkdir -p $(@D)
	$(Q)$(windows_strip) -o $@ $(DEMO_OBJ) $(BUILD)/player.o $(SCRIPT) $(WINDOWS_LIBS)

# }==

# {== The libraries ===========================================================

# The core as a DLL has objects of its own: what it exports is marked in them.
WINDOWS_DLL_OBJ := $(CORE_SRC:%.c=$(BUILD)/dll/%.o)
$(WINDOWS_DLL_OBJ): LAYER = -O3 -fno-tree-slp-vectorize -fno-trapping-math '-DSP_API=__declspec(dllexport)'
$(BUILD)/dll/%.o: %.c $(BUILD)/stamp/flags | $(HEADERS)
	$(call say,cc)mkdir -p $(@D)
	$(Q)$(compile)
$(WINDOWS_ROOT)/lib/spawnpool.dll: $(WINDOWS_DLL_OBJ) $(BUILD)/stamp/sources
	$(call say,link)mkdir -p $(@D)
	$(Q)$(windows_strip) -shared -Wl,--out-implib,$(@D)/libspawnpool.dll.a -Wl,--output-def,$(@D)/spawnpool.def \
	  -o $@ $(WINDOWS_DLL_OBJ)

# The module takes Lua from the program that requires it, which has it in lua54.dll.
$(BUILD)/lua54.def: $(wildcard $(WINDOWS_PREFIX)/include/l*.h)
	$(call say,gen){ echo 'LIBRARY lua54.dll'; echo EXPORTS; sed -n 's/^.*(\(lua[a-zL]*_[a-zA-Z0-9_]*\)) *(.*/  \1/p' \
	  $(addprefix $(WINDOWS_PREFIX)/include/,lua.h lauxlib.h lualib.h) | sort -u; } >$@
$(BUILD)/liblua54.dll.a: $(BUILD)/lua54.def
	$(call say,gen)$(WINDOWS_HOST)-dlltool -d $< -l $@
$(WINDOWS_ROOT)/lua/spawnpool.dll: $(CORE_OBJ) $(SCRIPT_OBJ) $(BUILD)/liblua54.dll.a demo/windows/module.def
	$(call say,link)mkdir -p $(@D)
	$(Q)$(windows_strip) -shared -o $@ $(CORE_OBJ) $(SCRIPT_OBJ) $(BUILD)/liblua54.dll.a demo/windows/module.def

# }==

# {== The zip =================================================================

WINDOWS_GAMES := $(shell find scripts docs demo/embed README.md LICENSE -type f ! -path '*/recordings/*' \
  2>/dev/null | LC_ALL=C sort)
WINDOWS_FONTS := $(addprefix /usr/share/fonts/truetype/dejavu/,DejaVuSans.ttf DejaVuSansMono.ttf)
WINDOWS_PRODUCTS := $(addprefix $(WINDOWS_ROOT)/,spawnpool.exe lib/spawnpool.dll lua/spawnpool.dll)

$(WINDOWS)/spawnpool-$(VERSION)-windows.zip: $(WINDOWS_PRODUCTS) $(WINDOWS_GAMES) $(LUA_FILES) $(JIT_LUA) \
  $(wildcard demo/windows/*) $(HEADERS) $(BUILD)/stamp/sources
	$(call say,zip)rm -f $@ && sh demo/windows/pack.sh $(WINDOWS_ROOT) $(VERSION) $(BUILD)/include \
	  '$(WINDOWS_SOURCES)' $(WINDOWS_FONTS)
	$(Q)cd $(WINDOWS) && zip -q -9 -r -X $(@F) $(notdir $(WINDOWS_ROOT))

windows-files: $(WINDOWS)/spawnpool-$(VERSION)-windows.zip

# }==

# {== Tests ====================================================================

# The suites that start no process and send no signal; the player is tested from outside, by the suites that know it.
WINDOWS_SUITES := $(patsubst tests/core/check_%.c,%,$(wildcard tests/core/check_*.c)) windows \
  arena checkup console escapes inspect library live paths repeatable watch drawing rewind specs
WINDOWS_NO_SUITES := ids layers
WINDOWS_RUN := $(filter-out $(WINDOWS_NO_SUITES),$(WINDOWS_SUITES))
WINDOWS_TEST_SRC := $(filter-out $(WINDOWS_NO_SUITES:%=tests/core/check_%.c),$(wildcard tests/core/*.c)) \
  $(filter $(WINDOWS_RUN:%=tests/script/check_%.c) %/games.c %/scripted.c %/watching.c,$(wildcard tests/script/*.c)) \
  $(addprefix tests/demo/,$(addsuffix .c,driver host)) \
  $(wildcard tests/windows/*.c) tests/web/runner.c $(filter-out %/process.c %/runner.c %/attempt.c \
  tests/support/check_%,$(wildcard tests/support/*.c))
WINDOWS_TEST_OBJ := $(call object,$(WINDOWS_TEST_SRC)) $(BUILD)/gen/windows_suites.o
WINDOWS_TEST_DEMO := $(filter-out %/main.o,$(DEMO_OBJ))
$(WINDOWS_TEST_OBJ): LAYER = -O1 -w -I. -Itests -Itests/windows -include tests/windows/compat.h \
  -DSP_BUILD_DIR='"$(WINDOWS_ROOT)"' -DSP_CC='""' -DSP_CXX='""' -DSP_LUA_CFLAGS='""' $(LUA_CFLAGS) $(SDL_CFLAGS)
# What driver.c stands before; libraries that are part of the program leave no other way.
WINDOWS_HAND := $(foreach f,SDL_RenderPresent SDL_RenderFlush SDL_PollEvent SDL_Delay \
  SDL_GetPerformanceCounter text_draw,-Wl,--wrap=$(f))

$(BUILD)/gen/windows_suites.c: demo/windows/windows.mk $(BUILD)/stamp/sources
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "support/suites.h"'; \
	  for n in $(WINDOWS_RUN); do echo "Suite *sp_suite_$$n(void);"; done; \
	  echo 'const sp_test_suite sp_suites[] = {'; \
	  for n in $(WINDOWS_RUN); do echo "  {\"$$n\", sp_suite_$$n, 0},"; done; echo '  {0, 0, 0}};'; } >$@

$(BUILD)/tests.exe: $(WINDOWS_TEST_OBJ) $(WINDOWS_TEST_DEMO) $(SCRIPT) $(BUILD)/player.o $(BUILD)/stamp/sources
	$(call say,link)$(CC) $(LDFLAGS) $(WINDOWS_HAND) -o $@ $(WINDOWS_TEST_OBJ) $(WINDOWS_TEST_DEMO) $(SCRIPT) \
	  $(BUILD)/player.o $(WINDOWS_PREFIX)/lib/libcheck.a $(WINDOWS_LIBS) -lpthread

windows-tests: $(BUILD)/tests.exe

# }==

endif
