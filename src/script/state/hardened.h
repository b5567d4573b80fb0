/*
** The hardened build: carelessness that does no harm as a rule ends the process there. It is on under ASan, in every
** test. SP_HARD looks at what is given to Lua's raw functions. Each crossing into Lua poisons the memory of all managers
** and pools, because a script may have closed or removed them: whoever uses a pointer that was not fetched again
** (border.h) is found, whether the script did so or not.
*/
#ifndef SP_SCRIPT_HARDENED_H
#define SP_SCRIPT_HARDENED_H

#if defined(__SANITIZE_ADDRESS__)
#define SP_HARDENED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SP_HARDENED 1
#endif
#endif

struct sp_context;
struct sp_lua_manager;
struct sp_lua_pool;

#ifdef SP_HARDENED

_Noreturn void sp_broken(const char *what);
#define SP_HARD(holds, what) ((holds) ? (void)0 : sp_broken(what))

/* A call has gone into Lua and come back. */
void sp_crossed(const struct sp_context *c);
/* All may be used again: the memory of the state is copied as a whole. */
void sp_uncrossed(const struct sp_context *c);
/* Return the pointer, which has just been fetched. NULL is allowed. */
struct sp_lua_manager *sp_held_manager(const struct sp_lua_manager *m);
struct sp_lua_pool *sp_held_pool(const struct sp_lua_pool *p);
/* The same for the block of any userdata. */
void *sp_held_block(void *block, size_t size);

#else

#define SP_HARD(holds, what) ((void)0)
static inline void sp_crossed(const struct sp_context *c) { (void)c; }
static inline void sp_uncrossed(const struct sp_context *c) { (void)c; }
static inline struct sp_lua_manager *sp_held_manager(const struct sp_lua_manager *m)
{
  return (struct sp_lua_manager *)m;
}
static inline struct sp_lua_pool *sp_held_pool(const struct sp_lua_pool *p) { return (struct sp_lua_pool *)p; }
static inline void *sp_held_block(void *block, size_t size) { return (void)size, block; }

#endif

#endif
