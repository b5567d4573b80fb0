# Tests of the page: parts without a browser, then everything in headless Chromium.

web-test: ## test the page of `make web` in headless Chromium
	$(Q)DEPS=$(DEPS) BUILD=$(BUILD) CC="$(CC)" sh tests/support/deps.sh web-test
	+$(Q)$(submake) web $(PLAYER)
	$(Q)SP_WEB=$(abspath $(WEB)) node --test --test-reporter=spec $(WEB_TESTS)
WEB_TESTS := $(addprefix tests/web/,logic.mjs page.mjs)

.PHONY: web-test
