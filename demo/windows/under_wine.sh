#!/bin/sh
# The player for Windows as a program of this system: the suites that test the player from outside run it by this name.
# A folder under / is one of drive Z: there.
export WINEDEBUG=-all SDL_AUDIODRIVER="${SDL_AUDIODRIVER:-dummy}"
exec wine "$(dirname "$0")/player/spawnpool.exe" "$@"
