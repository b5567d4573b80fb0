# Games that are played for very long. See tests/demo/soak.h.

HOUR := 216000

soak-games: tests-build ## play an hour of every game, with edits and faults (FRAMES=, SEED=, GAME=)
	$(Q)SP_SOAK_FRAMES=$(or $(FRAMES),$(HOUR)) SP_SOAK_SEED=$(SEED) \
	  SP_SOAK_GAME=$(if $(filter command environment,$(firstword $(origin GAME))),$(notdir $(GAME:/=))) \
	    $(BUILD)/tests soak_games

soak-replays: tests-build ## replay a minute of random input in every game, 20 times (FRAMES=, TIMES=, GAME=)
	$(Q)SP_REPLAY_FRAMES=$(or $(FRAMES),3600) SP_REPLAY_TIMES=$(or $(TIMES),20) \
	  SP_REPLAY_GAME=$(if $(filter command environment,$(firstword $(origin GAME))),$(notdir $(GAME:/=))) \
	    $(BUILD)/tests replay

.PHONY: soak-games soak-replays
