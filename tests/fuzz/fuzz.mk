# Random tests that take longer than `make test` should.

STEPS ?= 1000000

soak: $(MODULE) ## a million random operations against a simple model (STEPS=, SEED=)
	$(Q)LUA_CPATH="$(BUILD)/?.so;;" lua5.4 tests/fuzz/soak.lua $(STEPS) $(SEED)

.PHONY: soak
