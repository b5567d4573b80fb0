/*
** The pieces of a snapshot: one block of memory with copies of the manager's and the pools' own blocks, one piece after
** the other. Taking and restoring go through the same pieces in the same order.
*/
#ifndef SP_CORE_SNAPSHOT_H
#define SP_CORE_SNAPSHOT_H

#include "core/state.h"

#define SP_NO_OWNER UINT32_MAX

struct sp_snapshot {
  sp_memory memory;
  unsigned char *block;
  size_t capacity;
  bool is_taken;
};

/* A place in the block. Without a block it only counts. */
typedef struct sp_tape {
  unsigned char *block;
  size_t at;
} sp_tape;

/* The next piece; all begin at multiples of 8. */
static inline void *sp_tape_piece(sp_tape *tape, size_t size)
{
  unsigned char *piece = tape->block ? tape->block + tape->at : NULL;
  tape->at += (size + 7) / 8 * 8;
  return piece;
}

/* Copies an array to the tape. */
static inline void sp_tape_write(sp_tape *tape, const void *from, size_t count, size_t size)
{
  void *piece = sp_tape_piece(tape, count * size);
  if (piece && count > 0)
    memcpy(piece, from, count * size);
}

#endif
