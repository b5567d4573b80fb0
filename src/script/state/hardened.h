/*
** The hardened build: carelessness that does no harm as a rule ends the process there. It is on under ASan, in every
** test. SP_HARD looks at what is given to Lua's raw functions. Each crossing into Lua poisons the memory of all
** managers and pools, because a script may have closed or removed them: whoever uses a pointer that was not fetched
** again (border.h) is found, whether the script did so or not.
*/
#ifndef SP_SCRIPT_HARDENED_H
#define SP_SCRIPT_HARDENED_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define SP_HARDENED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SP_HARDENED 1
#endif
#endif
#ifndef SP_HARDENED
#define SP_HARDENED 0
#endif

struct sp_context;
struct sp_lua_manager;
struct sp_lua_pool;

_Noreturn void sp_broken(const char *what);
#define SP_HARD(holds, what) ((!SP_HARDENED || (holds)) ? (void)0 : sp_broken(what))

/* Poison the memory of all managers and pools, or open it again. */
void sp_poison_handles(const struct sp_context *c);
void sp_open_handles(const struct sp_context *c);
/* Open that of a manager; of a pool with its manager; of whatever userdata this is. NULL is allowed. */
void sp_open_manager(const struct sp_lua_manager *m);
void sp_open_pool(const struct sp_lua_pool *p);
void sp_open_block(const void *block, size_t size);

/* A call has gone into Lua and come back. */
static inline void sp_crossed(const struct sp_context *c)
{
  if (SP_HARDENED)
    sp_poison_handles(c);
}

/* Return the pointer, which has just been fetched. */
static inline struct sp_lua_manager *sp_held_manager(const struct sp_lua_manager *m)
{
  if (SP_HARDENED)
    sp_open_manager(m);
  return (struct sp_lua_manager *)m;
}
static inline struct sp_lua_pool *sp_held_pool(const struct sp_lua_pool *p)
{
  if (SP_HARDENED)
    sp_open_pool(p);
  return (struct sp_lua_pool *)p;
}

#endif
