# Everything that a version hands out, in build/release: `make release`. A part whose tools are not here is left out,
# with a line.

RELEASE := $(BUILD)/release
RELEASE_FOR ?= linux windows web
RELEASE_NAME := spawnpool-$(VERSION)
RELEASE_MACHINE := $(shell uname -m)

# $(call when,PROGRAM,TARGET): makes the target, if it is wanted and the program is here.
when = $(if $(filter $(2),$(RELEASE_FOR)),if command -v $(1) >/dev/null 2>&1; then \
  $(MAKE) --no-print-directory DEPS=no $(2); else echo "release: no $(1) here: without what make $(2) makes"; fi,:)

release: all dist amalgam ## write every file of a version into build/release
	$(Q)rm -rf $(RELEASE) && mkdir -p $(RELEASE)
	+$(Q)$(call when,$(WINDOWS_HOST)-gcc,windows)
	+$(Q)$(call when,emcc,web)
	$(Q)cp $(BUILD)/$(RELEASE_NAME).tar.gz $(AMALGAM) \
	  lua/$(RELEASE_NAME)-1.rockspec $(RELEASE)
	$(Q)if [ -f $(BUILD)/windows/$(RELEASE_NAME)-windows.zip ]; then \
	  cp $(BUILD)/windows/$(RELEASE_NAME)-windows.zip $(RELEASE); fi
	$(Q)if [ -f $(BUILD)/web/spawnpool.wasm ]; then mkdir -p $(BUILD)/stage && rm -rf $(BUILD)/stage/web && \
	  cp -R $(BUILD)/web $(BUILD)/stage/web && rm -rf $(BUILD)/stage/web/packed && \
	  sh demo/linux/pack_folder.sh $(BUILD)/stage/web $(RELEASE)/$(RELEASE_NAME)-web.zip $(RELEASE_NAME)-web; fi
	$(Q)sh demo/linux/stage.sh $(BUILD) $(VERSION) $(BUILD)/stage/linux
	$(Q)sh demo/linux/pack_folder.sh $(BUILD)/stage/linux \
	  $(RELEASE)/$(RELEASE_NAME)-linux-$(RELEASE_MACHINE).tar.gz $(RELEASE_NAME)
	$(Q)if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then \
	  sh demo/linux/deb.sh $(BUILD)/stage/linux $(VERSION) $(RELEASE); \
	else echo "release: no dpkg-deb and dpkg-shlibdeps here: without the .deb"; fi
	$(Q)cd $(RELEASE) && LC_ALL=C sha256sum * >../SHA256SUMS && mv ../SHA256SUMS . && ls -l | awk 'NR > 1 { \
	  printf "%9d  %s/%s\n", $$5, "$(RELEASE)", $$9 }'

.PHONY: release
