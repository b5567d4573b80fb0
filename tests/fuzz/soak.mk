# Games that are played for very long. See tests/demo/soak.h.

HOUR := 216000

soak-games: tests-build ## play an hour of every game, with edits and faults (FRAMES=, SEED=, GAME=)
	$(Q)SP_SOAK_FRAMES=$(or $(FRAMES),$(HOUR)) SP_SOAK_SEED=$(SEED) \
	  SP_SOAK_GAME=$(if $(filter command environment,$(firstword $(origin GAME))),$(notdir $(GAME:/=))) \
	    $(BUILD)/tests soak_games

.PHONY: soak-games
