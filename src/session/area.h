/*
** Memory of the session that goes back and forth with the game: it comes from the allocator of the script, so a copy of
** the script's memory has it too. What lies there may point there.
*/
#ifndef SP_SESSION_AREA_H
#define SP_SESSION_AREA_H

#include <lua.h>

#include "session/input.h"
#include "session/view.h"

/* An answer of the machine to a question. */
typedef struct sp_answer {
  char *question; /* NULL: the place is free */
  size_t room;    /* of the question's block */
  double value;
  uint64_t frame; /* of the last call, */
  uint64_t calls; /* and how many there were in it */
} sp_answer;

/* Something that the game has stored. */
typedef struct sp_stored {
  struct sp_stored *next;
  char file[96];
  bool is_unread; /* the file cannot be read: the bytes say why, with a zero */
  size_t size;
  char bytes[];
} sp_stored;

typedef struct sp_voice {
  sp_ref object;
  double seconds;
  bool loop;
} sp_voice;

typedef struct sp_area {
  uint64_t frame; /* that runs, or ran last */
  bool is_started, is_stopped;
  sp_input input;
  sp_view view;
  sp_answer *answers; /* a hash table */
  size_t answer_count, answer_room;
  sp_stored *stored;
  sp_voice *voices; /* in slot order */
  size_t voice_count, voice_room;
  double volume, music_volume;
  bool is_muted, has_music;
  void *host; /* the block of the host */
  size_t host_size;
  uint64_t clock_frame, clock_calls; /* readings of a clock in a frame */
  double clock;                      /* what it was */
} sp_area;

/* Return a zeroed block, change its size, free it. NULL when memory is refused. */
void *sp_area_take(lua_State *L, size_t size);
void *sp_area_resize(lua_State *L, void *block, size_t old, size_t size);
void sp_area_give(lua_State *L, void *block, size_t size);

/* Returns the place of a question, which is new if `*is_new`; NULL when memory is refused. */
sp_answer *sp_area_answer(lua_State *L, sp_area *m, const char *question, bool *is_new);

/* Frees all that the struct has; the struct too. */
void sp_area_close(lua_State *L, sp_area *m);

#endif
