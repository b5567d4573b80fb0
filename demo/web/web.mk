# The player as a page: `make web`. Everything is compiled from Debian's sources by its Emscripten, 32 bits wide.

WEB         ?= $(BUILD)/web
WEB_PORT    ?= 8080
WEB_BUILD   := $(BUILD)/wasm
WEB_SOURCES := $(BUILD)/debian
WEB_NEEDS   := 'lua5.4>=5.4.2<5.5' 'libsdl2>=2.0.18<3' 'libsdl2-image>=2.0.5<3' 'libsdl2-ttf>=2.0.18<3' \
  'libsdl2-mixer>=2.6<3' 'freetype>=2.10<3' 'cjson>=1.7<2'

# The Makefile runs once more, for the other machine: TARGET=web. The layers are compiled as they are; of the player,
# the files in demo/web replace those of the same name. Node looks for what Emscripten needs where Debian puts it,
# whichever node it is.
WEB_INSTEAD    := $(patsubst demo/web/%,\%/%,$(wildcard demo/web/*.c)) %/main.c %/pe_resources.c
WEB_PLAYER_SRC := $(filter-out $(WEB_INSTEAD),$(DEMO_SRC)) $(wildcard demo/web/*.c)
WEB_SMALL      := -Oz
web_headers = $(foreach d,libsdl2-image libsdl2-ttf libsdl2-mixer/include,-isystem $(WEB_SOURCES)/$(d)) \
  -isystem $(WEB_BUILD)/sdl2_include
web_make = NODE_PATH=$${NODE_PATH:+$$NODE_PATH:}/usr/share/nodejs $(submake) TARGET=web BUILD=$(WEB_BUILD) WEB=$(WEB) \
  WEB_SOURCES=$(WEB_SOURCES) DEMO_SRC="$(WEB_PLAYER_SRC)" CC=emcc AR=emar WERROR= \
  CFLAGS="-msimd128 -Wno-unused-command-line-argument -Wno-ignored-optimization-argument" LDFLAGS= \
  LUA_CFLAGS="-isystem $(WEB_BUILD)/lua" CJSON_CFLAGS="-isystem $(WEB_BUILD)/cjson" SDL_CFLAGS="$(web_headers)" \
  ZIP_CFLAGS= SECCOMP= TEST_SRC="$(WEB_TEST_SRC)" SLOW_NAMES= WRAP= \
  CHECK_CFLAGS="-isystem $(WEB_BUILD)/check -isystem $(WEB_SOURCES)/check/src"

web: ## build the player as a page, in build/web
	$(Q)$(call find_deps,web)
	$(Q)sh demo/support/debian_sources.sh $(WEB_SOURCES) $(WEB_NEEDS)
	+$(Q)$(web_make) web-files
	$(Q)node $(WEB_PAGE)/worker.mjs $(WEB)

# The page around the player is bundled by pinned npm packages; it needs no Emscripten.
WEB_PAGE         := demo/web/page
WEB_PAGE_MODULES := $(WEB_PAGE)/node_modules/.package-lock.json

web: web-page
web-page: ## build the page around the player, in build/web
	$(Q)$(call find_deps,web)
	+$(Q)$(submake) $(WEB)/page.js
web-serve: web ## build the page, and serve it on this machine: http://localhost:8080
	$(Q)node $(WEB_PAGE)/serve.mjs $(WEB) $(WEB_PORT)

# Exactly the versions of the lock file, without scripts of packages.
$(WEB_PAGE_MODULES): $(addprefix $(WEB_PAGE)/,package.json package-lock.json)
	$(call say,npm)npm ci --prefix $(WEB_PAGE) --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
	$(Q)touch $@

$(WEB)/page.js: $(WEB_PAGE_MODULES) $(wildcard $(addprefix $(WEB_PAGE)/,*.html *.css *.svg *.js src/*) \
  lua/spawnpool/*.lua) demo/web/web.mk \
  $(shell find docs scripts demo/newgame $(WEB_PAGE)/first -type f 2>/dev/null)
	$(call say,page)mkdir -p $(@D) && rm -rf $(@D)/part-*.js $(@D)/games $(@D)/docs
	$(Q)node $(WEB_PAGE)/build.js $(@D)

.PHONY: web web-page web-serve web-files

ifeq ($(TARGET),web)

# {== Libraries: their files are found in their folders ========================

web_found = $(foreach p,$(2),$(patsubst $(WEB_SOURCES)/$(1)/%,%,$(or $(wildcard $(WEB_SOURCES)/$(1)/$(p)),\
  $(error no file $(WEB_SOURCES)/$(1)/$(p): these are other sources than the recipe is for))))

# $(call web_library,NAME,FOLDER,FILES,FLAGS): build/wasm/libNAME.a, of these files of a folder of the sources.
define web_library
$(call stamp,$(BUILD)/stamp/$(1),$$(CC) $(4))
$(call stamp,$(BUILD)/stamp/$(1)_files,$(3))
$(BUILD)/$(1)/%.o: $(2)/%.c $(BUILD)/stamp/$(1)
	$$(call say,cc)mkdir -p $$(@D)
	$$(Q)$$(CC) $(4) -w -c -o $$(@:.o=.part) $$< && mv $$(@:.o=.part) $$@
$(BUILD)/lib$(1).a: $(patsubst %.c,$(BUILD)/$(1)/%.o,$(3)) $(BUILD)/stamp/$(1)_files
	$$(call say,ar)$$(call archive,$$(filter %.o,$$^))
endef

WEB_LUA := $(filter-out lua.c luac.c,$(call web_found,lua5.4/src,*.c))
WEB_SDL := $(call web_found,libsdl2/src,*.c $(addsuffix /*.c,\
  atomic audio audio/dummy audio/emscripten cpuinfo dynapi events file filesystem/emscripten haptic \
  haptic/dummy hidapi joystick joystick/emscripten libm loadso/dummy locale locale/emscripten misc misc/emscripten \
  power power/emscripten render render/opengles2 render/software sensor sensor/dummy stdlib thread thread/generic \
  timer timer/unix video video/dummy video/emscripten))
WEB_MIXER := $(call web_found,libsdl2-mixer/src,*.c codecs/load_*.c codecs/mp3utils.c codecs/music_wav.c \
  codecs/music_ogg*.c)
WEB_FREETYPE := $(addprefix base/,ftbase.c ftbitmap.c ftdebug.c ftglyph.c ftinit.c ftmm.c ftstroke.c ftsynth.c \
  ftsystem.c) autofit/autofit.c sfnt/sfnt.c smooth/smooth.c truetype/truetype.c

# Lua is copied, with our patch: the text at the head of that says why. Debian's luaconf.h includes a generated header.
$(BUILD)/lua/.patched: demo/web/lua_lightbits.patch $(wildcard $(WEB_SOURCES)/lua5.4/src/*)
	$(call say,patch)rm -rf $(@D) && mkdir -p $(@D) && cp $(WEB_SOURCES)/lua5.4/src/*.[ch] $(@D)
	$(Q)patch -s -d $(@D) -p1 <$<
	$(Q)echo '#define DEB_HOST_MULTIARCH "wasm32-emscripten"' >$(@D)/lua5.4-deb-multiarch.h
	$(Q)touch $@
$(addprefix $(BUILD)/lua/,$(WEB_LUA)): $(BUILD)/lua/.patched ;

# A page should be small. Of FreeType: TrueType with light hinting is all that is read, no other format, no compressed
# font, no bytecode of fonts, no script but those that WEB_LETTERS has.
WEB_FT_WITHOUT := FT_CONFIG_OPTION_(USE_ZLIB|USE_LZW|USE_PNG|MAC_FONTS|INCREMENTAL|POSTSCRIPT_NAMES)|$\
  TT_CONFIG_OPTION_(BYTECODE_INTERPRETER|GX_VAR_SUPPORT|BDF)|AF_CONFIG_OPTION_CJK
$(eval $(call stamp,$(BUILD)/stamp/freetype_config,$(WEB_FT_WITHOUT)))
$(BUILD)/freetype/freetype/config/ftmodule.h: $(BUILD)/stamp/freetype_config
	$(call say,gen)mkdir -p $(@D)
	$(Q)printf 'FT_USE_MODULE( FT_%s )\n' 'Module_Class, autofit_module_class' 'Driver_ClassRec, tt_driver_class' \
	  'Module_Class, sfnt_module_class' 'Renderer_Class, ft_smooth_renderer_class' >$@
$(BUILD)/freetype/freetype/config/%.h: $(WEB_SOURCES)/freetype/include/freetype/config/%.h \
  $(BUILD)/stamp/freetype_config
	$(call say,gen)mkdir -p $(@D)
	$(Q)sed -E 's,^#define +($(WEB_FT_WITHOUT))\>,// &,' $< >$@
WEB_FT_HEADERS := $(addprefix $(BUILD)/freetype/freetype/config/,ftmodule.h ftoption.h)
$(addprefix $(BUILD)/freetype/,$(WEB_FREETYPE:.c=.o)) $(BUILD)/ttf/SDL_ttf.o: $(WEB_FT_HEADERS)
WEB_FT_INCLUDE := -I$(BUILD)/freetype -I$(WEB_SOURCES)/freetype/include

# Of SDL: no iconv, whose tables of Asian encodings are a fifth of the page; no formats of pictures and no drivers that
# the player never asks for. Its headers are copied, because they name each other.
WEB_SDL_WITHOUT := HAVE_ICONV|SDL_AUDIO_DRIVER_DISK|SDL_LOADSO_DLOPEN|SDL_POWER_EMSCRIPTEN
$(eval $(call stamp,$(BUILD)/stamp/sdl2_config,$(WEB_SDL_WITHOUT)))
$(BUILD)/sdl2_include/.edited: $(WEB_SOURCES)/libsdl2/include/SDL_config_emscripten.h $(BUILD)/stamp/sdl2_config
	$(call say,gen)rm -rf $(@D) && mkdir -p $(@D) && cp $(<D)/*.h $(@D)
	$(Q)sed -E '/ ($(WEB_SDL_WITHOUT)) /d' $< >$(@D)/$(<F)
	$(Q)echo '#define SDL_LOADSO_DUMMY 1' >>$(@D)/$(<F)
	$(Q)touch $@
$(addprefix $(BUILD)/sdl2/,$(WEB_SDL:.c=.o)) $(CORE_OBJ) $(SCRIPT_OBJ) $(DEMO_OBJ): $(BUILD)/sdl2_include/.edited
WEB_SDL_INCLUDE := -I$(BUILD)/sdl2_include
WEB_SDL_LESS := $(addprefix -DSDL_HAVE_,BLIT_A=0 BLIT_N_RGB565=0 BLIT_AUTO=0 RLE=0 YUV=0)

$(BUILD)/cjson/cjson/cJSON.h: $(WEB_SOURCES)/cjson/cJSON.h
	$(call say,gen)mkdir -p $(@D) && cp $< $@

$(eval $(call web_library,player_lua,$(BUILD)/lua,$(WEB_LUA),-O2 -std=c11 -DLUA_COMPAT_5_3))
$(eval $(call web_library,sdl2,$(WEB_SOURCES)/libsdl2/src,$(WEB_SDL),$(WEB_SMALL) $(WEB_SDL_INCLUDE) $(WEB_SDL_LESS)))
$(eval $(call web_library,sdl2_image,$(WEB_SOURCES)/libsdl2-image,$(call web_found,libsdl2-image,IMG*.c),\
  $(WEB_SMALL) -DUSE_STBIMAGE -DLOAD_PNG -DSAVE_PNG=1 $(WEB_SDL_INCLUDE)))
$(eval $(call web_library,sdl2_mixer,$(WEB_SOURCES)/libsdl2-mixer/src,$(WEB_MIXER),$(WEB_SMALL) -DMUSIC_WAV \
  -DMUSIC_OGG -DOGG_USE_STB $(WEB_SDL_INCLUDE) $(addprefix -I$(WEB_SOURCES)/libsdl2-mixer/,include src src/codecs)))
$(eval $(call web_library,freetype,$(WEB_SOURCES)/freetype/src,$(WEB_FREETYPE),\
  $(WEB_SMALL) -DFT2_BUILD_LIBRARY $(WEB_FT_INCLUDE)))
$(eval $(call web_library,ttf,$(WEB_SOURCES)/libsdl2-ttf,SDL_ttf.c,$(WEB_SMALL) -DTTF_USE_HARFBUZZ=0 \
  $(WEB_SDL_INCLUDE) $(WEB_FT_INCLUDE)))
$(eval $(call web_library,cjson,$(WEB_SOURCES)/cjson,cJSON.c,$(WEB_SMALL)))

# One file of SDL has a patch of ours, too.
WEB_SDL_AUDIO := $(WEB_SOURCES)/libsdl2/src/audio/emscripten
$(BUILD)/sdl2/audio/emscripten/SDL_emscriptenaudio.o: demo/web/sdl_audio.patch
	$(call say,cc)mkdir -p $(@D)
	$(Q)patch -s -o $(@:.o=.c) $(WEB_SDL_AUDIO)/SDL_emscriptenaudio.c $<
	$(Q)$(CC) $(WEB_SMALL) $(WEB_SDL_INCLUDE) -I$(WEB_SDL_AUDIO) -w -c -o $(@:.o=.part) $(@:.o=.c)
	$(Q)mv $(@:.o=.part) $@

# What runs for each object and each sprite is compiled for speed, the rest of the player for size.
$(CORE_OBJ) $(SCRIPT_OBJ) $(TEST_OBJ): LAYER += -O2
$(filter-out $(BUILD)/obj/demo/draw/%,$(DEMO_OBJ)): LAYER += $(WEB_SMALL)

# What is compiled by the Makefile includes some of these.
$(CORE_OBJ) $(SCRIPT_OBJ) $(DEMO_OBJ): | $(BUILD)/lua/.patched $(BUILD)/cjson/cjson/cJSON.h

# }==

# {== The page ================================================================

# The letters that games and overlays show: Latin, Greek, Cyrillic, and signs.
WEB_LETTERS := U+0020-007E,U+00A0-017F,U+0192,U+02C6-02DD,U+0370-03FF,U+0400-045F,U+2010-2027,U+2030-203A,U+20AC,$\
  U+2122,U+2190-2199,U+2200-2265,U+2500-25FF,U+2600-2606,U+2610-2612,U+2660-2667,U+2713-2718,U+FFFD
WEB_FONT_FOLDER := /usr/share/fonts/truetype/dejavu
WEB_FONTS := $(addprefix $(WEB)/fonts/,DejaVuSans.ttf DejaVuSansMono.ttf)

# Files of their own: they load beside the WebAssembly.
$(eval $(call stamp,$(BUILD)/stamp/fonts,$$(WEB_LETTERS)))
$(WEB_FONTS): $(WEB)/fonts/%: $(WEB_FONT_FOLDER)/% $(BUILD)/stamp/fonts
	$(call say,font)mkdir -p $(@D)
	$(Q)hb-subset --no-hinting --unicodes=$(WEB_LETTERS) --output-file=$@ $<

# A script may recurse deeply. It was 5 MB by default, and is 64 KiB since Emscripten 3.1.27.
WEB_STACK := -sTOTAL_STACK=5MB
WEB_LINK := -O2 $(WEB_STACK) -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=32MB -sENVIRONMENT=web,worker \
  -sDYNAMIC_EXECUTION=0 -sNO_EXIT_RUNTIME=1 -sFORCE_FILESYSTEM -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=spawnpool \
  -sINVOKE_RUN=0 -sEXPORTED_RUNTIME_METHODS=FS,ccall,UTF8ToString \
  -sDEFAULT_LIBRARY_FUNCS_TO_INCLUDE='$$dynCall','$$autoResumeAudioContext'

WEB_LIBS := $(addprefix $(BUILD)/lib,player_lua.a sdl2.a sdl2_image.a sdl2_mixer.a freetype.a ttf.a cjson.a)

$(WEB)/spawnpool.js: $(DEMO_OBJ) $(SCRIPT) $(WEB_LIBS) $(BUILD)/stamp/sources demo/web/web.mk
	$(call say,link)mkdir -p $(@D)
	$(Q)$(link) $(WEB_LINK) -o $@ $(DEMO_OBJ) $(SCRIPT) $(WEB_LIBS)

# What `spawnpool pack` needs of them lies beside its page.
WEB_PACKED := $(addprefix $(WEB)/packed/,spawnpool.js spawnpool.wasm fonts/DejaVuSans.ttf fonts/DejaVuSansMono.ttf)
$(WEB)/packed/%: $(WEB)/%
	$(call say,cp)mkdir -p $(@D) && cp $< $@
$(WEB)/spawnpool.wasm: $(WEB)/spawnpool.js ;

# What the player contains, and how it may be passed on.
WEB_LICENSES := $(WEB)/packed/licenses.txt
$(WEB_LICENSES): LICENSE demo/math/musl/COPYRIGHT $(WEB)/spawnpool.js demo/web/web.mk
	$(call say,gen)mkdir -p $(@D)
	$(Q)for f in LICENSE demo/math/musl/COPYRIGHT $(addprefix $(WEB_SOURCES)/,$(addsuffix /debian/copyright,lua5.4 \
	  libsdl2 libsdl2-image libsdl2-ttf libsdl2-mixer freetype cjson)) /usr/share/doc/fonts-dejavu-core/copyright; do \
	  printf '== %s ==\n\n' $$(echo $$f | sed 's,$(WEB_SOURCES)/,,; s,/debian/copyright,,'); \
	  cat $$f || exit 1; echo; done >$@
	$(Q)cp $@ $(WEB)

web-files: $(WEB)/spawnpool.js $(WEB_FONTS) $(WEB_PACKED) $(WEB_LICENSES)

# }==

endif
