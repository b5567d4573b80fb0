# The page around the player: demo/web/page, bundled into build/web by pinned npm packages. `make web-page` alone needs
# no Emscripten.

WEB      ?= $(BUILD)/web
WEB_PORT ?= 8080

WEB_PAGE_DIR     := demo/web/page
WEB_PAGE_FILES   := $(wildcard $(addprefix $(WEB_PAGE_DIR)/,*.html *.css *.svg *.js src/*.js))
WEB_PAGE_MODULES := $(WEB_PAGE_DIR)/node_modules/.package-lock.json

web: web-page
web-page: ## build the page around the player, in build/web
	$(Q)DEPS=$(DEPS) BUILD=$(BUILD) CC="$(CC)" sh tests/support/deps.sh web
	+$(Q)$(submake) $(WEB)/page.js
web-serve: web ## build the page, and serve it on this machine: http://localhost:8080
	$(Q)node $(WEB_PAGE_DIR)/serve.js $(WEB) $(WEB_PORT)

# Exactly the versions of the lock file, without scripts of packages.
$(WEB_PAGE_MODULES): $(addprefix $(WEB_PAGE_DIR)/,package.json package-lock.json)
	$(call say,npm)npm ci --prefix $(WEB_PAGE_DIR) --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
	$(Q)touch $@

$(WEB)/page.js: $(WEB_PAGE_MODULES) $(WEB_PAGE_FILES) $(wildcard lua/spawnpool/*.lua) \
  $(shell find scripts -type f 2>/dev/null) demo/web/player.mjs demo/web/page.mk
	$(call say,page)mkdir -p $(@D) && rm -rf $(@D)/part-*.js $(@D)/games
	$(Q)node $(WEB_PAGE_DIR)/build.js $(@D)

.PHONY: web-page web-serve
