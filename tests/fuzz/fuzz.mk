# Random tests that take longer than `make test` should.

STEPS ?= 10000000
COUNT ?= 5000
RELOADS ?= 10000

soak: $(MODULE) $(BUILD)/tests ## ten million random calls of C, and as many of Lua, against a naive model (STEPS=, SEED=)
	$(Q)SP_MODEL_STEPS=$(STEPS) SP_MODEL_SEED=$(SEED) $(BUILD)/tests model
	$(Q)LUA_CPATH="$(BUILD)/?.so;;" lua5.4 tests/fuzz/soak.lua $(STEPS) $(SEED)

# The suites that refuse memory take every so many calls in `make test`. With each shift every call has its turn.
SHIFTS := $(shell seq 0 36)
soak-memory: $(BUILD)/tests ## refuse memory at every single call: of a Lua state, a reload, a host, the player's start
	$(Q)for n in $(SHIFTS); do echo "shift $$n"; \
	  SP_SHIFT=$$n $(BUILD)/tests memory lua_memory reload_memory host_memory start_memory || exit 1; done

# Edits a game while it runs: cuts at every byte, then random edits (COUNT=, SEED=). What the library says about the code
# that an edit broke is thousands of lines: it goes to a file.
fuzz-reload: $(MODULE)
	$(Q)LUA_CPATH="$(BUILD)/?.so;;" lua5.4 tests/fuzz/reload.lua $(COUNT) $(SEED) 2>$(BUILD)/fuzz-reload.log || \
	  { tail -n 5 $(BUILD)/fuzz-reload.log; exit 1; }

# Reloads a game under load, again and again: memory and live objects stay flat (RELOADS=, SEED=). What the library says
# about code that is taken back goes to a file.
soak-reload: $(MODULE)
	$(Q)LUA_CPATH="$(BUILD)/?.so;;" lua5.4 tests/fuzz/reload_soak.lua $(RELOADS) $(SEED) \
	  2>$(BUILD)/soak-reload.log || { tail -n 5 $(BUILD)/soak-reload.log; exit 1; }

.PHONY: soak soak-memory fuzz-reload soak-reload
