/*
** The second wall: the process gives up for good what no game in the sandbox has a use for, so that a game which breaks
** out of Lua is in a process that can do next to nothing. Landlock keeps it from files (wall_files.c), seccomp from
** calls of the system (wall_calls.c). Linux only; elsewhere there is none, and raising it does nothing.
**
** It is raised after everything is open that graphics and the display need, and before the first line of the game runs.
** It cannot be taken down again, nor by what the process starts.
*/
#ifndef SP_DEMO_WALL_H
#define SP_DEMO_WALL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "demo/support/report.h"

#define WALL_TEXT_MOST 128

typedef struct wall {
  const char *folder; /* of the game; NULL: not raised */
  dev_t device;       /* of the folder that may be read */
  ino_t inode;
  bool reported; /* that another folder has taken its place */
} wall;

/* Whether anything can be kept from a process here: then another one has to write its pictures, see file_writer.h. */
bool wall_is_available(void);

/* Writes which walls stand on this system, "Landlock 7, seccomp" for example, and what is missing and why. Returns
   whether this build has a wall that the kernel lacks. */
bool wall_describe(char text[WALL_TEXT_MOST]);

/* Call before the display is opened. */
void wall_prepare(void);

/* Raises what there is around the folder of a game, which must outlive `w`; `window`: game controllers may be plugged
   in. What is missing, or cannot be raised, is one line on stderr, and the game is played all the same. */
void wall_raise(wall *w, const char *folder, bool window);

/* Tells once when another folder has taken the place of the one that may be read. */
void wall_check_folder(wall *w, report *r);

/* The leak checker of a sanitized build examines the process from outside: the wall must not block that. */
#if defined(__SANITIZE_ADDRESS__)
#define WALL_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WALL_SANITIZED 1
#endif
#endif
#ifndef WALL_SANITIZED
#define WALL_SANITIZED 0
#endif

#endif
