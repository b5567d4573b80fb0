/*
** Opens the files of a game: regular ones only, and only those that lie in its folder. Opening never blocks and has no
** side effects: pipes, sockets and devices are rejected by their type.
**
** A path is walked as text, one component at a time, and links are read and walked in turn: that gives a path without
** links. What is opened by that must lie there, and the system is asked for it: whatever is renamed or linked
** meanwhile, nothing outside is read. Names are case-sensitive on every system, so that a game finds the same files.
**
** Links inside the folder work, also absolute ones. A path that leaves the folder and comes back is rejected.
*/
#ifndef SP_SCRIPT_FOLDER_FILE_H
#define SP_SCRIPT_FOLDER_FILE_H

#include "script/state/platform.h"

enum { SP_FILE_PROBLEM_MOST = 192 };

/* Opens `path` for reading. `folder`: the file must lie in it; NULL: anywhere. Returns a descriptor; or -1, and then
   `problem` says why and what to do, to be written behind "PATH: ". errno is ENOENT when there is no such file. */
int sp_folder_open(const char *folder, const char *path, char problem[SP_FILE_PROBLEM_MOST]);

/* Opens a folder to be listed, by the same rules. NULL with errno. */
sp_folder_stream *sp_folder_list(const char *folder, const char *path);

/* Returns whether `path` lies in `folder`, or would if it existed, wherever links lead. It cannot be used to find out
   which files exist outside. */
bool sp_folder_holds(const char *folder, const char *path);

/* Describes an errno, for some values with a remedy. Returns `problem`. */
const char *sp_file_problem(int error, char problem[SP_FILE_PROBLEM_MOST]);

#endif
