/*
** The asset files of a game, by kind: pictures and sounds. Each kind has a subfolder of the game's folder. The last
** good content of each file is kept, and the files are watched like code: an edited file is loaded again when it has
** settled, a new one is found, and a broken or removed one changes nothing and is reported.
*/
#ifndef SP_DEMO_ASSETS_H
#define SP_DEMO_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/support/report.h"

#define ASSETS_LINE_MOST 512

/* Defines a kind: which files belong to it, and how they are loaded. */
typedef struct assets_kind {
  const char *folder;         /* "sprites", in the game's folder; its subfolders are ignored */
  const char *const *endings; /* file extensions; NULL at the end */
  const char *noun;           /* for messages: "picture" */
  const char *instead;        /* for messages about a file without good content: "a checker is drawn" */
  /* Loads the content of a new or changed file; `file`: its name in the folder. False: SDL_GetError says why, and
     nothing has changed. */
  bool (*load)(void *ud, const char *file, const void *bytes, size_t size);
  /* Returns the number of live objects that show what was loaded since the last call. */
  size_t (*count_users)(void *ud);
  const char *effect; /* for messages, instead of count_users: "heard from the next voice on"; or NULL */
} assets_kind;

typedef struct asset {
  char *file;    /* its name in the folder */
  char *bytes;   /* the content that was loaded, or will be; NULL: it could not be read */
  size_t size;   /* bytes */
  char *problem; /* why the newest content was not loaded; NULL: it was */
  bool was_good; /* some content was loaded */
} asset;

typedef struct assets assets;

/* Reads all files of the kind. `folder` is the game's; files must be inside of `beneath`, unless that is NULL.
   `given`: the files of a game in memory, which never change; or NULL. Copies all arguments but `kind` and `ud`. NULL
   when out of memory. */
assets *assets_open(const assets_kind *kind, void *ud, const char *folder, const char *beneath,
                    const sp_script_file *given);
void assets_close(assets *a);

/* Returns the file at index `i`, by name; NULL past the end. Valid until the next poll. */
const asset *assets_at(const assets *a, size_t i);

/* Writes the path of a file. */
void assets_path(const assets *a, const char *file, char *path, size_t size);

/* Records what was wrong with file `i` when its content was loaded after opening; NULL: nothing. */
void assets_note(assets *a, size_t i, const char *problem);

typedef enum assets_result {
  ASSETS_UNCHANGED,
  ASSETS_LOADED, /* everything that changed is loaded */
  ASSETS_REFUSED /* the current content of a file cannot be loaded */
} assets_result;

/* Call once per frame. Examines a slice of the files and loads changes for some milliseconds; the rest follows in
   the next frames. `hurry`: everything at once, settled or not. Reports to `r`. `now`: real seconds. */
assets_result assets_poll(assets *a, double now, bool hurry, report *r);

/* Returns the problem of one of the files, or NULL. `*consequence` then says what it means for the game. A problem
   lasts until its file is saved again; the texts are valid until the next poll. */
const char *assets_problem(const assets *a, const char **consequence);

/* Returns the line that the last reload reported, or "". */
const char *assets_line(const assets *a);

#endif
