/*
** What the state of a manager is, described once: a table for each noun says of its numbers where they lie, what counts
** them and what they may be; and one order in which a visitor goes over all of it. Visitors are the image that a
** snapshot takes and restores (snapshot.c), the bytes of saves (save.c) and the hash (hash.c).
*/
#ifndef SP_CORE_STATE_VISIT_H
#define SP_CORE_STATE_VISIT_H

#include "core/state.h"

enum {
  SP_MEMBER_SAVED = 1,  /* all others follow from what is saved */
  SP_MEMBER_HASHED = 2, /* all others are statistics, or follow from what is hashed */
  SP_MEMBER_REAL = 4,   /* doubles with a limit; all others have the limits of whole numbers */
};

/* A run of members of one size. */
typedef struct sp_member {
  uint16_t offset, count;
  uint8_t size; /* of each: 1, 2, 4 or 8 bytes; 0 ends a list */
  uint8_t flags;
  double most; /* that is read, from 0 on; 0: whatever fits */
} sp_member;

/* The members from `first` to `last` of a struct, all of which have one size. */
#define SP_RUN(type, first, last, flags, most)                                                                         \
  {                                                                                                                    \
    offsetof(type, first), (offsetof(type, last) - offsetof(type, first)) / sizeof(((type *)0)->first) + 1,            \
        sizeof(((type *)0)->first), flags, most                                                                        \
  }
#define SP_MEMBER(type, member, flags, most) SP_RUN(type, member, member, flags, most)

extern const sp_member sp_members_of_manager[], sp_members_of_pool[], sp_members_of_timer[], sp_members_of_look[];

/* Sets all members of a list to zero. */
void sp_members_clear(const sp_member *list, void *of);
/* Returns `hash` with those members of a struct added that are hashed. */
uint64_t sp_members_hash(const sp_member *list, const void *from, uint64_t hash);

/* Returns a cell of 1, 2, 4 or 8 bytes as a number, whatever the order of its bytes; of others their sum. */
static inline uint64_t sp_number_in(const void *cell, uint32_t size)
{
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (size) {
  case 1:
    return *(const uint8_t *)cell;
  case sizeof two:
    memcpy(&two, cell, sizeof two);
    return two;
  case sizeof four:
    memcpy(&four, cell, sizeof four);
    return four;
  case sizeof eight:
    memcpy(&eight, cell, sizeof eight);
    return eight;
  default:
    return sp_sum(SP_SUM_BEGIN, cell, size);
  }
}

/* A visitor. It writes what there is, or it reads and makes it so; a writer is given what there is, a reader NULL. */
typedef struct sp_visitor sp_visitor;
struct sp_visitor {
  bool reads, is_stopped;
  uint32_t (*manager)(sp_visitor *v);          /* its numbers; returns how many pools there are */
  sp_pool *(*pool)(sp_visitor *v, sp_pool *p); /* its description and numbers; returns the pool */
  void (*slots)(sp_visitor *v, sp_pool *p); /* of a pool, chunk by chunk; NULL: of chunks that no pool has any more */
  void (*idle)(sp_visitor *v, sp_pool *p);  /* in the order of their reuse, and the queue of ages */
  void (*links)(sp_visitor *v);             /* parents, timers, ends of lives */
  void (*host)(sp_visitor *v);              /* the state of the host, last */
};

/* Goes over a manager, or over one pool of it. */
void sp_visit(sp_visitor *v, const sp_manager *m);
void sp_visit_pool(sp_visitor *v, sp_pool *p);

/* Goes over the numbers of chunks that no pool has any more, and that are not as new: the next one from `number` on;
   UINT32_MAX at the end. */
uint32_t sp_next_free_chunk(const sp_manager *m, uint32_t number);

/* Returns the size of the host's state; 0: there is none. The manager must be held. */
size_t sp_host_size(const sp_manager *m);
/* Gives the host its state back; `bytes` NULL: there was none. SP_OK, SP_FAILED or SP_INVALID: see spawnpool_save.h. */
sp_result sp_host_read(sp_manager *m, const void *bytes, size_t size);

#endif
