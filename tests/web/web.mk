# Tests of the page: parts without a browser, then everything in headless Chromium, and the main things in Firefox,
# where that is installed.

web-test: ## test the page of `make web` in headless Chromium
	$(Q)$(call find_deps,web-test)
	+$(Q)$(submake) web $(PLAYER)
	$(Q)SP_WEB="$$(cd "$(WEB)" && pwd)" node --test --test-concurrency=2 --test-reporter=spec $(WEB_TESTS)
WEB_TESTS := $(patsubst %,tests/web/%.mjs,logic play edit keep alive look share refuse desktop)

.PHONY: web-test
