/*
** Watches one field of one object while frames of a game are played again, and lists what wrote it: code of the game
** with its stack, or a pass of the core. Nothing of it runs while no field is watched: the watch replaces the function
** behind `object.field = value`, and sets a hook that looks at the field whenever a function returns.
*/
#ifndef SP_SCRIPT_WHY_H
#define SP_SCRIPT_WHY_H

#include "script/script.h"

/* A field of an object of the default manager: "Bullet#12.vx" in the life that is live in the end, or else was the
   last; "Bullet#12:3.vx" in the third life. Without a field lives are listed, all or one: "Bullet#12", "Bullet#12:3".
   */
typedef struct sp_watched {
  char type[202], field[202]; /* `field` "": none */
  uint32_t number, life;      /* `life` 0: none was named */
} sp_watched;

/* Reads such a name. False when it is none. */
bool sp_watched_parse(sp_watched *watched, const char *name);

/* The kind of a write. */
typedef enum sp_write_kind {
  SP_WRITE_FIELD,  /* of the field */
  SP_WRITE_STEP,   /* likewise, by a pass of the core: such writes in frames that follow each other are one */
  SP_WRITE_INSIDE, /* the table in the field has another content than before */
  SP_WRITE_ALLOC,  /* a life began, and the field got its first value */
  SP_WRITE_END     /* a life has ended; `by` begins with the reason */
} sp_write_kind;

#define SP_WRITE_TEXT_MOST 64
#define SP_WRITE_BY_MOST 240

typedef struct sp_write {
  sp_write_kind kind;
  uint64_t frame, first_frame; /* the last one and the first one of a pass */
  uint64_t count;
  uint32_t life; /* its number: 3 is the third one of the object */
  char first[SP_WRITE_TEXT_MOST], before[SP_WRITE_TEXT_MOST], after[SP_WRITE_TEXT_MOST]; /* values; "": none */
  char by[SP_WRITE_BY_MOST]; /* "pools/Bullet.lua:14 in alloc", "motion" */
  char *stack;               /* its callers, a line each; NULL: none */
} sp_write;

typedef struct sp_watch sp_watch;

/* Returns a watch that has seen nothing; NULL when memory is refused. */
sp_watch *sp_watch_new(const sp_watched *what);
void sp_watch_free(sp_watch *w); /* accepts NULL */

/* Begins to watch, in a script that runs nothing of the game now: after it was opened, or a checkpoint was put back,
   which ends every watch. The watch must outlive the script, or the next checkpoint that is put back. */
void sp_watch_begin(sp_watch *w, sp_script *script);

/* Names the frame that is played next: the host changes nothing of the game but in frames. */
void sp_watch_frame(sp_watch *w, uint64_t frame);

/* Returns the writes in the order of time, and their number. */
const sp_write *sp_watch_writes(const sp_watch *w, size_t *count);

/* Writes a write without its frame and stack: "1 -> 300  pools/Bullet.lua:14 in alloc". */
void sp_write_line(const sp_write *e, char *out, size_t size);

/* Returns whether the object is live now. */
bool sp_watch_is_live(const sp_watch *w);

/* Writes, in one line, why nothing can be known of such a name, with the nearest that exists. False when it exists. */
bool sp_watch_problem(const sp_watch *w, char *out, size_t size);

#endif
