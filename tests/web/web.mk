# Tests of the page: parts without a browser, then everything in headless Chromium, and the main things in Firefox,
# where that is installed.

web-test: ## test the page of `make web` in headless Chromium
	$(Q)$(call find_deps,web-test)
	+$(Q)$(submake) web $(PLAYER)
	$(Q)SP_WEB=$(abspath $(WEB)) node --test --test-concurrency=2 --test-reporter=spec $(WEB_TESTS)
WEB_TESTS := $(addprefix tests/web/,logic.mjs play.mjs edit.mjs keep.mjs alive.mjs look.mjs share.mjs refuse.mjs desktop.mjs)

.PHONY: web-test
