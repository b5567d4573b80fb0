/*
** The second wall: the process permanently gives up rights that no sandboxed game needs, so that a game which breaks
** out of Lua can do very little. It is raised after everything is open that graphics and the display need, and before
** the game runs. Linux only; elsewhere raising it does nothing. docs/player.md says what it is for.
*/
#ifndef SP_DEMO_WALL_H
#define SP_DEMO_WALL_H

#include <stdbool.h>

#define WALL_TEXT_MOST 128

/* Returns whether a part of the wall is available here: then another process must write the pictures, see
   file_writer.h, and the game's data folder must exist. */
bool wall_is_available(void);

/* Writes the available parts, "Landlock 7, seccomp" for example, and what is missing and why. Returns whether the
   kernel lacks a part that this build supports. */
bool wall_describe(char text[WALL_TEXT_MOST]);

/* Call before the display is opened. */
void wall_prepare(void);

/* Raises what is available around the folder of a game; `data`: where it may store data, or NULL; `window`: gamepads
   may be plugged in. What is missing or fails is one line on stderr, and the game is played anyway. Call it in the
   first thread. Returns whether this very folder can be read from now on, and no other one that replaces it. */
bool wall_raise(const char *folder, const char *data, bool window);

#endif
