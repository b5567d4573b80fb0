/*
** `spawnpool.timeline`, in the state of the player's tools only: what the timeline (demo/tools/timeline.lua) shows and
** does. rewind.h has what is behind it.
**
**   at()            -> the chosen frame, the first and the last one, how often the timeline was opened; nil: closed
**   stretch()       -> the ends of the marked stretch, nil for one that is not marked
**   pace()          -> whether it plays, whether it runs backwards, seconds of a frame
**   progress()      -> from 0 to 1 while frames are played again, else nil; a note for the user, or nil
**   marks()         -> a list { frame, kind, frame, kind, ... }: "input", "reload", "error"
**   choose(frame)   chooses a frame, and stops playing
**   mark(from, to)  sets the ends of the stretch, nil for none, and plays it when it has both
**   play(on)        plays on from the chosen frame, or stops
**   run_back(on)    runs backwards until it is called with false; then the game goes on if begun with Backspace
**   leave(go_on)    closes the timeline: the game goes on from the chosen frame, or from the present
**   why(field)      plays frames again to find what wrote "Bullet#12.vx"; nil ends that; -> whether it has begun
**   writes()        -> a list { frame, text, frame, text, ... }, newest first; nil while they are searched
**   strip(x, y, w, h)  draws the pictures of the last minutes side by side
*/
#ifndef SP_DEMO_TIMELINE_LUA_H
#define SP_DEMO_TIMELINE_LUA_H

#include "demo/app/rewind.h"

/* Adds `spawnpool.timeline` to the state of the tools. `rewind` is a rewind_of. False, with one line in `error`, when
   memory is refused. */
bool timeline_lua_install(void *rewind, lua_State *L, char *error, size_t error_size);

#endif
