#include "demo/audio/sounds.h"

#include <stdlib.h>
#include <string.h>

#include "demo/support/nearest_name.h"

#define NAME_MOST 200

const char *const sounds_endings[] = {".wav", ".ogg", NULL};

static void free_sound(sound *it)
{
  if (!it)
    return;
  pcm_release(it->decoded);
  free(it->name);
  free(it->file);
  free(it);
}

void sounds_close(sounds *s)
{
  for (size_t i = 0; i < s->count; i++)
    free_sound(s->list[i]);
  free(s->list);
  *s = (sounds){0};
}

bool sounds_is_name(const char *name, size_t length)
{
  return length >= 1 && length <= NAME_MOST && name[0] != '.' && strcspn(name, "/\\") == length;
}

/* {== The list =========================================================== */

static size_t place_of(const sounds *s, const char *name)
{
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (strcmp(s->list[middle]->name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

sound *sounds_find(const sounds *s, const char *name)
{
  size_t i = place_of(s, name);
  return i < s->count && strcmp(s->list[i]->name, name) == 0 ? s->list[i] : NULL;
}

static bool make_room(sounds *s)
{
  if (s->count < s->room)
    return true;
  size_t room = s->room ? s->room * 2 : 16;
  sound **list = realloc(s->list, room * sizeof *list);
  if (!list)
    return false;
  s->list = list;
  s->room = room;
  return true;
}

static sound *insert(sounds *s, const char *name)
{
  size_t i = place_of(s, name);
  sound *it = make_room(s) ? calloc(1, sizeof *it) : NULL;
  if (!it || !(it->name = strdup(name))) {
    free(it);
    return NULL;
  }
  memmove(s->list + i + 1, s->list + i, (s->count - i) * sizeof *s->list);
  s->list[i] = it;
  s->count++;
  return it;
}

sound *sounds_add(sounds *s, const char *name)
{
  sound *it = sounds_find(s, name);
  if (it || s->missing == SOUNDS_MISSING_MOST)
    return it;
  it = insert(s, name);
  s->missing += it != NULL;
  return it;
}

/* }== */

bool sounds_set(sounds *s, const char *file, double seconds, pcm *decoded)
{
  size_t length = strlen(file) - strlen(sounds_endings[0]); /* all endings have the same length */
  char *name = strdup(file), *copy = strdup(file);
  if (name)
    name[length] = '\0';
  sound *it = name && copy ? sounds_find(s, name) : NULL;
  if (name && copy && !it)
    it = insert(s, name);
  free(name);
  if (!it) {
    free(copy);
    return false;
  }
  s->missing -= s->missing > 0 && !it->file;
  free(it->file);
  pcm_release(it->decoded);
  it->file = copy;
  it->seconds = seconds;
  it->decoded = decoded;
  it->refused = false;
  return true;
}

const char *sounds_nearest(const sounds *s, const char *name)
{
  nearest_name near = nearest_name_of(name);
  for (size_t i = 0; i < s->count; i++)
    if (s->list[i]->file)
      nearest_name_offer(&near, s->list[i]->name);
  return near.name;
}
