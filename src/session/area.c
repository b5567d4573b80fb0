#include "session/area.h"

#include <string.h>

#include "core/binding.h"

void *sp_area_resize(lua_State *L, void *block, size_t old, size_t size)
{
  void *ud;
  const lua_Alloc alloc = lua_getallocf(L, &ud);
  return alloc(ud, block, old, size);
}

void *sp_area_take(lua_State *L, size_t size)
{
  void *block = sp_area_resize(L, NULL, 0, size);
  return block ? memset(block, 0, size) : NULL;
}

void sp_area_give(lua_State *L, void *block, size_t size)
{
  if (block)
    sp_area_resize(L, block, size, 0);
}

/* {== Answers ============================================================= */

/* Returns the place of a question, or the free one where it belongs. */
static sp_answer *find(sp_answer *answers, size_t room, const char *question)
{
  size_t at = (size_t)sp_sum(SP_SUM_BEGIN, question, strlen(question)) & (room - 1);
  while (answers[at].question && strcmp(answers[at].question, question) != 0)
    at = (at + 1) & (room - 1);
  return &answers[at];
}

static bool grow(lua_State *L, sp_area *m)
{
  const size_t room = m->answer_room ? 2 * m->answer_room : 16;
  sp_answer *answers = sp_area_take(L, room * sizeof *answers);
  if (!answers)
    return false;
  for (size_t i = 0; i < m->answer_room; i++)
    if (m->answers[i].question)
      *find(answers, room, m->answers[i].question) = m->answers[i];
  sp_area_give(L, m->answers, m->answer_room * sizeof *answers);
  m->answers = answers;
  m->answer_room = room;
  return true;
}

sp_answer *sp_area_answer(lua_State *L, sp_area *m, const char *question, bool *is_new)
{
  if (2 * (m->answer_count + 1) > m->answer_room && !grow(L, m))
    return NULL;
  sp_answer *a = find(m->answers, m->answer_room, question);
  *is_new = !a->question;
  if (a->question)
    return a;
  const size_t size = strlen(question) + 1;
  char *copy = sp_area_take(L, size);
  if (!copy)
    return NULL;
  memcpy(copy, question, size);
  *a = (sp_answer){.question = copy, .room = size};
  m->answer_count++;
  return a;
}

/* }== */

void sp_area_close(lua_State *L, sp_area *m)
{
  for (size_t i = 0; i < m->answer_room; i++)
    sp_area_give(L, m->answers[i].question, m->answers[i].room);
  sp_area_give(L, m->answers, m->answer_room * sizeof *m->answers);
  for (sp_stored *it = m->stored, *next; it; it = next) {
    next = it->next;
    sp_area_give(L, it, sizeof *it + it->size);
  }
  sp_area_give(L, m->voices, m->voice_room * sizeof *m->voices);
  sp_area_give(L, m->host, m->host_size);
  sp_area_give(L, m, sizeof *m);
}
