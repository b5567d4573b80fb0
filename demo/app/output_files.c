#include "demo/app/output_files.h"

#include <errno.h>
#include <string.h>

#include "demo/app/wall.h"
#include "demo/capture/screenshot.h"
#include "demo/support/platform.h"

/* {== Reporting ========================================================== */

static bool report_error(output_files *out, const char *problem, double now)
{
  report_line(problem);
  messages_notice(out->of.messages, NOTICE_ERROR, problem, now);
  return false;
}

static void report_saved(output_files *out, const char *file, double now)
{
  char message[OPTIONS_FILE_MOST + 16];
  snprintf(message, sizeof message, "saved %s", file);
  messages_notice(out->of.messages, NOTICE_INFO, message, now);
}

/* }== */

/* {== Opening ============================================================ */

bool output_files_open_writer(const options *o, file_writer *writer)
{
  bool writes = !o->headless || o->screenshot[0];
  if (!o->walled)
    return true;
  wall_prepare();
  return !writes || !wall_is_available() || file_writer_open(writer, o->screenshot);
}

static bool open_stats(output_files *out, char *error, size_t error_size)
{
  const char *file = out->options->stats;
  if (!file)
    return true;
  out->stats_file = strcmp(file, "-") == 0 ? stdout : sp_stream_open(file, "w");
  if (out->stats_file)
    return true;
  snprintf(error, error_size, "cannot write the statistics to '%.1000s': %s", file, strerror(errno));
  return false;
}

bool output_files_open(output_files *out, const options *o, const output_files_of *of, char *error, size_t error_size)
{
  memset(out, 0, sizeof *out);
  out->options = o;
  out->of = *of;
  return open_stats(out, error, error_size);
}

void output_files_start(output_files *out, double now)
{
  if (out->options->headless && !out->options->realtime)
    progress_start(&out->progress, platform_is_terminal(stderr), now);
}

void output_files_close(output_files *out)
{
  if (out->stats_file && out->stats_file != stdout)
    fclose(out->stats_file);
}

/* }== */

/* {== Lines ============================================================== */

bool output_files_stats(output_files *out, const stats *s, const stats_line *line)
{
  char problem[128];
  if (!out->stats_file || stats_write(s, out->stats_file, game_pools(out->of.game), line))
    return true;
  snprintf(problem, sizeof problem, "cannot write the statistics: %s", strerror(errno));
  report_line(problem);
  return false;
}

void output_files_progress(output_files *out, uint64_t frame, double now)
{
  char line[PROGRESS_MOST];
  const sp_manager *pools = game_pools(out->of.game);
  if (progress_line(&out->progress, now, frame, out->options->frames, pools ? sp_time(pools) : 0, line))
    report_line(line);
}

/* }== */

/* {== Pictures =========================================================== */

bool output_files_screenshot(output_files *out, const char *file, double now)
{
  char problem[OPTIONS_FILE_MOST + 256], own[64] = "";
  if (!file)
    screenshot_name(own, sizeof own);
  if (!screenshot_save(out->of.window->renderer, out->of.writer, file ? file : own, problem, sizeof problem))
    return report_error(out, problem, now);
  if (!file)
    report_saved(out, own, now);
  return true;
}

/* }== */
