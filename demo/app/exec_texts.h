/*
** Runs the Lua code of --exec once the game is loaded.
*/
#ifndef SP_DEMO_EXEC_TEXTS_H
#define SP_DEMO_EXEC_TEXTS_H

#include "demo/app/game.h"

/* Runs the texts in order. False after an error, which skips the rest. */
bool exec_texts_run(const options *o, const game *it, report *r);

#endif
