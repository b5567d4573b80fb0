/*
** The layout that programs with spawnpool_inline.h are compiled for. Where one of these assertions fails, the layout
** has changed: SP_INLINE_LAYOUT must be raised, and the function below named after it, so that the linker refuses such
** programs, which would read other members.
*/
#include "core/spawnpool_inline.h"

#include "core/state.h"

uint32_t sp_inline_layout_1(void) { return SP_INLINE_LAYOUT; }

#define SAME(type, member, inline_type, inline_member)                                                                 \
  _Static_assert(offsetof(type, member) == offsetof(inline_type, inline_member) &&                                     \
                     sizeof((type){0}.member) == sizeof((inline_type){0}.inline_member),                               \
                 "layout 1 has " #inline_member " elsewhere")
#define SAME_SIZE(type, inline_type) _Static_assert(sizeof(type) == sizeof(inline_type), "layout 1 has other steps")

SAME(sp_life, serial, sp_inline_life, serial);
SAME(sp_life, generation, sp_inline_life, generation);
SAME(sp_life, due, sp_inline_life, due);
SAME_SIZE(sp_life, sp_inline_life);

SAME(sp_column_layout, offset, sp_inline_column, offset);
SAME(sp_column_layout, size, sp_inline_column, size);
SAME(sp_column_layout, written, sp_inline_column, written);
SAME_SIZE(sp_column_layout, sp_inline_column);

SAME(sp_pool, view.columns, sp_inline_pool, columns);
SAME(sp_pool, view.dirty, sp_inline_pool, dirty);
SAME(sp_pool, manager, sp_inline_pool, manager);
SAME(sp_pool, idle.ring, sp_inline_pool, ring);
SAME(sp_pool, idle.mask, sp_inline_pool, mask);
SAME(sp_pool, idle.head, sp_inline_pool, head);
SAME(sp_pool, idle.tail, sp_inline_pool, tail);
SAME(sp_pool, idle.lifo, sp_inline_pool, lifo);
SAME(sp_pool, near_floor, sp_inline_pool, near_floor);
SAME(sp_pool, bare_recycle, sp_inline_pool, bare_recycle);
SAME(sp_pool, recycles, sp_inline_pool, recycles);

SAME(sp_manager, slots.life, sp_inline_manager, life);
SAME(sp_manager, slots.bases, sp_inline_manager, chunks);
SAME(sp_manager, slots.owners, sp_inline_manager, owners);
SAME(sp_manager, slots.origin, sp_inline_manager, origin);
SAME(sp_manager, slots.settled, sp_inline_manager, settled);
SAME(sp_manager, last_generation, sp_inline_manager, last_generation);
SAME(sp_manager, serial, sp_inline_manager, serial);
