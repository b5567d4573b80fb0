/*
** The description that most tests begin with: a spatial pool that looks as SP_DEFAULT_LOOK has it.
*/
#ifndef TEST_DESC_H
#define TEST_DESC_H

#include "core/spawnpool.h"

static inline sp_pool_desc test_desc(const char *type) { return sp_pool_defaults(type); }

#endif
