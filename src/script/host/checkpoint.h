/*
** A checkpoint: a copy of the whole state of a script between two calls, Lua's heap and the pools, from which it can be
** restored. Unlike a snapshot it contains locals, closures and coroutines, because it is a copy of the memory.
*/
#ifndef SP_SCRIPT_CHECKPOINT_H
#define SP_SCRIPT_CHECKPOINT_H

#include "script/script.h"

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

#endif
