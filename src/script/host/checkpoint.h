/*
** A checkpoint: a copy of the whole state of a script between two calls, Lua's heap and the pools, from which it can be
** restored. Unlike a snapshot it contains locals, closures and coroutines, because it is a copy of the memory.
**
** For that all memory of the script lies in an arena: an allocator whose memory is one area at a fixed address. A copy
** of the area is a copy of everything in it, and pointers into it stay valid when the copy is restored. The caller
** knows the sizes, as with lua_Alloc, so blocks have no headers.
*/
#ifndef SP_SCRIPT_CHECKPOINT_H
#define SP_SCRIPT_CHECKPOINT_H

#include "script/script.h"

/* {== The arena ========================================================== */

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

/* }== */

/* {== Checkpoints ======================================================== */

typedef struct sp_checkpoint sp_checkpoint;

/* Returns whether checkpoints of the script can be taken: it was opened with `checkpoints`, and got the addresses. */
bool sp_script_has_checkpoints(const sp_script *script);

/* Returns the bytes that a checkpoint would take now. */
size_t sp_script_checkpoint_bytes(const sp_script *script);

/* Takes one, into the memory of `reuse` (NULL: none). NULL when memory is refused: then `reuse` is freed. Call it
   outside of all calls into the game. */
sp_checkpoint *sp_script_checkpoint(const sp_script *script, sp_checkpoint *reuse);
void sp_checkpoint_free(sp_checkpoint *c); /* accepts NULL */

/* Returns the bytes that it takes. */
size_t sp_checkpoint_bytes(const sp_checkpoint *c);

/* Puts it back, as often as wanted, into the script that it was taken of. References, pools and Lua values that were
   read since are invalid. What the host has given since then is as it was: sheets have to be set again. The last error
   is that of the checkpoint; the last line of a reload stays. */
void sp_script_return(sp_script *script, const sp_checkpoint *c);

/* }== */

#endif
