# The page around the player: demo/web/page, bundled into build/web by pinned npm packages. `make web-page` alone needs
# no Emscripten.

WEB      ?= $(BUILD)/web
WEB_PORT ?= 8080

WEB_PAGE_DIR     := demo/web/page
WEB_PAGE_FILES   := $(wildcard $(addprefix $(WEB_PAGE_DIR)/,*.html *.css *.svg *.js src/*.js))
WEB_PAGE_MODULES := $(WEB_PAGE_DIR)/node_modules/.package-lock.json

web-page: $(WEB)/page.js ## build the page around the player, in build/web
web-serve: ## serve build/web on this machine: http://localhost:8080
	$(Q)node $(WEB_PAGE_DIR)/serve.js $(WEB) $(WEB_PORT)

# Exactly the versions of the lock file, without scripts of packages.
$(WEB_PAGE_MODULES): $(addprefix $(WEB_PAGE_DIR)/,package.json package-lock.json)
	$(call say,npm)command -v npm >/dev/null || { echo 'npm: not found. Run apt-get install npm' >&2; exit 1; }
	$(Q)npm ci --prefix $(WEB_PAGE_DIR) --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
	$(Q)touch $@

$(WEB)/page.js: $(WEB_PAGE_MODULES) $(WEB_PAGE_FILES) $(wildcard lua/spawnpool/*.lua) \
  $(shell find scripts -type f 2>/dev/null) $(WEB_PAGE_DIR)/page.mk
	$(call say,page)mkdir -p $(@D) && rm -f $(@D)/part-*.js
	$(Q)node $(WEB_PAGE_DIR)/build.js $(@D)

.PHONY: web-page web-serve
