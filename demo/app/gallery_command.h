/*
** `spawnpool` without arguments: the gallery of bundled games in a window. The chosen game is played by another process
** of the same player, with its own window, sandbox and second wall; when it ends, the gallery is shown again.
*/
#ifndef SP_DEMO_GALLERY_COMMAND_H
#define SP_DEMO_GALLERY_COMMAND_H

#include "demo/app/options.h"

/* The files of demo/tools/gallery. The environment variable SPAWNPOOL_TOOLS names another folder with a `gallery`. */
extern const sp_script_file gallery_files[];

/* Runs until the user quits. `argv`: this program and its options, which the games get too; `given`: those options,
   parsed. Games begin in full screen when the gallery is. Returns the exit code; APP_USAGE without a display, or
   without games. */
int gallery_command_run(int argc, char **argv, const options *given);

#endif
