# What is handed to others: the sources as a tarball, the core as one file, the listing of the interface.

.PHONY: dist

# In a checkout all that git does not ignore, else what is there; the same bytes each time, also from the tarball
# itself: names are sorted, owners are nobody, and every file is as old as the last commit, or as the Makefile. Wants
# GNU tar.
DIST := spawnpool-$(VERSION)
DIST_TOP := src lua scripts tests demo docs Makefile CMakeLists.txt README.md CHANGELOG.md LICENSE \
  .ci .clang-format .clang-tidy .editorconfig \
  .gitignore .luacheckrc
DIST_IN_GIT = git ls-files --error-unmatch Makefile >/dev/null 2>&1

dist: ## write the sources as a reproducible tarball
	$(Q)mkdir -p $(BUILD)
	$(Q)if $(DIST_IN_GIT); then git ls-files -co --exclude-standard $(DIST_TOP); \
	  else find $(DIST_TOP) -type f; fi | \
	  LC_ALL=C sort >$(BUILD)/dist.txt
	$(Q)at=$${SOURCE_DATE_EPOCH:-$$(if $(DIST_IN_GIT); then git log -1 --format=%ct; else stat -c %Y Makefile; fi)} && \
	  tar -c --format=gnu --mtime="@$$at" --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w \
	    --transform='s,^,$(DIST)/,' -T $(BUILD)/dist.txt -f - | gzip -9n >$(BUILD)/$(DIST).tar.gz
	$(Q)echo $(BUILD)/$(DIST).tar.gz

# The files to put into another program.
AMALGAM := $(addprefix $(BUILD)/amalgam/,spawnpool.c spawnpool.h spawnpool_tools.h)
.PHONY: amalgam
amalgam: $(AMALGAM) ## write the core as one file, build/amalgam/spawnpool.c, and its headers
	@ls $(AMALGAM)
$(BUILD)/amalgam/spawnpool.c: tests/package/amalgam.awk LICENSE $(wildcard src/core/*.[ch]) $(BUILD)/stamp/sources
	$(call say,gen)mkdir -p $(@D)
	$(Q)LC_ALL=C awk -v version=$(VERSION) -f tests/package/amalgam.awk LICENSE $(sort $(CORE_SRC)) >$@
$(BUILD)/amalgam/%.h: $(BUILD)/include/%.h
	$(call say,gen)mkdir -p $(@D)
	$(Q)cp $< $@

# Not part of any other target.
SUITES ?= bookworm trixie sid
.PHONY: check-systems
check-systems: ## build and test in empty systems, as a newcomer would; needs root and debootstrap (SUITES=)
	$(Q)sh tests/package/systems.sh $(BUILD)/systems $(SUITES)

# What others rely on, as it is written down and as it is.
API := CC="$(CC)" lua5.4 tests/package/api.lua $(PLAYER)
.PHONY: api
api: $(PLAYER) $(MODULE) ## compare the interface with docs/api.txt, and annotations with it; RENEW=1: update them
	$(Q)LUA_CPATH="$(BUILD)/?.so;;" lua5.4 tests/lua/annotate.lua $(if $(RENEW),renew)
	$(Q)$(API) >$(BUILD)/api.txt
	$(Q)$(if $(RENEW),cp $(BUILD)/api.txt docs/api.txt,diff docs/api.txt $(BUILD)/api.txt)
