#include "demo/app/recording.h"

#include <inttypes.h>

#include "demo/input/event_text.h"
#include "demo/support/quoted.h"

/* {== Head =============================================================== */

void recording_write_head(FILE *out, const recording_head *head)
{
  fprintf(out, "spawnpool-input %d\nplayer ", RECORDING_VERSION);
  quoted_write(out, head->player);
  fputs("\ngame ", out);
  quoted_write(out, head->game);
  fprintf(out, "\nfiles %016" PRIx64 "\nseed %" PRIu64 "\nsize %d %d %a\nstep %a\nstart %" PRId64 "\nmemory %" PRIu64,
          head->files, head->seed, head->width, head->height, (double)head->density, head->step, head->start,
          head->memory);
  fprintf(out, "\ntrust %s\n", head->trust ? "yes" : "no");
  for (int i = 0; i < head->argc; i++) {
    fputs("argument ", out);
    quoted_write(out, head->argv[i]);
    putc('\n', out);
  }
  fputs("begin\n", out);
}

/* }== */

/* {== Entries ============================================================ */

static void write_set(FILE *out, const recording_entry *entry)
{
  fprintf(out, "set %" PRIu64 " ", entry->object);
  quoted_write(out, entry->field);
  putc(' ', out);
  quoted_write(out, entry->text);
}

static void write_rest(FILE *out, const recording_entry *entry)
{
  switch (entry->kind) {
  case RECORDING_EVENT:
    event_text_write(out, &entry->event);
    fputs(entry->unheard ? " unheard" : "", out);
    break;
  case RECORDING_STEPS:
    fprintf(out, "steps %" PRIu64, entry->number);
    break;
  case RECORDING_SIZE:
    fprintf(out, "size %d %d %a", entry->width, entry->height, (double)entry->density);
    break;
  case RECORDING_EVAL:
    fprintf(out, "eval %" PRIu64 " ", entry->object);
    quoted_write(out, entry->text);
    break;
  case RECORDING_SET:
    write_set(out, entry);
    break;
  case RECORDING_QUIT:
    fputs(entry->number ? "quit ended" : "quit", out);
    break;
  case RECORDING_RELOAD:
    fprintf(out, "reload %016" PRIx64, entry->number);
    break;
  case RECORDING_ERROR:
    fputs("error ", out);
    quoted_write(out, entry->text);
    break;
  case RECORDING_HASH:
    fprintf(out, "hash %016" PRIx64, entry->number);
    break;
  case RECORDING_POOL:
    fputs("pool ", out);
    quoted_write(out, entry->field);
    putc(' ', out);
    quoted_write(out, entry->text);
    break;
  case RECORDING_FRAMES:
    fprintf(out, "frames %" PRIu64 " %s", entry->number, entry->text);
    break;
  case RECORDING_BACK:
    fprintf(out, "back %" PRIu64, entry->number);
    break;
  case RECORDING_END:
    fputs("end", out);
    break;
  }
}

void recording_write_entry(FILE *out, const recording_entry *entry)
{
  fprintf(out, "%" PRIu64 " ", entry->frame);
  write_rest(out, entry);
  putc('\n', out);
}

/* }== */
