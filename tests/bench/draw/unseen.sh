#!/bin/sh
# Runs a command in an X display that nobody sees, whose OpenGL driver takes every call and draws nothing: what is left
# is what a frame costs the processor, whatever the graphics card. Exit status: the command's.
export GALLIUM_NOOP=1 LIBGL_ALWAYS_SOFTWARE=1 SDL_VIDEODRIVER=x11 SDL_RENDER_DRIVER=opengl
exec xvfb-run -a -s '-screen 0 1280x720x24' "$@"
