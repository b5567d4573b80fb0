# Games that are played for very long. See tests/demo/player/soak.lua and games.lua. A soak ends when its frames are
# played, not before.

HOUR := 216000
LONG := CK_TIMEOUT_MULTIPLIER=10000

soak-games: tests-build ## play an hour of every game, with edits and faults (FRAMES=, SEED=, GAME=)
	$(Q)SP_SOAK_FRAMES=$(or $(FRAMES),$(HOUR)) SP_SOAK_SEED=$(SEED) \
	  SP_SOAK_GAME=$(if $(filter command environment,$(firstword $(origin GAME))),$(notdir $(GAME:/=))) \
	    $(LONG) CK_RUN_CASE=soak $(BUILD)/tests player

soak-replays: tests-build ## replay a minute of random input in every game, 20 times (FRAMES=, TIMES=, GAME=)
	$(Q)SP_REPLAY_FRAMES=$(or $(FRAMES),3600) SP_REPLAY_TIMES=$(or $(TIMES),20) \
	  SP_REPLAY_GAME=$(if $(filter command environment,$(firstword $(origin GAME))),$(notdir $(GAME:/=))) \
	    $(LONG) CK_RUN_CASE=games $(BUILD)/tests player

.PHONY: soak-games soak-replays
