/*
** The columns of a type: their places in a chunk, and the first values of an object.
*/
#ifndef SP_CORE_LAYOUT_H
#define SP_CORE_LAYOUT_H

#include "core/binding.h"
#include "core/memory.h"

#define SP_MAX_COLUMNS (SP_FIELDS + SP_MAX_FIELDS)
_Static_assert(SP_MAX_COLUMNS <= INT8_MAX, "columns fit sp_layout_change");
/* Velocities, accelerations and spin: what moves an object. */
#define SP_MOTION_COLUMNS (1u << SP_VX | 1u << SP_VY | 1u << SP_AX | 1u << SP_AY | 1u << SP_SPIN)

typedef struct sp_layout {
  sp_column_layout columns[SP_MAX_COLUMNS];
  uint64_t all, kept;     /* all columns; those that keep their values from life to life */
  uint64_t live;          /* those whose changed first value reaches objects that still have the old one */
  uint64_t refs;          /* those that hold references, alone or among their members */
  uint64_t restless;      /* motion columns that do not start at 0 */
  unsigned char *initial; /* one object, packed */
  uint32_t chunk_size;
  uint16_t initial_size;
  sp_field *fields; /* own ones, as described: their names are the layout's, `initial` points into its `initial` */
  int field_count;
} sp_layout;

/* A number of a field, which lies at `offset`. */
typedef struct sp_cell_number {
  int member;    /* of the field */
  uint32_t item; /* of the member */
  uint32_t offset, size;
  bool is_ref;
} sp_cell_number;

/* Goes over the numbers of a field; the one after member -1 is the first. A field without members is a single number.
   Returns false at the end. */
bool sp_next_number(const sp_field *field, sp_cell_number *part);
#define SP_EACH_NUMBER(part, field) for (sp_cell_number part = {.member = -1}; sp_next_number(field, &part);)

/* Makes the layout that a description asks for. Returns false and holds nothing when memory is refused. */
bool sp_layout_make(sp_layout *layout, const sp_pool_desc *desc, sp_memory *memory);
void sp_layout_free(sp_layout *layout, sp_memory *memory);
/* Must be called after the first values in `initial` have changed. */
void sp_layout_note_restless(sp_layout *layout);
/* From one layout to the next: `old[i]` is the column of `from` whose values column i of `to` continues, or -1. */
typedef struct sp_layout_change {
  const sp_layout *to, *from;
  int8_t old[SP_MAX_COLUMNS];
} sp_layout_change;

sp_layout_change sp_layout_change_of(const sp_layout *to, const sp_layout *from);
/* Fills a chunk of layout `to` from one of layout `from`; columns of the same name and size keep their values. Between
   layouts that are alike both may be the same chunk. */
void sp_layout_convert(const sp_layout_change *change, unsigned char *new_base, const unsigned char *old_base);
/* Returns the column of the field of this name and size, or -1. */
int sp_layout_column(const sp_layout *layout, const char *name, uint32_t size);
/* Returns whether both have the same columns in the same places, so that they can share chunks. */
bool sp_layout_is_alike(const sp_layout *a, const sp_layout *b);
/* Gives the idle object at `index` of a chunk, which has its new layout already, the first values of columns that are
   kept from life to life, where it keeps none yet. */
void sp_layout_refresh(const sp_layout_change *change, unsigned char *base, uint32_t index, bool has_lived);
/* Returns the dirty columns of a pool after its layout is replaced by an alike one. */
uint64_t sp_layout_dirty(const sp_layout *to, const sp_layout *from, uint64_t dirty);

#endif
