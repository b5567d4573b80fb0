/*
** The second wall: the process permanently gives up rights that no sandboxed game needs, so that a game which breaks
** out of Lua can do very little. Landlock denies access to files (wall_files.c), seccomp denies system calls
** (wall_calls.c). Linux only; elsewhere raising it does nothing.
**
** It is raised after everything is open that graphics and the display need, and before the game runs. Neither the
** process nor its children can remove it.
*/
#ifndef SP_DEMO_WALL_H
#define SP_DEMO_WALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demo/support/report.h"

#define WALL_TEXT_MOST 128

typedef struct wall {
  const char *folder;     /* of the game; NULL: not raised */
  uint64_t device, inode; /* of the folder that may be read */
  bool reported;          /* it was reported that another folder replaced it */
} wall;

/* Returns whether a wall is available here: then another process must write the pictures, see file_writer.h. */
bool wall_is_available(void);

/* Writes the available parts, "Landlock 7, seccomp" for example, and what is missing and why. Returns whether the
   kernel lacks a part that this build supports. */
bool wall_describe(char text[WALL_TEXT_MOST]);

/* Call before the display is opened. */
void wall_prepare(void);

/* Raises the available parts around the folder of a game, which must outlive `w`; `data`: the folder in which it may
   store data, or NULL; `window`: gamepads may be plugged in. What is missing or fails is one line on stderr, and the
   game is played anyway. */
void wall_raise(wall *w, const char *folder, const char *data, bool window);

/* Reports once when another folder has replaced the one that may be read. */
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
