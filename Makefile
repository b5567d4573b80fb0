# spawnpool. `make help` lists the targets; everything is built into $(BUILD)/.

MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

# These run make again on the same build folder: one after the other, whatever -j says. Each of them is parallel itself.
RECURSIVE := demo check test check-slow asan hardened tsan coverage lint analyze bench fuzz mutants release install \
  web web-page web-serve web-test web-test-suites windows windows-test
ifneq ($(and $(word 2,$(MAKECMDGOALS)),$(filter $(RECURSIVE),$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif

# {== What you may set ========================================================

BUILD   ?= build
V       ?= 0
GAME    ?= scripts/shooter
SEED    ?= 1
DEPS    ?= yes
CFLAGS  ?=
LDFLAGS ?=
WERROR  ?=

PREFIX       ?= /usr/local
EXEC_PREFIX  ?= $(PREFIX)
BINDIR       ?= $(EXEC_PREFIX)/bin
LIBDIR       ?= $(EXEC_PREFIX)/lib
INCLUDEDIR   ?= $(PREFIX)/include
DATADIR      ?= $(PREFIX)/share
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
LUA_CDIR     ?= $(LIBDIR)/lua/5.4
LUA_DIR      ?= $(DATADIR)/lua/5.4
LUAJIT_DIR   ?= $(DATADIR)/lua/5.1
MANDIR       ?= $(DATADIR)/man
BASHDIR      ?= $(DATADIR)/bash-completion/completions
ZSHDIR       ?= $(DATADIR)/zsh/site-functions
GAMEDIR      ?= $(DATADIR)/spawnpool

INSTALL         ?= install
INSTALL_PROGRAM ?= $(INSTALL)
INSTALL_DATA    ?= $(INSTALL) -m 644
GCOV            ?= gcov
VALGRIND        ?= valgrind
CLANG_FORMAT    ?= clang-format

# }==

# After a build by root, or by somebody else, every later step would fail in words of its own.
NOT_OURS := $(if $(filter-out clean help uninstall install%,$(or $(MAKECMDGOALS),all)),$(shell \
  find $(BUILD) -maxdepth 4 -type d ! -writable -print 2>/dev/null | head -n 1))
$(if $(NOT_OURS),$(error $(NOT_OURS) was made by another user, and cannot be written: remove it, or build in another \
  folder: make BUILD=FOLDER))

# {== Sources: found, never listed ============================================

VERSION := $(shell sed -n 's/^.define SP_VERSION "\(.*\)"/\1/p' src/core/spawnpool.h)
# docs/changes.md: before 1.0 a program is compiled again for each minor version.
SO_VERSION := $(basename $(VERSION))

CORE_SRC    := $(wildcard src/core/*.c)
SCRIPT_SRC  := $(wildcard src/script/*/*.c)
SESSION_SRC := $(wildcard src/session/*.c)
DEMO_SRC    := $(filter-out demo/embed/% demo/linux/% demo/web/%,$(wildcard demo/*/*.c))
# The functions of mathematics that a game reaches are those of musl, with every C library: demo/math/musl/README.
MATH_SRC    := $(wildcard demo/math/musl/*.c)
EMBED_SRC   := $(wildcard demo/embed/*.c)
TEST_DIRS   := tests/core tests/model $(if $(SCRIPT_SRC),tests/script) $(if $(DEMO_SRC),tests/session tests/demo) \
  tests/docs \
  tests/slow tests/fuzz tests/support
TEST_SRC    := $(wildcard $(addsuffix /*.c,$(TEST_DIRS)))
# More ways to run the specs: tests/script/check_specs.c. The first one is fast.
SPEC_NAMES  := specs_refused specs_repeated specs_collecting
SUITE_NAMES := $(SPEC_NAMES) \
  $(patsubst check_%,%,$(filter check_%,$(basename $(notdir $(TEST_SRC)))))
SLOW_NAMES  := $(filter-out specs_refused,$(SPEC_NAMES)) \
  $(patsubst tests/slow/check_%.c,%,$(wildcard tests/slow/check_*.c))
# For LuaJIT and LÖVE: Lua 5.1 over the shared library.
JIT_FILES   := $(wildcard $(addprefix lua/spawnpool/,ffi.lua love.lua))
JIT_PARTS   := lua/spawnpool/ffi_class.lua lua/spawnpool/ffi_walks.lua
LUA_FILES   := $(filter-out $(JIT_FILES) $(JIT_PARTS),$(wildcard lua/spawnpool/*.lua))
LUA_SRC     := $(filter-out %/meta.lua %.d.lua %/luacheck.lua,$(LUA_FILES))
NEW_GAME    := $(shell find demo/newgame -type f 2>/dev/null | LC_ALL=C sort) \
  $(addprefix lua/spawnpool/,class.d.lua luacheck.lua meta.lua player.d.lua sandbox.d.lua save.d.lua)

TOOLS       := $(wildcard demo/tools/*.lua)
# Packed games for Linux are made by a player that runs there.
FRONT       := $(if $(filter Linuxhost,$(shell uname)$(or $(TARGET),host)),yes)
comma       := ,

object      = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
CORE_OBJ   := $(call object,$(CORE_SRC))
SCRIPT_OBJ := $(call object,$(SCRIPT_SRC)) $(BUILD)/gen/lua_sources.o
SESSION_OBJ := $(call object,$(SESSION_SRC))
DEMO_OBJ   := $(call object,$(DEMO_SRC) $(MATH_SRC)) \
  $(if $(DEMO_SRC),$(addprefix $(BUILD)/gen/,newgame.o tools.o gallery.o icon.o licenses.o front.o))
TEST_OBJ   := $(call object,$(TEST_SRC)) $(BUILD)/gen/suites.o
EMBED_OBJ  := $(call object,$(EMBED_SRC))

LIBRARY  := $(BUILD)/libspawnpool.a
SHARED   := $(BUILD)/libspawnpool.so
SCRIPT_LIBRARY := $(BUILD)/libspawnpool_script.a
SCRIPT_SHARED  := $(BUILD)/libspawnpool_script.so
# For programs with scripts, in the order of linking.
SCRIPT   := $(SCRIPT_LIBRARY) $(LIBRARY)
SESSION  := $(BUILD)/libspawnpool_session.a
# The module uses the shared libraries, so that a host that is linked with them has the same copy; or it is one file
# that needs no other.
MODULE       := $(BUILD)/spawnpool.so
MODULE_ALONE := $(BUILD)/alone/spawnpool.so
PLAYER   := $(if $(DEMO_SRC),$(BUILD)/spawnpool)
EXAMPLES := $(EMBED_SRC:demo/%.c=$(BUILD)/%)
PC       := $(BUILD)/spawnpool.pc
SCRIPT_PC := $(BUILD)/spawnpool-script.pc
SESSION_PC := $(BUILD)/spawnpool-session.pc
# The public headers under the names that they are installed by: -I$(BUILD)/include is all that a program in the tree
# needs.
# spawnpool_desc.h and spawnpool_save.h are parts of spawnpool.h there.
CORE_HEADERS := $(addprefix $(BUILD)/include/,spawnpool.h spawnpool_tools.h)
HEADERS  := $(CORE_HEADERS) $(BUILD)/include/spawnpool_script.h $(BUILD)/include/spawnpool_session.h \
  $(BUILD)/include/spawnpool.hpp
JIT_LUA  := $(addprefix $(BUILD)/,$(JIT_FILES))
PRODUCTS := $(HEADERS) $(SHARED) $(JIT_LUA) $(SCRIPT) $(SCRIPT_SHARED) $(SESSION) $(MODULE) $(PLAYER) $(EXAMPLES) \
  $(PC) $(SCRIPT_PC) $(SESSION_PC)

# }==

# {== Flags: each layer sees only what it may know ============================

# WERROR=-Werror is for those who change the sources: a newer compiler may warn of more.
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
# $(call known,FLAGS): those that the compiler accepts.
accepts = $(filter yes,$(shell $(CC) -Werror $(1) -E -x c /dev/null >/dev/null 2>&1 && echo yes))
known = $(if $(call accepts,$(1)),$(1),$(foreach f,$(1),$(if $(call accepts,$(f)),$(f))))
KNOWN = $(eval KNOWN := $(call known,-gdwarf-4 -fno-semantic-interposition \
  -fzero-init-padding-bits=unions))$(KNOWN)
KNOWN_CORE = $(eval KNOWN_CORE := $(call known,-fno-tree-slp-vectorize -fno-trapping-math))$(KNOWN_CORE)
KNOWN_SCRIPT = $(eval KNOWN_SCRIPT := $(call known,\
  -fno-tree-slp-vectorize -fno-plt -falign-functions=64))$(KNOWN_SCRIPT)
# No contraction into fma and no fast-math: the same inputs give the same game, bit for bit.
# Debug information of version 4: every valgrind reads it. Calls inside a library go straight to their function, also to
# a public one.
BASE = -std=c11 -fPIC -fvisibility=hidden $(KNOWN) -ffp-contract=off -Isrc -I$(BUILD)/include $(WARN)
POSIX := -D_POSIX_C_SOURCE=200809L

# pkg-config is asked only when a rule needs it, and once: without it `make deps` can still run.
pc = $(call pc_checked,$(2),$(shell pkg-config $(1) $(2) 2>/dev/null || echo missing))
pc_checked = $(if $(filter missing,$(2)),$(error $(1): not found by pkg-config. Run 'make deps'),$(2))
# -isystem: the headers of other projects need not pass our warnings.
pc_cflags = $(patsubst -I%,-isystem %,$(call pc,--cflags,$(1)))
LUA_PC = $(eval LUA_PC := $(or $(shell for p in lua5.4 lua-5.4 lua54 lua; do \
  pkg-config --exists "$$p >= 5.4 $$p < 5.5" 2>/dev/null && echo $$p && break; done),lua5.4))$(LUA_PC)
SDL_PC := sdl2 SDL2_ttf SDL2_image
MIXER_PC := SDL2_mixer
LUA_CFLAGS   = $(eval LUA_CFLAGS := $(call pc_cflags,$(LUA_PC)))$(LUA_CFLAGS)
LUA_LIBS     = $(eval LUA_LIBS := $(call pc,--libs,$(LUA_PC)))$(LUA_LIBS)
# Of SDL2_mixer's include folders only its own: the others belong to libraries below it.
SDL_CFLAGS   = $(eval SDL_CFLAGS := $(call pc_cflags,$(SDL_PC)) \
  $(patsubst -I%,-isystem %,$(filter %/SDL2,$(call pc,--cflags-only-I,$(MIXER_PC)))))$(SDL_CFLAGS)
SDL_LIBS     = $(eval SDL_LIBS := $(call pc,--libs,$(SDL_PC) $(MIXER_PC)))$(SDL_LIBS)
CJSON_CFLAGS = $(eval CJSON_CFLAGS := $(call pc_cflags,libcjson))$(CJSON_CFLAGS)
# Read and write zips; the headers are those of a folder minizip. The library itself is linked, where the system has it
# so: its name differs between systems.
ZIP_CFLAGS = $(eval ZIP_CFLAGS := $(patsubst %/minizip,%,$(call pc_cflags,minizip)))$(ZIP_CFLAGS)
ZIP_LIBS   = $(eval ZIP_LIBS := $(patsubst -lminizip,$(if $(wildcard $(shell $(CC) \
  -print-file-name=libminizip.a)),-l:libminizip.a,-lminizip),$(call pc,--libs,minizip)) \
  $(call pc,--libs,zlib))$(ZIP_LIBS)
CJSON_LIBS   = $(eval CJSON_LIBS := $(call pc,--libs,libcjson))$(CJSON_LIBS)
# Left out where it is missing: the player then has one wall less, and says so in --version.
SECCOMP = $(eval SECCOMP := $(if $(filter Linux,$(shell uname)),$(shell \
  pkg-config --exists libseccomp 2>/dev/null && echo libseccomp)))$(SECCOMP)
SECCOMP_CFLAGS = $(eval SECCOMP_CFLAGS := $(if $(SECCOMP),-DSP_SECCOMP $(call pc_cflags,libseccomp)))$(SECCOMP_CFLAGS)
SECCOMP_LIBS = $(eval SECCOMP_LIBS := $(if $(SECCOMP),$(call pc,--libs,libseccomp)))$(SECCOMP_LIBS)
CHECK_CFLAGS = $(eval CHECK_CFLAGS := $(call pc_cflags,check))$(CHECK_CFLAGS)
CHECK_LIBS   = $(eval CHECK_LIBS := $(call pc,--libs,check))$(CHECK_LIBS)

# Loops are vectorised; neighbouring small stores are not joined into wide ones, which later loads would wait for.
# Nobody asks for floating-point traps: a choice between two sums need not be a branch then. Values are the same.
$(CORE_OBJ):   LAYER = -O3 $(KNOWN_CORE)
# Each call into Lua saves a jump: the binding makes a dozen of them where the rest of the work takes 15 ns. Functions
# begin with a cache line: else a pair takes up to 4 % more or less with every edit of an earlier function.
$(SCRIPT_OBJ): LAYER = -O3 $(KNOWN_SCRIPT) $(POSIX) $(LUA_CFLAGS)
$(SESSION_OBJ): LAYER = -O2 $(POSIX) $(LUA_CFLAGS) $(CJSON_CFLAGS) $(ZIP_CFLAGS)
$(DEMO_OBJ):   LAYER = -O2 $(POSIX) -I. $(LUA_CFLAGS) $(SDL_CFLAGS) $(CJSON_CFLAGS) $(ZIP_CFLAGS) $(SECCOMP_CFLAGS)
# liblua calls them too: the program shows them to it.
$(call object,$(MATH_SRC)): LAYER = -O2 -fvisibility=default -w -Idemo/math/musl
# Examples are programs like any other: they know the public headers, and name the other libraries that they use.
$(EMBED_OBJ):  LAYER = -O2 $(POSIX)
$(call object,$(addprefix demo/embed/,renderer.c own_state.c)): LAYER = -O2 $(POSIX) $(SDL_CFLAGS) $(LUA_CFLAGS)
# A suite is called from a generated list only, so it has no prototype.
$(TEST_OBJ):   LAYER = -O2 $(POSIX) -I. -Itests -Wno-missing-prototypes -Wno-missing-field-initializers \
  -Wno-override-init \
  -DSP_BUILD_DIR='"$(BUILD)"' -DSP_CC='"$(CC)"' -DSP_CXX='"$(CXX)"' -DSP_LUA_CFLAGS='"$(strip $(LUA_CFLAGS))"' \
  -DSP_SDL_CFLAGS='"$(strip $(SDL_CFLAGS))"' $(if $(WRAP),-DSP_WRAP) $(LUA_CFLAGS) $(SDL_CFLAGS) $(CHECK_CFLAGS) \
  $(SECCOMP_CFLAGS)

# $(call link_shared,NAME,MAP): the flags of a shared library.
ifeq ($(shell uname),Darwin)
  link_shared = -dynamiclib -undefined dynamic_lookup -install_name $(LIBDIR)/$(1).so.$(SO_VERSION)
  LINK_ALONE = -bundle -undefined dynamic_lookup -Wl,-exported_symbol,_luaopen_spawnpool*
  LINK_MODULE = -dynamiclib
  SCRIPT_LIBS = -lm -lpthread
else
  # A library calls its own functions, whatever else of that name the process has: another version of it, say. It finds
  # the one below it in its own folder.
  link_shared = -shared -Wl,-soname,$(1).so.$(SO_VERSION) -Wl,-Bsymbolic-functions -Wl,--version-script=$(2) \
    -Wl,-rpath,'$$ORIGIN'
  # What handles a signal stays in the process. The module shows no more than Lua looks for.
  STAYS := -Wl,-z,nodelete
  LINK_ALONE = -shared $(STAYS) -Wl,--version-script=src/script/bind/module.map
  # Lua finds the functions of the library through a module that has none: installed, the library is two folders above.
  LINK_MODULE = -shared -Wl,--no-as-needed -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../..'
  SCRIPT_LIBS = -lm -lpthread -lrt
  WRAP = $(foreach f,malloc calloc realloc free text_draw,-Wl,--wrap=$(f))
endif

ifeq ($(V),0)
  Q := @
  say = @printf '  %-6s %s\n' $(1) $@;
endif
# Compiles $< into $@, which is written under another name: what was stopped half-way is never taken for whole.
compile = $(CC) $(BASE) $(LAYER) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c \
  -o $(@:.o=.part) $< && mv $(@:.o=.part) $@
# $(call archive,OBJECTS)
archive = rm -f $@.part && $(AR) rcs $@.part $(1) && mv $@.part $@
link = $(CC) $(CFLAGS) $(LDFLAGS)
# A sub-make uses every core, unless the caller chose with -j.
submake = $(MAKE) --no-print-directory \
  $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(or $(shell nproc 2>/dev/null),2))

# }==

# {== Build ===================================================================

all: $(PRODUCTS) ## build everything (default)

# For programs that bring their own window, or have none.
core: $(HEADERS) $(LIBRARY) $(SHARED) $(JIT_LUA) $(PC) ## build the C library; needs neither Lua nor SDL
script: core $(SCRIPT) $(SCRIPT_SHARED) $(SCRIPT_PC) $(MODULE) ## build the C libraries and the Lua module; needs no SDL
session: script $(SESSION) $(SESSION_PC) ## the same, and games that can be repeated; needs cJSON and minizip, no SDL
module: $(MODULE_ALONE)
luajit: $(JIT_LUA) $(SHARED)

# $(call stamp,FILE,TEXT): a file that is made anew when TEXT is not what it holds; also after `sudo make install`.
define stamp
ifneq ($$(shell cat $(1) 2>/dev/null),$$(strip $(2)))
$(1): FORCE
endif
$(1):
	@mkdir -p $$(@D) && rm -f $$@ && echo '$$(strip $(2))' >$$@
endef
$(eval $(call stamp,$(BUILD)/stamp/flags,$$(CC) $$(BASE) $$(CPPFLAGS) $$(CFLAGS) $$(LDFLAGS)))
$(eval $(call stamp,$(BUILD)/stamp/sources,\
  $$(CORE_SRC) $$(SCRIPT_SRC) $$(SESSION_SRC) \
  $$(DEMO_SRC) $$(MATH_SRC) $$(TEST_SRC) $$(LUA_SRC) $$(NEW_GAME) $$(TOOLS)))
# Of the objects, that one alone knows.
$(eval $(call stamp,$(BUILD)/stamp/seccomp,$$(SECCOMP)))
$(call object,demo/app/wall.c): $(BUILD)/stamp/seccomp
$(eval $(call stamp,$(BUILD)/stamp/prefix,$$(VERSION) $$(PREFIX) $$(LIBDIR) $$(INCLUDEDIR) $$(LUA_PC)))
$(BUILD)/stamp/flags: Makefile
FORCE:

$(filter %.h,$(HEADERS)): $(BUILD)/include/%.h:
	$(call say,gen)mkdir -p $(@D) && awk '/^#include "spawnpool_(desc|save).h"/ { part = "src/core/" $$2; \
	    gsub(/"/, "", part); while ((getline line <part) > 0) if (line !~ /^#include "spawnpool.h"/) print line; \
	    next } { print }' $< >$@
$(BUILD)/include/spawnpool.h: src/core/spawnpool.h src/core/spawnpool_desc.h src/core/spawnpool_save.h
$(BUILD)/include/spawnpool_tools.h: src/core/spawnpool_tools.h
$(BUILD)/include/spawnpool_script.h: src/script/script.h
$(BUILD)/include/spawnpool_session.h: src/session/spawnpool_session.h
$(BUILD)/include/spawnpool.hpp: src/core/spawnpool.hpp
	$(call say,gen)mkdir -p $(@D) && cp $< $@

$(BUILD)/obj/%.o: %.c $(BUILD)/stamp/flags | $(HEADERS)
	$(call say,cc)mkdir -p $(@D)
	$(Q)$(compile)

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/stamp/flags
	$(call say,cc)$(compile)

$(LIBRARY): $(CORE_OBJ)
$(SCRIPT_LIBRARY): $(SCRIPT_OBJ)
$(SESSION): $(SESSION_OBJ)
$(LIBRARY) $(SCRIPT_LIBRARY) $(SESSION): $(BUILD)/stamp/sources
	$(call say,ar)$(call archive,$(filter %.o,$^))

# Public symbols have the version of programs. What the binding alone calls has that of the build: a library of another
# one is not loaded.
$(BUILD)/gen/libspawnpool.map: src/core/binding.h $(BUILD)/stamp/prefix
	$(call say,gen)mkdir -p $(@D)
	$(Q){ printf 'SPAWNPOOL_%s {\n  global: sp_*;\n  local: *;\n};\n' $(SO_VERSION); \
	  printf 'SPAWNPOOL_PRIVATE_%s {\n  global:\n' $(VERSION); \
	  sed -n '/^static/d; /^typedef/d; s/^[a-z].*[ *]\(sp_[a-z_0-9]*\)(.*/    \1;/p' $<; echo '};'; } >$@
$(BUILD)/gen/libspawnpool_script.map: $(BUILD)/stamp/prefix
	$(call say,gen)mkdir -p $(@D)
	$(Q)printf 'SPAWNPOOL_SCRIPT_%s {\n  global: sp_script_*; sp_lua_*; luaopen_spawnpool*;\n  local: *;\n};\n' \
	  $(SO_VERSION) >$@

# liblua is not linked: the program that has a state brings its own.
$(SHARED): $(CORE_OBJ)
$(SHARED): SHARED_LIBS = -lm
$(SCRIPT_SHARED): $(SCRIPT_OBJ) $(SHARED)
$(SCRIPT_SHARED): SHARED_LIBS = $(STAYS) $(SHARED) $(SCRIPT_LIBS)
$(SHARED) $(SCRIPT_SHARED): $(BUILD)/%.so: $(BUILD)/gen/%.map $(BUILD)/stamp/sources
	$(call say,link)$(link) $(call link_shared,$*,$<) -o $@.$(VERSION) $(filter %.o,$^) $(SHARED_LIBS)
	$(Q)ln -sf $(@F).$(VERSION) $@.$(SO_VERSION) && ln -sf $(@F).$(SO_VERSION) $@

$(MODULE): $(SCRIPT_SHARED)
	$(call say,link)$(link) $(LINK_MODULE) -o $@ $<
$(MODULE_ALONE): $(CORE_OBJ) $(SCRIPT_OBJ) $(BUILD)/stamp/sources src/script/bind/module.map
	$(call say,link)mkdir -p $(@D)
	$(Q)$(link) $(LINK_ALONE) -o $@ $(CORE_OBJ) $(SCRIPT_OBJ) $(SCRIPT_LIBS)

$(PLAYER): $(DEMO_OBJ) $(SCRIPT) $(BUILD)/stamp/sources
	$(call say,link)$(link) -o $@ $(DEMO_OBJ) $(SCRIPT) $(SDL_LIBS) $(CJSON_LIBS) $(ZIP_LIBS) $(SECCOMP_LIBS) \
	  $(LUA_LIBS) -lm

$(EXAMPLES): EMBED_LIBS = $(LIBRARY)
$(BUILD)/embed/headless: EMBED_LIBS = $(SCRIPT) $(LUA_LIBS)
$(BUILD)/embed/own_state: EMBED_LIBS = $(SCRIPT) $(LUA_LIBS) $(call pc,--libs,sdl2)
$(BUILD)/embed/renderer: EMBED_LIBS = $(LIBRARY) $(call pc,--libs,sdl2)
$(BUILD)/embed/server: EMBED_LIBS = $(SESSION) $(SCRIPT) $(CJSON_LIBS) $(ZIP_LIBS) $(LUA_LIBS)
$(BUILD)/embed/headless $(BUILD)/embed/own_state $(BUILD)/embed/server: $(SCRIPT)
$(BUILD)/embed/server: $(SESSION)
$(EXAMPLES): $(BUILD)/embed/%: $(BUILD)/obj/demo/embed/%.o $(LIBRARY)
	$(call say,link)mkdir -p $(@D)
	$(Q)$(link) -o $@ $< $(EMBED_LIBS) -lm

examples: $(EXAMPLES) ## build the example programs of demo/embed

# What lies under the prefix is said so, for a library that is moved; a space is one of a name.
SPACE := $(subst ,, )
pc_path = $(subst $(SPACE),\$(SPACE),$(subst |$(PREFIX)/,$${prefix}/,|$(1)))
PC_HEAD = 'prefix=$(subst $(SPACE),\$(SPACE),$(PREFIX))' 'libdir=$(subst |,,$(call pc_path,$(LIBDIR)))' \
  'includedir=$(subst |,,$(call pc_path,$(INCLUDEDIR)))' '' 'Version: $(VERSION)' 'Cflags: -I$${includedir}'
# "~" is expanded by some shells only, and a path from here on would be wrong everywhere else.
whole_prefix = $(if $(filter-out /%,$(firstword $(PREFIX))),$(error PREFIX must begin with /, and is '$(PREFIX)'))
$(PC): $(BUILD)/stamp/prefix
	$(whole_prefix)
	$(call say,gen)rm -f $@ && printf '%s\n' >$@ $(PC_HEAD) 'Name: spawnpool' \
	  'Description: object pools for games and servers' \
	  'Libs: -L$${libdir} -lspawnpool' 'Libs.private: -lm'
$(SCRIPT_PC): $(BUILD)/stamp/prefix
	$(call say,gen)rm -f $@ && printf '%s\n' >$@ $(PC_HEAD) 'Name: spawnpool-script' \
	  'Description: object pools, and games in Lua that use them' \
	  'Requires: spawnpool = $(VERSION) $(LUA_PC)' 'Libs: -L$${libdir} -lspawnpool_script' \
	  'Libs.private: $(SCRIPT_LIBS)'

$(SESSION_PC): $(BUILD)/stamp/prefix
	$(call say,gen)rm -f $@ && printf '%s\n' >$@ $(PC_HEAD) 'Name: spawnpool-session' \
	  'Description: games in Lua that can be recorded, repeated and gone back in' \
	  'Requires: $(LUA_PC) libcjson zlib' \
	  'Libs: $(foreach a,session script,$${libdir}/libspawnpool_$(a).a) $${libdir}/libspawnpool.a $(filter %minizip.a \
	    -lminizip,$(ZIP_LIBS)) $(SCRIPT_LIBS)'

# $(call bytes,FILE,NAME): a file as a C array, by od and sed alone. The final 0 keeps an empty file a valid array.
bytes = echo "static const unsigned char $(2)[] = {"; \
  od -An -v -tx1 $(1) | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; echo '0};'

# The Lua side of the library.
$(BUILD)/gen/lua_sources.c: $(LUA_SRC) $(BUILD)/stamp/sources Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "script/state/context.h"'; \
	  for f in $(LUA_SRC); do $(call bytes,$$f,lua_$$(basename $$f .lua)); done; \
	  echo 'const sp_library_source sp_library_sources[] = {'; \
	  for f in $(LUA_SRC); do n=$$(basename $$f .lua); \
	    echo "  {\"spawnpool.$$n\", lua_$$n, sizeof lua_$$n - 1},"; \
	  done; \
	  echo '  {0, 0, 0}};'; } >$@

# The file for LuaJIT has the declarations of the header in it, as the preprocessor leaves them, and its other part.
$(BUILD)/lua/spawnpool/%.lua: lua/spawnpool/%.lua $(JIT_PARTS) $(CORE_HEADERS) Makefile
	$(call say,gen)mkdir -p $(@D) && cat $(BUILD)/include/spawnpool.h $(BUILD)/include/spawnpool_tools.h | \
	  grep -v '^#include' | \
	  $(CC) -E -P -x c -DSP_API= - | sed '/^static inline/,/^}/d' >$@.cdef
	$(Q)sed -e 's/@VERSION@/$(VERSION)/' -e '/^@DECLARATIONS@$$/{r $@.cdef' -e 'd;}' \
	  -e '/^@CLASSES@$$/{r lua/spawnpool/ffi_class.lua' -e 'd;}' \
	  -e '/^@WALKS@$$/{r lua/spawnpool/ffi_walks.lua' -e 'd;}' $< >$@ && rm $@.cdef
	$(Q)ln -sf ../../libspawnpool.so $(@D)/libspawnpool.so

# What `spawnpool init` writes: "dot.x" is ".x" there, what luacheck is told is .luacheckrc, and the annotations lie out
# of the way.
$(BUILD)/gen/newgame.c: $(NEW_GAME) $(BUILD)/stamp/sources Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "demo/app/commands.h"'; \
	  n=0; for f in $(NEW_GAME); do n=$$((n + 1)); $(call bytes,$$f,file_$$n); done; \
	  echo 'const newgame_file newgame_files[] = {'; \
	  n=0; for f in $(NEW_GAME); do n=$$((n + 1)); \
	    name=$$(echo $$f | sed -e 's,demo/newgame/,,; s,^dot\.,.,' \
	      -e 's,^lua/spawnpool/luacheck.lua,.luacheckrc,; s,^lua/spawnpool/,.spawnpool/,'); \
	    echo "  {\"$$name\", file_$$n, sizeof file_$$n - 1},"; \
	  done; \
	  echo '  {0, 0, 0}};'; } >$@

# The player's overlays: a game that is part of the program.
$(BUILD)/gen/tools.c: $(TOOLS) $(BUILD)/stamp/sources Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "demo/app/overlays_lua.h"'; \
	  for f in $(TOOLS); do $(call bytes,$$f,lua_$$(basename $$f .lua)); done; \
	  echo 'const sp_script_file tools_files[] = {'; \
	  for f in $(TOOLS); do n=$$(basename $$f .lua); \
	    echo "  {\"$$n.lua\", (const char *)lua_$$n, sizeof lua_$$n - 1},"; \
	  done; \
	  echo '  {0, 0, 0}};'; } >$@

# The beginning of packed games, a program of its own; there is none for other systems.
$(BUILD)/front: demo/linux/front.c demo/linux/elf.h $(BUILD)/stamp/flags
	$(call say,link)$(if $(FRONT),$(CC) -std=c11 -Os -I. $(WARN) -o $@ $< -Wl$(comma)-s -ldl,: >$@)
$(BUILD)/gen/front.c: $(BUILD)/front Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "demo/app/pack.h"'; $(call bytes,$<,front); \
	  echo 'const sp_script_file pack_front = {"front", (const char *)front, sizeof front - 1};'; } >$@

$(BUILD)/gen/icon.c: demo/app/icon.png Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "demo/app/app.h"'; $(call bytes,$<,icon_png); \
	  echo 'const sp_script_file player_icon = {"icon.png", (const char *)icon_png, sizeof icon_png - 1};'; } >$@

$(BUILD)/gen/licenses.c: LICENSE demo/math/musl/COPYRIGHT Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "demo/app/app.h"'; $(call bytes,LICENSE,own); $(call bytes,demo/math/musl/COPYRIGHT,musl); \
	  echo 'const sp_script_file player_licenses[] = {{"spawnpool", (const char *)own, sizeof own - 1},'; \
	  echo '  {"musl", (const char *)musl, sizeof musl - 1}, {0, 0, 0}};'; } >$@

# The game that `spawnpool` without arguments plays.
$(BUILD)/gen/gallery.c: demo/tools/gallery/main.lua Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "demo/app/commands.h"'; \
	  $(call bytes,$<,main_lua); \
	  echo 'const sp_script_file gallery_files[] = {'; \
	  echo '  {"main.lua", (const char *)main_lua, sizeof main_lua - 1}, {0, 0, 0}};'; } >$@

# Every tests/*/check_NAME.c has a function sp_suite_NAME: adding the file adds the suite. That of the specs has three.
# Those of tests/slow and two of the specs are marked: `make check-slow` runs them.
$(BUILD)/gen/suites.c: $(BUILD)/stamp/sources Makefile
	$(call say,gen)mkdir -p $(@D)
	$(Q){ echo '#include "support/suites.h"'; \
	  for n in $(SUITE_NAMES); do echo "Suite *sp_suite_$$n(void);"; done; \
	  echo 'const sp_test_suite sp_suites[] = {'; \
	  for n in $(filter-out $(SLOW_NAMES),$(SUITE_NAMES)); do echo "  {\"$$n\", sp_suite_$$n, 0},"; done; \
	  for n in $(SLOW_NAMES); do echo "  {\"$$n\", sp_suite_$$n, 1},"; done; \
	  echo '  {0, 0, 0}};'; } >$@

# The runner links the layers with their hidden symbols, so that a test can reach the inside of one. Calls of malloc go
# through tests/support/refuse.c, those of text_draw through tests/demo/driver.c, where the linker can do that.
$(BUILD)/tests: $(TEST_OBJ) $(filter-out %/main.o,$(DEMO_OBJ)) $(SESSION) $(SCRIPT) $(BUILD)/stamp/sources
	$(call say,link)$(link) $(WRAP) -o $@ $(filter %.o,$^) $(SESSION) $(SCRIPT) $(CHECK_LIBS) $(SDL_LIBS) \
	  $(CJSON_LIBS) $(ZIP_LIBS) $(SECCOMP_LIBS) $(LUA_LIBS) -lm

-include $(patsubst %.o,%.d,$(CORE_OBJ) $(SCRIPT_OBJ) $(SESSION_OBJ) $(DEMO_OBJ) $(EMBED_OBJ) $(TEST_OBJ))

# }==

# {== Play ====================================================================

# $(call find_deps,GOAL): also for further goals of the command line.
GOALS_WITH_DEPS := demo test check-slow bench web web-test windows windows-test
find_deps = DEPS=$(DEPS) BUILD=$(BUILD) CC="$(CC)" sh tests/support/deps.sh $(1) \
  $(filter-out $(1),$(filter $(GOALS_WITH_DEPS),$(MAKECMDGOALS:check=test)))

deps: ## install missing packages, or print their names; DEPS=no: only print
	$(Q)$(call find_deps,test)

sounds: ## make the sounds of the games anew
	$(Q)lua5.4 demo/audio/game_sounds.lua

thumbnails: $(PLAYER) ## make the pictures of the games for the gallery anew (needs ImageMagick)
	$(Q)lua5.4 demo/capture/thumbnails.lua $(PLAYER)

# Sums of the last record of --stats, in words.
demo_told = tr '{,' '\n\n' | awk -F: '{ gsub(/"/, "", $$1); sum[$$1] += $$2; n[$$1]++ } END { \
  printf "No display here: %d frames of $(GAME) were played unseen, %d a second.\n", sum["frame"], sum["fps"]; \
  printf "%d pools: %d objects were allocated, %d recycled, %d refused; %d live, in %d slots.\n", n["type"], \
    sum["allocs"], sum["recycles"], sum["refused"], sum["live"], sum["total"]; \
  print "The last frame is in $(BUILD)/demo.png, all figures of the run are in $(BUILD)/demo.json." }'

demo: ## play the shooter; without a display, run it headless and save a picture
	$(Q)$(call find_deps,demo)
	+$(Q)$(submake) $(PLAYER)
	$(Q)if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then $(PLAYER) $(GAME); else \
	  $(PLAYER) --headless --frames 600 --seed $(SEED) --stats $(BUILD)/demo.json --screenshot $(BUILD)/demo.png \
	    $(GAME) && tail -n 1 $(BUILD)/demo.json | $(demo_told); fi

run: $(PLAYER) ## play one game: make run GAME=scripts/cubes
	$(Q)$(PLAYER) $(GAME)

# }==

# {== Test ====================================================================

check test: ## build, run all fast tests, check the Lua files
	$(Q)$(call find_deps,test)
	+$(Q)$(submake) tests-run

check-slow: ## build, run what installs, packages, compiles programs, opens windows, or takes long
	$(Q)$(call find_deps,check-slow)
	+$(Q)$(submake) tests-build
	$(Q)SP_REFUSE=3000 SP_PROJECTS=8 $(BUILD)/tests --slow specs_refused projects

objects: $(CORE_OBJ) $(SCRIPT_OBJ) $(SESSION_OBJ) $(DEMO_OBJ) $(EMBED_OBJ) $(TEST_OBJ)
tests-build: all $(MODULE_ALONE) $(BUILD)/tests
tests-run: tests-fast luacheck
tests-fast: tests-build
	$(Q)$(BUILD)/tests

golden: tests-build ## write the reference pictures of the tests and the pages again; check them by eye
	$(Q)mkdir -p tests/demo/golden && export SP_GOLDEN=renew && CK_RUN_CASE=games $(BUILD)/tests player && \
	  $(BUILD)/tests docs && CK_RUN_CASE=docs_programs $(BUILD)/tests slow && \
	  for game in scripts/*/; do $(BUILD)/spawnpool --check --accept $$game >/dev/null || exit 1; done

film: all ## record the moving picture of README.md again; needs Xvfb and ffmpeg
	$(Q)tests/support/edit_film.sh $(PLAYER) docs/edit.webp

# Instrumented builds live beside the normal one and run the same suites.
SANITIZE := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
asan: ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	+$(Q)$(submake) BUILD=$(BUILD)/asan WERROR= CFLAGS="-O1 $(SANITIZE)" LDFLAGS="$(SANITIZE)" tests-build
	$(Q)SP_TEST_TOOL=asan CK_TIMEOUT_MULTIPLIER=10 $(BUILD)/asan/tests --all

# Only what the specs need: the core, the script host, and the tests of both. The specs look for leaks themselves.
hardened:
	+$(Q)$(submake) BUILD=$(BUILD) DEMO_SRC= TEST_DIRS="tests/script tests/support" \
	  SLOW_NAMES="$(filter specs_%,$(SLOW_NAMES))" WERROR= \
	  CFLAGS="-O1 $(SANITIZE)" LDFLAGS="$(SANITIZE)" $(BUILD)/tests
	$(Q)ASAN_OPTIONS=detect_leaks=0 SP_TEST_TOOL=asan CK_TIMEOUT_MULTIPLIER=10 $(BUILD)/tests specs

# Managers and Lua states on threads share nothing. Lua itself is not instrumented, what it calls is. The tool wants the
# address space that it knows.
THREADED := script_threads
tsan: ## run the tests that use threads under ThreadSanitizer
	+$(Q)$(submake) BUILD=$(BUILD)/tsan WERROR= CFLAGS="-O1 -fsanitize=thread -fno-omit-frame-pointer" \
	  LDFLAGS=-fsanitize=thread $(BUILD)/tsan/tests
	$(Q)SP_TEST_TOOL=tsan CK_TIMEOUT_MULTIPLIER=10 TSAN_OPTIONS=halt_on_error=1 setarch -R $(BUILD)/tsan/tests $(THREADED)

valgrind: tests-build ## run the tests under valgrind
	$(Q)SP_TEST_TOOL=valgrind CK_FORK=no $(VALGRIND) -q --error-exitcode=1 --leak-check=full \
	  --suppressions=tests/support/valgrind.supp $(BUILD)/tests --all

coverage: ## measure line and branch coverage, and compare it with the aims
	+$(Q)$(submake) BUILD=$(BUILD)/coverage WERROR= CFLAGS="-O0 --coverage -fprofile-update=atomic" \
	  CPPFLAGS='-DSP_WALL_WRITABLE=\"$(abspath $(BUILD)/coverage)\"' LDFLAGS=--coverage tests-build
	$(Q)find $(BUILD)/coverage -name '*.gcda' -exec rm -f {} +
	$(Q)SP_TEST_TOOL=coverage CK_TIMEOUT_MULTIPLIER=20 $(BUILD)/coverage/tests --all
	$(Q)lua5.4 tests/coverage/report.lua $(BUILD)/coverage $(GCOV) $(if $(filter 1,$(V)),-v)

# }==

# {== Look after ==============================================================

C_FILES := $(wildcard $(addsuffix /*.[ch],src/core src/script/* src/session demo/* \
  $(addprefix tests/,core model script session demo demo/breakout docs slow fuzz package support web windows)) \
  $(addprefix tests/bench/,*.cpp */*.c))
LINTED  := $(filter-out tests/bench/idpool.h,$(wildcard Makefile $(foreach d,\
  src/* src/script/* lua/* scripts scripts/* scripts/*/* demo/* tests/* tests/*/*,\
  $(addprefix $(d)/*.,c h cpp hpp lua sh mk))))

lint: luacheck ## run luacheck, compile with warnings as errors, check the length of files and lines, and formatting
	+$(Q)$(submake) BUILD=$(BUILD)/lint WERROR=-Werror objects
	$(Q)lua5.4 tests/coverage/report.lua reasons
	$(Q)LC_ALL=C awk 'FNR == 1 { page = FILENAME ~ /md$$/; code = 0 } /^ *```/ { code = !code } \
	  FNR == 801 && !page { print FILENAME ": too many lines"; bad = 1 } \
	  { gsub(/[\200-\277]/, "") } \
	  length > 120 && !(page && (code || /^[|!<]|^Previous/)) { print FILENAME ":" FNR ": more than 120 columns"; \
	  bad = 1 } END { exit bad }' $(LINTED) .ci/run $(filter-out %-tables.md,$(wildcard *.md docs/*.md))
	$(Q)for f in $(filter %.sh,$(LINTED)) .ci/run; do sh -n $$f || exit 1; done
	$(Q)if command -v $(CLANG_FORMAT) >/dev/null; then $(CLANG_FORMAT) --dry-run --Werror $(C_FILES); \
	  else echo '$(CLANG_FORMAT): not installed, skipped'; fi

luacheck:
	$(Q)if command -v luacheck >/dev/null; then mkdir -p $(BUILD) && \
	  luacheck -q --no-color $(wildcard lua scripts demo/audio demo/capture demo/newgame demo/embed demo/tools \
	    $(addprefix tests/,lua model script demo docs slow bench fuzz coverage package support/specs.lua)) \
	    >$(BUILD)/luacheck.txt || \
	  { cat $(BUILD)/luacheck.txt; exit 1; }; else echo 'luacheck: not installed, skipped'; fi

format: ## format the C files
	$(Q)$(CLANG_FORMAT) -i $(C_FILES)

clean: ## remove the build folder
	$(Q)rm -rf $(BUILD)

help: ## print this list
	@awk -F':.*## ' '/^[a-z -]+:.*## / { split($$1, t, " "); printf "  make %-13s %s\n", t[length(t)], $$2 }' \
	  $(MAKEFILE_LIST)
	@echo '  V=1 shows commands. CC, CFLAGS, BUILD, PREFIX, DESTDIR are yours to set.'

# }==

# {== Install =================================================================

# Recordings of games are for those who change the games.
SHARED_FILES = $(shell find scripts docs demo/embed README.md LICENSE -type f ! -name '*.1' \
  ! -path '*/recordings/*' 2>/dev/null | LC_ALL=C sort)
# $(call so_files,NAME)
so_files = $(addprefix $(1),.so .so.$(SO_VERSION) .so.$(VERSION))
LIBRARIES := $(notdir $(SCRIPT) $(SESSION)) $(call so_files,libspawnpool) $(call so_files,libspawnpool_script)

# Folders may have spaces in their names, so they never stand in a list. $(call each_installed,COMMAND) runs it for each
# folder, with the files that lie in it as $$@; `cd` has been there.
each_installed = $(call in_folder,$(BINDIR),spawnpool,$(1)) $(call in_folder,$(INCLUDEDIR),$(notdir $(HEADERS)),$(1)) \
  $(call in_folder,$(LIBDIR),$(LIBRARIES),$(1)) \
  $(call in_folder,$(PKGCONFIGDIR),$(notdir $(PC) $(SCRIPT_PC) $(SESSION_PC)),$(1)) \
  $(call in_folder,$(MANDIR)/man1,spawnpool.1,$(1)) \
  $(call in_folder,$(BASHDIR),spawnpool,$(1)) $(call in_folder,$(ZSHDIR),_spawnpool,$(1)) \
  $(call in_folder,$(LUA_CDIR),spawnpool.so,$(1)) $(call in_folder,$(LUA_DIR),$(LUA_FILES:lua/%=%),$(1)) \
  $(call in_folder,$(LUAJIT_DIR),$(JIT_FILES:lua/%=%),$(1)) \
  $(call in_folder,$(GAMEDIR),$(SHARED_FILES),$(1))
in_folder = (cd "$(DESTDIR)$(1)" 2>/dev/null || exit 0; set -- $(2); $(3));

# A program that was linked with the library finds it, if the system looks there at all.
install: all ## install under PREFIX, staged in DESTDIR
	+$(Q)$(MAKE) --no-print-directory install-files
	$(Q)if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig 2>/dev/null || true; fi

install_shared = $(INSTALL_DATA) $(1).$(VERSION) "$(DESTDIR)$(LIBDIR)" && cd "$(DESTDIR)$(LIBDIR)" && \
  ln -sf $(notdir $(1)).$(VERSION) $(notdir $(1)).$(SO_VERSION) && ln -sf $(notdir $(1)).$(SO_VERSION) $(notdir $(1))

# These copy what is built, and build nothing: of `make core`, of `make script`, of `make module`, and all.
install-core: $(PC) install-luajit
	$(Q)$(INSTALL) -d $(foreach d,INCLUDEDIR LIBDIR PKGCONFIGDIR,"$(DESTDIR)$($(d))")
	$(Q)$(INSTALL_DATA) $(CORE_HEADERS) $(BUILD)/include/spawnpool.hpp "$(DESTDIR)$(INCLUDEDIR)"
	$(Q)$(INSTALL_DATA) $(LIBRARY) "$(DESTDIR)$(LIBDIR)"
	$(Q)$(call install_shared,$(SHARED))
	$(Q)$(INSTALL_DATA) $(PC) "$(DESTDIR)$(PKGCONFIGDIR)"

install-luajit:
	$(Q)$(INSTALL) -d "$(DESTDIR)$(LUAJIT_DIR)/spawnpool"
	$(Q)$(INSTALL_DATA) $(JIT_LUA) "$(DESTDIR)$(LUAJIT_DIR)/spawnpool"
	$(Q)if [ -n "$(LUAJIT_LIBRARY)" ]; then \
	  $(INSTALL_DATA) $(SHARED).$(VERSION) "$(DESTDIR)$(LUAJIT_LIBRARY)/libspawnpool.so"; fi

# $(call install_module,FILE)
define install_module
	$(Q)$(INSTALL) -d "$(DESTDIR)$(LUA_CDIR)" "$(DESTDIR)$(LUA_DIR)/spawnpool"
	$(Q)$(INSTALL_PROGRAM) $(1) "$(DESTDIR)$(LUA_CDIR)"
	$(Q)$(INSTALL_DATA) $(LUA_FILES) "$(DESTDIR)$(LUA_DIR)/spawnpool"
endef

install-module:
	$(call install_module,$(MODULE_ALONE))

install-script: $(SCRIPT_PC) install-core
	$(call install_module,$(MODULE))
	$(Q)$(INSTALL_DATA) $(BUILD)/include/spawnpool_script.h "$(DESTDIR)$(INCLUDEDIR)"
	$(Q)$(INSTALL_DATA) $(SCRIPT_LIBRARY) "$(DESTDIR)$(LIBDIR)"
	$(Q)$(call install_shared,$(SCRIPT_SHARED))
	$(Q)$(INSTALL_DATA) $(SCRIPT_PC) "$(DESTDIR)$(PKGCONFIGDIR)"

install-session: $(SESSION_PC) install-script
	$(Q)$(INSTALL_DATA) $(BUILD)/include/spawnpool_session.h "$(DESTDIR)$(INCLUDEDIR)"
	$(Q)$(INSTALL_DATA) $(SESSION) "$(DESTDIR)$(LIBDIR)"
	$(Q)$(INSTALL_DATA) $(SESSION_PC) "$(DESTDIR)$(PKGCONFIGDIR)"

install-files: install-session
	$(Q)$(INSTALL) -d $(foreach d,BINDIR BASHDIR ZSHDIR,"$(DESTDIR)$($(d))") "$(DESTDIR)$(MANDIR)/man1" \
	  $(foreach d,$(sort $(dir $(SHARED_FILES))),"$(DESTDIR)$(GAMEDIR)/$(d)")
	$(Q)$(INSTALL_PROGRAM) $(PLAYER) "$(DESTDIR)$(BINDIR)"
	$(Q)$(INSTALL_DATA) docs/spawnpool.1 "$(DESTDIR)$(MANDIR)/man1"
	$(Q)$(INSTALL_DATA) demo/completion/spawnpool.bash "$(DESTDIR)$(BASHDIR)/spawnpool"
	$(Q)$(INSTALL_DATA) demo/completion/_spawnpool "$(DESTDIR)$(ZSHDIR)"
	$(Q)for f in $(SHARED_FILES); do $(INSTALL_DATA) $$f "$(DESTDIR)$(GAMEDIR)/$$f" || exit 1; done
	$(Q)sh demo/linux/stage.sh $(BUILD) $(VERSION) "" "$(DESTDIR)$(GAMEDIR)/players"

uninstall: ## remove installed files, and own folders that are empty
	$(Q)$(call each_installed,rm -f "$$@")
	$(Q)rm -rf "$(DESTDIR)$(GAMEDIR)/players"
	$(Q)for d in "$(DESTDIR)$(GAMEDIR)" "$(DESTDIR)$(LUA_DIR)/spawnpool" "$(DESTDIR)$(LUAJIT_DIR)/spawnpool"; do \
	  if [ -d "$$d" ]; then find "$$d" -depth -type d -exec rmdir {} + 2>/dev/null || true; fi; done

# }==

# Targets that live with their sources.
-include $(wildcard demo/*/*.mk tests/*/*.mk)

.PHONY: all core examples check test install install-files install-core install-script install-session install-module \
  install-luajit module luajit script session uninstall clean demo thumbnails run asan tsan valgrind golden film \
  lint luacheck \
  format coverage hardened help deps objects tests-build tests-run tests-fast check-slow FORCE
