/*
** Columns of a type. A chunk is each column for all its slots, side by side: SP_CHUNK_SLOTS cells keep every column
** aligned to its cell size.
*/
#include "core/layout.h"

#include <string.h>

#include "core/description.h"

bool sp_next_number(const sp_field *field, sp_cell_number *part)
{
  const bool is_first = part->member < 0;
  if (field->member_count == 0) {
    *part = (sp_cell_number){0, 0, 0, field->size, field->ref};
    return is_first;
  }
  if (!is_first && part->item + 1 < field->members[part->member].count) {
    part->item++;
    part->offset += part->size;
    return true;
  }
  if (++part->member >= field->member_count)
    return false;
  const sp_field_member *member = &field->members[part->member];
  *part = (sp_cell_number){part->member, 0, member->offset, sp_type_size(member->type), member->type == SP_TYPE_REF};
  return true;
}

static void add_column(sp_layout *layout, int column, uint16_t size, bool keep)
{
  uint64_t bit = (uint64_t)1 << column;
  layout->columns[column] = (sp_column_layout){layout->chunk_size, layout->initial_size, size, keep ? 0 : bit};
  layout->chunk_size += size * SP_CHUNK_SLOTS;
  layout->initial_size = (uint16_t)(layout->initial_size + size);
  layout->all |= bit;
  layout->kept |= keep ? bit : 0;
}

static void add_columns(sp_layout *layout, const sp_pool_desc *desc)
{
  if (desc->spatial)
    for (int c = SP_X; c <= SP_LOOK; c++)
      add_column(layout, c, c == SP_LOOK ? sizeof(sp_look) : sizeof(float), false);
  for (int i = 0; i < desc->field_count; i++) {
    add_column(layout, SP_FIELDS + i, desc->fields[i].size, desc->fields[i].keep);
    if (desc->fields[i].live)
      layout->live |= (uint64_t)1 << (SP_FIELDS + i);
    SP_EACH_NUMBER(part, &desc->fields[i])
    if (part.is_ref)
      layout->refs |= (uint64_t)1 << (SP_FIELDS + i);
  }
}

void sp_layout_note_restless(sp_layout *layout)
{
  layout->restless = 0;
  for (uint64_t mask = layout->all & SP_MOTION_COLUMNS; mask; mask &= mask - 1) {
    float first;
    memcpy(&first, layout->initial + layout->columns[__builtin_ctzll(mask)].initial, sizeof first);
    if (first != 0)
      layout->restless |= mask & -mask;
  }
}

static void write_initial(sp_layout *layout, const sp_pool_desc *desc)
{
  if (desc->spatial) {
    const float floats[SP_LOOK] = {desc->x, desc->y, desc->vx, desc->vy, desc->ax, desc->ay, desc->angle, desc->spin};
    for (int c = SP_X; c < SP_LOOK; c++)
      memcpy(layout->initial + layout->columns[c].initial, &floats[c], sizeof(float));
    memcpy(layout->initial + layout->columns[SP_LOOK].initial, &desc->look, sizeof desc->look);
  }
  for (int i = 0; i < desc->field_count; i++) {
    unsigned char *cell = layout->initial + layout->columns[SP_FIELDS + i].initial;
    if (desc->fields[i].initial)
      memcpy(cell, desc->fields[i].initial, desc->fields[i].size);
    else
      memset(cell, 0, desc->fields[i].size);
    layout->fields[i].initial = cell;
  }
  sp_layout_note_restless(layout);
}

/* Gives a field a copy of its members. */
static bool copy_members(sp_field *field, sp_memory *memory)
{
  const size_t count = (size_t)field->member_count;
  sp_field_member *members = count ? sp_memory_extend(memory, NULL, 0, count, sizeof *members) : NULL;
  if (members)
    memcpy(members, field->members, count * sizeof *members);
  field->members = members;
  field->member_count = members ? (int)count : 0;
  return members || count == 0;
}

static bool copy_fields(sp_layout *layout, const sp_pool_desc *desc, sp_memory *memory)
{
  for (int i = 0; i < desc->field_count; i++) {
    size_t size = strlen(desc->fields[i].name) + 1;
    char *name = sp_memory_resize(memory, NULL, 0, size);
    if (!name)
      return false;
    memcpy(name, desc->fields[i].name, size);
    layout->fields[i] = desc->fields[i];
    layout->fields[i].name = name;
    if (!copy_members(&layout->fields[i], memory))
      return false;
  }
  return true;
}

bool sp_layout_make(sp_layout *layout, const sp_pool_desc *desc, sp_memory *memory)
{
  *layout = (sp_layout){0};
  add_columns(layout, desc);
  /* One byte more, so that the size is not 0 and NULL always means that memory is refused. */
  layout->initial = sp_memory_resize(memory, NULL, 0, layout->initial_size + 1u);
  if (desc->field_count > 0)
    layout->fields = sp_memory_extend(memory, NULL, 0, (size_t)desc->field_count, sizeof *layout->fields);
  layout->field_count = layout->fields ? desc->field_count : 0;
  if (!layout->initial || layout->field_count != desc->field_count || !copy_fields(layout, desc, memory)) {
    sp_layout_free(layout, memory);
    return false;
  }
  write_initial(layout, desc);
  return true;
}

void sp_layout_free(sp_layout *layout, sp_memory *memory)
{
  for (int i = 0; i < layout->field_count; i++)
    if (layout->fields[i].name) {
      const sp_field *field = &layout->fields[i];
      sp_memory_free(memory, (char *)field->name, strlen(field->name) + 1);
      sp_memory_free(memory, (sp_field_member *)field->members, (size_t)field->member_count * sizeof *field->members);
    }
  sp_memory_free(memory, layout->fields, (size_t)layout->field_count * sizeof *layout->fields);
  sp_memory_free(memory, layout->initial, layout->initial_size + 1u);
  *layout = (sp_layout){0};
}

int sp_layout_column(const sp_layout *layout, const char *name, uint32_t size)
{
  int found = -1;
  for (int i = 0; i < layout->field_count; i++)
    if (strcmp(layout->fields[i].name, name) == 0)
      found = SP_FIELDS + i;
  return found >= 0 && layout->columns[found].size == size ? found : -1;
}

/* Returns the column of `from` whose values column `column` of `to` continues, or -1. */
static int continued_column(const sp_layout *to, const sp_layout *from, int column)
{
  uint32_t size = to->columns[column].size;
  if (column >= SP_FIELDS)
    return sp_layout_column(from, to->fields[column - SP_FIELDS].name, size);
  return from->columns[column].size == size ? column : -1;
}

/* Padding counts for nothing. */
static bool is_same_value(const sp_layout *layout, int column, const unsigned char *a, const unsigned char *b)
{
  if (column < SP_FIELDS)
    return memcmp(a, b, layout->columns[column].size) == 0;
  SP_EACH_NUMBER(part, &layout->fields[column - SP_FIELDS])
  if (memcmp(a + part.offset, b + part.offset, part.size) != 0)
    return false;
  return true;
}

sp_layout_change sp_layout_change_of(const sp_layout *to, const sp_layout *from)
{
  sp_layout_change change = {.to = to, .from = from};
  for (int c = 0; c < SP_MAX_COLUMNS; c++)
    change.old[c] = to->columns[c].size ? (int8_t)continued_column(to, from, c) : -1;
  return change;
}

static void convert_column(const sp_layout_change *change, int column, unsigned char *new_base,
                           const unsigned char *old_base)
{
  const sp_layout *to = change->to, *from = change->from;
  const sp_column_layout *c = &to->columns[column];
  const int old = change->old[column];
  const unsigned char *old_initial = old >= 0 ? from->initial + from->columns[old].initial : NULL;
  if (old >= 0 && new_base != old_base)
    memcpy(new_base + c->offset, old_base + from->columns[old].offset, (size_t)c->size * SP_CHUNK_SLOTS);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    unsigned char *cell = new_base + c->offset + i * (size_t)c->size;
    bool tuned = old >= 0 && to->live >> column & 1 && is_same_value(to, column, cell, old_initial);
    if (old < 0 || tuned)
      memcpy(cell, to->initial + c->initial, c->size);
  }
}

void sp_layout_convert(const sp_layout_change *change, unsigned char *new_base, const unsigned char *old_base)
{
  for (int c = 0; c < SP_MAX_COLUMNS; c++)
    if (change->to->columns[c].size)
      convert_column(change, c, new_base, old_base);
}

void sp_layout_refresh(const sp_layout_change *change, unsigned char *base, uint32_t index, bool has_lived)
{
  const sp_layout *to = change->to, *from = change->from;
  for (uint64_t mask = to->kept; mask; mask &= mask - 1) {
    const int column = __builtin_ctzll(mask), old = change->old[column];
    const sp_column_layout *c = &to->columns[column];
    unsigned char *cell = base + c->offset + index * (size_t)c->size;
    bool was_kept = old >= 0 && from->kept >> old & 1;
    if (!was_kept || (!has_lived && is_same_value(to, column, cell, from->initial + from->columns[old].initial)))
      memcpy(cell, to->initial + c->initial, c->size);
  }
}

bool sp_layout_is_alike(const sp_layout *a, const sp_layout *b)
{
  if (a->field_count != b->field_count)
    return false;
  for (int c = 0; c < SP_MAX_COLUMNS; c++)
    if (a->columns[c].size != b->columns[c].size || a->columns[c].offset != b->columns[c].offset)
      return false;
  for (int i = 0; i < a->field_count; i++)
    if (strcmp(a->fields[i].name, b->fields[i].name) != 0)
      return false;
  return true;
}

static bool starts_alike(const sp_layout *a, const sp_layout *b, int column)
{
  const sp_column_layout *c = &a->columns[column];
  return memcmp(a->initial + c->initial, b->initial + b->columns[column].initial, c->size) == 0;
}

uint64_t sp_layout_dirty(const sp_layout *to, const sp_layout *from, uint64_t dirty)
{
  dirty |= from->kept;
  for (uint64_t mask = to->all & ~dirty; mask; mask &= mask - 1)
    if (!starts_alike(to, from, __builtin_ctzll(mask)))
      dirty |= mask & -mask;
  return (dirty | to->restless) & ~to->kept;
}
