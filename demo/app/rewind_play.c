#include "demo/app/rewind_play.h"

void rewind_put(rewind_of *of, const moment *m)
{
  history *h = &of->tape->history;
  moment_return(m, of->game);
  overlays_rewound(of->overlays);
  *of->frame = m->played;
  *of->steps = m->steps;
  history_play(h, m->frame);
  of->game->storage.is_replayed = true;
  of->silent = (recorder){.game = of->game};
  of->play = (replay){.is_on = true,
                      .recording = {.entries = h->entries, .count = h->count, .last = UINT64_MAX},
                      .game = of->game,
                      .recorder = &of->silent,
                      .next = history_entry_after(h, m->frame),
                      .frame = m->frame,
                      .steps = m->frame_steps,
                      .window = {.width = m->width, .height = m->height, .scale = m->density}};
  game_fit(of->game, &of->play.window);
  of->tape->past = &of->play.window;
  of->origin = m;
  of->moved = true;
  of->is_exact = m != &of->edited;
}

void rewind_play_frame(rewind_of *of)
{
  graphics *g = &of->game->graphics;
  of->tape->history.frame = of->play.frame + 1;
  replay_begin_frame(&of->play);
  for (int i = 0; i < of->play.steps && !of->game->stopped; i++, ++*of->steps)
    game_step(of->game);
  g->update_ms = tape_measured(of->tape, g->update_ms);
  g->draw_ms = tape_measured(of->tape, g->draw_ms);
  of->game->unseen = of->works && of->play.frame < of->target;
  game_draw(of->game);
  of->game->unseen = false;
  *of->frame += of->play.steps > 0;
  if (of->path)
    trail_add(of->path, game_pools(of->game), of->traced, of->play.frame);
}

void rewind_end(rewind_of *of)
{
  history_play_on(&of->tape->history);
  of->game->storage.is_replayed = false;
  of->tape->past = NULL;
}

void rewind_draw_origin(rewind_of *of)
{
  game_draw(of->game);
  rewind_put(of, of->origin);
}

void rewind_seek(rewind_of *of, uint64_t frame, rewind_then then)
{
  const moment *m = history_find(&of->tape->history, frame);
  bool nearer = of->is_exact && of->play.frame <= frame && of->play.frame >= m->frame && then != REWIND_TAKE;
  if (!nearer)
    rewind_put(of, m);
  of->path = NULL;
  of->seen = 0;
  of->target = frame;
  of->then = then;
  of->works = true;
}

bool rewind_keep(rewind_of *of, moment *m)
{
  sp_checkpoint *memory = m->script;
  m->script = NULL;
  moment_free(m);
  *m = (moment){.frame = of->play.frame,
                .played = *of->frame,
                .steps = *of->steps,
                .frame_steps = of->play.steps,
                .width = of->play.window.width,
                .height = of->play.window.height,
                .density = of->play.window.scale};
  return moment_take(m, of->game, memory);
}
