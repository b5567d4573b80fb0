/*
** `spawnpool` without arguments: the gallery of bundled games in a window. The chosen game is played by another process
** of the same player, so that it has its own window, and walls around it as always; when it ends, the gallery is back.
*/
#ifndef SP_DEMO_GALLERY_COMMAND_H
#define SP_DEMO_GALLERY_COMMAND_H

/* Runs until the person quits. `program`: argv[0]. Returns the exit code; APP_USAGE without a display, or without
   games. */
int gallery_command_run(const char *program);

#endif
