/*
** The texts of --exec: Lua that runs once the game is loaded.
*/
#ifndef SP_DEMO_EXEC_TEXTS_H
#define SP_DEMO_EXEC_TEXTS_H

#include "demo/app/game.h"

/* Runs them; after an error the rest is skipped, and the result is false. */
bool exec_texts_run(const options *o, const game *it, report *r);

#endif
