/*
** Opens files beneath a folder only. The kernel does it where it can (openat2 with RESOLVE_BENEATH); elsewhere a path
** is walked one component at a time, each opened from the folder before it without following links, and links are read
** and walked in turn. Either way a path is never resolved first and opened later, so nothing that is renamed or linked
** meanwhile leads outside. On Windows a file is opened first, and then its final path is checked. One
** open_beneath_SYSTEM.c is compiled.
**
** Links inside the folder work, absolute ones too if they name something beneath it.
*/
#ifndef SP_SCRIPT_OPEN_BENEATH_H
#define SP_SCRIPT_OPEN_BENEATH_H

#include "script/state/platform.h"

/* Opens a folder, to be the first argument of the functions below. -1 with errno. */
int sp_beneath_root(const char *folder);

/* The part of `path` that lies beneath the folder, "." for the folder itself; NULL when `path` does not lead through
   it. The result points into `path`, unless it is ".". `folder` is the name that `root` was opened by. */
const char *sp_beneath_part(int root, const char *folder, const char *path);

/* Opens `part` for reading, or to be listed. -1 with errno: EXDEV when it leads out of the folder. */
int sp_beneath_open(int root, const char *part, bool to_list);

/* Tells what `part` leads to, without opening it. False with errno, as above. */
bool sp_beneath_facts(int root, const char *part, sp_facts *facts);

#endif
