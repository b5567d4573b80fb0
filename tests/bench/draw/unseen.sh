#!/bin/sh
# Runs a command in an X display that nobody sees, whose OpenGL driver takes every call and draws nothing: what is left
# is what a frame costs the processor, whatever the graphics card. Exit status: the command's.
set -eu

folder=$(mktemp -d)
exec 3>"$folder/number"
Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp >/dev/null 2>&1 3>&3 &
server=$!
trap 'kill $server 2>/dev/null; rm -r "$folder"' EXIT
trap 'exit 130' INT TERM
tries=0
until [ -s "$folder/number" ]; do
  tries=$((tries + 1))
  [ "$tries" -le 200 ] || { echo "Xvfb does not start" >&2; exit 1; }
  sleep 0.02
done
DISPLAY=:$(cat "$folder/number")
export DISPLAY
GALLIUM_NOOP=1 LIBGL_ALWAYS_SOFTWARE=1 SDL_VIDEODRIVER=x11 SDL_RENDER_DRIVER=opengl "$@"
