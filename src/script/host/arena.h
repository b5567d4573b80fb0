/*
** An allocator whose memory is one area at a fixed address: a copy of the area is a copy of everything in it, and
** pointers into it stay valid when the copy is restored. The caller knows the sizes, as with lua_Alloc, so blocks have
** no headers.
*/
#ifndef SP_SCRIPT_ARENA_H
#define SP_SCRIPT_ARENA_H

#include <stddef.h>

typedef struct sp_arena sp_arena;

/* Reserves addresses for `most` bytes; memory is taken as it is used. NULL when that is refused, or too little for a
   block. The close frees all blocks; it accepts NULL. */
sp_arena *sp_arena_open(size_t most);
void sp_arena_close(sp_arena *a);

/* Works like a lua_Alloc: `old` is the size that the block was given, 0 for a NULL `ptr`. */
void *sp_arena_resize(sp_arena *a, void *ptr, size_t old, size_t size);

/* Returns the bytes that a copy takes: the blocks, and small free ones between them. */
size_t sp_arena_bytes(const sp_arena *a);

/* Copies the area to `to`, which has room for it; puts a copy back. */
void sp_arena_copy(const sp_arena *a, void *to);
void sp_arena_put_back(sp_arena *a, const void *from);

#endif
