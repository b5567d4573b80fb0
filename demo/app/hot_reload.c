#include "demo/app/hot_reload.h"

void hot_reload_open(hot_reload *it, sp_script *script, bool watches)
{
  *it = (hot_reload){.script = script, .watches = watches, .last = SP_POLL_NOTHING};
}

void hot_reload_add_assets(hot_reload *it, assets *const *list, size_t kinds, report *r)
{
  it->assets = list;
  it->kinds = kinds;
  it->report = r;
}

void hot_reload_request(hot_reload *it) { it->requested = true; }

static void count(hot_reload *it, sp_poll_result result)
{
  it->done += result == SP_POLL_RELOADED;
  it->refused += result == SP_POLL_REFUSED;
  it->reverted += result == SP_POLL_REVERTED;
  if (result != SP_POLL_NOTHING)
    it->last = result;
}

/* Polls the assets before the code, which may need them. */
static void poll_assets(hot_reload *it, sp_poll how, double now)
{
  static const sp_poll_result results[] = {
      [ASSETS_UNCHANGED] = SP_POLL_NOTHING, [ASSETS_LOADED] = SP_POLL_RELOADED, [ASSETS_REFUSED] = SP_POLL_REFUSED};
  it->loaded = ASSETS_UNCHANGED;
  for (size_t i = 0; i < it->kinds && how != SP_POLL_REST; i++) {
    assets *kind = it->assets[i];
    assets_result result = kind ? assets_poll(kind, now, how == SP_POLL_NOW, it->report) : ASSETS_UNCHANGED;
    count(it, results[result]);
    if (result != ASSETS_UNCHANGED)
      it->line_source = kind;
    if (result > it->loaded)
      it->loaded = result;
  }
}

sp_poll_result hot_reload_poll(hot_reload *it, double now)
{
  sp_poll how = it->requested ? SP_POLL_NOW : it->watches ? SP_POLL_LOOK : SP_POLL_REST;
  poll_assets(it, how, now);
  sp_poll_result result = sp_script_poll(it->script, how);
  it->requested = false;
  count(it, result);
  if (result != SP_POLL_NOTHING)
    it->line_source = NULL;
  return result;
}

const char *hot_reload_line(const hot_reload *it)
{
  const char *line = it->line_source ? assets_line(it->line_source) : sp_script_reload_line(it->script);
  return line ? line : "";
}

const char *hot_reload_problem(const hot_reload *it, const char **consequence)
{
  const char *problem = NULL;
  for (size_t i = 0; i < it->kinds && !problem; i++)
    problem = it->assets[i] ? assets_problem(it->assets[i], consequence) : NULL;
  return problem;
}

void hot_reload_count(const hot_reload *it, stats_line *line)
{
  line->reloads = it->done;
  line->refused_reloads = it->refused;
  line->reverted_reloads = it->reverted;
  line->reload = hot_reload_line(it);
}
