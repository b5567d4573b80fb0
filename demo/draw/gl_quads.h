/*
** Draws quads by OpenGL, straight from the memory in which they were filled. SDL_RenderGeometryRaw checks every index
** and copies each quad as six vertices, which takes four times as long as filling it. SDL's renderer still sets
** everything else: texture, blending, shader, viewport.
*/
#ifndef SP_DEMO_GL_QUADS_H
#define SP_DEMO_GL_QUADS_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gl_quads gl_quads;

/* Attaches itself to the window of a renderer that draws by desktop OpenGL, once a test picture is equal to SDL's,
   pixel by pixel. Other renderers are left alone: gl_quads_of then returns NULL. */
void gl_quads_open(SDL_Renderer *renderer);

/* Detaches what gl_quads_open attached, if it did; call it before the renderer is destroyed. */
void gl_quads_close(SDL_Renderer *renderer);

/* Returns what is attached to the renderer's window, or NULL. */
const gl_quads *gl_quads_of(SDL_Renderer *renderer);

/* Draws quads of four vertices each, clockwise from the top left, after everything that SDL was given before. False
   when SDL refuses; nothing is drawn then. */
bool gl_quads_draw(const gl_quads *it, SDL_Renderer *renderer, SDL_Texture *texture, const SDL_Vertex *vertices,
                   size_t quads);

#endif
