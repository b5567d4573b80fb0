#include "demo/app/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "demo/app/app.h"

#define LIFE "%s#%" PRIu32 ":%" PRIu32

static void print_write(const sp_write *e)
{
  char line[SP_WRITE_BY_MOST + 2 * SP_WRITE_TEXT_MOST + 40];
  sp_write_line(e, line, sizeof line);
  printf("frame %" PRIu64 "  %s\n", e->frame, line);
  if (e->count > 1)
    printf("    and so from frame %" PRIu64 " on, %" PRIu64 " times, beginning with %s\n", e->first_frame, e->count,
           e->first[0] ? e->first : "-");
  for (const char *at = e->stack; at && *at;) {
    size_t length = strcspn(at, "\n");
    printf("    called at %.*s\n", (int)length, at);
    at += length + (at[length] == '\n');
  }
}

/* Lives are listed only where no field is asked for, each below its name. */
static void print_writes(const app *a, const sp_watch *w)
{
  const options *o = a->options;
  const sp_watched *what = &o->watched;
  size_t count, printed = 0;
  uint32_t life = 0;
  const sp_write *writes = sp_watch_writes(w, &count);
  const uint64_t frame = a->log.replay.frame;
  if (!sp_watch_is_live(w) && what->life > 0)
    printf(LIFE " is not live at the end of frame %" PRIu64 "\n", what->type, what->number, what->life, frame);
  else if (!sp_watch_is_live(w))
    printf("%s#%" PRIu32 " is not live at the end of frame %" PRIu64 "\n", what->type, what->number, frame);
  for (size_t i = count; i-- > 0;)
    if (!what->field[0] || writes[i].kind != SP_WRITE_END) {
      if (!what->field[0] && writes[i].life != life)
        printf(LIFE "\n", what->type, what->number, writes[i].life);
      life = writes[i].life;
      print_write(&writes[i]);
      printed++;
    }
  if (printed == 0)
    printf("nothing wrote %s up to frame %" PRIu64 "\n", o->why, frame);
}

/* Ends the replay at the frame that is asked about. */
static bool set_end(app *a, char *problem, size_t size)
{
  recording *r = &a->log.replay.recording;
  if (a->options->at > r->last) {
    snprintf(problem, size, "--at %" PRIu64 ": the recording ends with frame %" PRIu64, a->options->at, r->last);
    return false;
  }
  r->last = a->options->at > 0 ? a->options->at : r->last;
  return true;
}

static bool play(app *a, sp_watch *w, char *problem, size_t size)
{
  sp_watch_begin(w, a->game.script);
  app_start(a);
  while (app_frame(a))
    continue;
  sp_watch_frame(w, a->log.replay.frame);
  return !sp_watch_problem(w, problem, size);
}

int command_why(const options *o)
{
  app a = {.opened = false};
  char problem[1024] = "not enough memory";
  sp_watch *w = sp_watch_new(&o->watched);
  bool opened = w && app_open(&a, o);
  a.log.replay.watch = w;
  a.game.unseen = true;
  bool answered = opened && set_end(&a, problem, sizeof problem) && play(&a, w, problem, sizeof problem);
  if (answered)
    print_writes(&a, w);
  else if (opened || !w)
    report_line(problem);
  int code = app_close(&a);
  sp_watch_free(w);
  return answered && code != APP_USAGE ? APP_FINE : APP_USAGE;
}
