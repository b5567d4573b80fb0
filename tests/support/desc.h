/*
** The description that most tests begin with: a spatial pool that looks as SP_DEFAULT_LOOK has it.
*/
#ifndef TEST_DESC_H
#define TEST_DESC_H

#include "core/spawnpool.h"

static inline sp_pool_desc test_desc(const char *type)
{
  return (sp_pool_desc){.type = type, .spatial = true, .look = SP_DEFAULT_LOOK};
}

/* A setting that allows `most` objects, 0 included. */
static inline uint32_t test_limit(uint32_t most) { return most ? most : SP_NO_OBJECTS; }
static inline sp_settings test_settings(sp_settings s)
{
  s.limit = test_limit(s.limit);
  s.idle_limit = test_limit(s.idle_limit);
  return s;
}

#endif
