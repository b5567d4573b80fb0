#include "demo/draw/assets.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/watch/watch.h"

#define PATH_MOST 4096
#define MS_MOST 8.0    /* milliseconds of loading per frame */
#define NAMES_MOST 4   /* files named in a report */
#define NAMES_SIZE 256 /* bytes of their names */

/* Files that are loaded together and reported in one line; loading may take several frames. */
typedef struct batch_of_files {
  size_t count;
  char names[NAMES_SIZE];
  double ms;
} batch_of_files;

struct assets {
  const assets_kind *kind;
  void *ud;
  char *folder; /* of the kind, including the game's folder */
  size_t above; /* length of the game's folder and the slash in it */
  sp_watcher *watch;
  asset *list; /* by name */
  size_t count, room;
  batch_of_files loaded;
  bool polled;  /* `line` was reported */
  bool refused; /* in this poll */
  char line[ASSETS_LINE_MOST], problem[ASSETS_LINE_MOST], consequence[ASSETS_LINE_MOST];
};

/* {== The list =========================================================== */

static char *copy_bytes(const char *bytes, size_t size)
{
  char *copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, bytes, size);
    copy[size] = '\0';
  }
  return copy;
}

static void free_asset(asset *it)
{
  free(it->file);
  free(it->bytes);
  free(it->problem);
}

static size_t find(const assets *a, const char *file)
{
  size_t i = 0;
  while (i < a->count && strcmp(a->list[i].file, file) < 0)
    i++;
  return i;
}

/* Returns the entry of a file, which is added if necessary; NULL when memory is refused. */
static asset *at_file(assets *a, const char *file)
{
  size_t i = find(a, file);
  if (i < a->count && strcmp(a->list[i].file, file) == 0)
    return &a->list[i];
  if (a->count == a->room) {
    size_t room = a->room ? a->room * 2 : 16;
    asset *list = realloc(a->list, room * sizeof *list);
    if (!list)
      return NULL;
    a->list = list;
    a->room = room;
  }
  char *name = strdup(file);
  if (!name)
    return NULL;
  memmove(a->list + i + 1, a->list + i, (a->count - i) * sizeof *a->list);
  a->count++;
  a->list[i] = (asset){.file = name};
  return &a->list[i];
}

const asset *assets_at(const assets *a, size_t i) { return i < a->count ? &a->list[i] : NULL; }

static void set_problem(asset *it, const char *problem)
{
  free(it->problem);
  it->problem = problem ? strdup(problem) : NULL;
}

void assets_note(assets *a, size_t i, const char *problem)
{
  if (problem)
    set_problem(&a->list[i], problem);
  else
    a->list[i].was_good = true;
}

void assets_path(const assets *a, const char *file, char *path, size_t size)
{
  snprintf(path, size, "%s/%s", a->folder, file);
}

/* }== */

/* {== Reporting ========================================================== */

static void report_line_of(assets *a, report *r, sp_report kind, const char *line)
{
  snprintf(a->line, sizeof a->line, "%.*s", ASSETS_LINE_MOST - 1, line);
  report_say(r, kind, line);
}

/* Writes the consequence of a file's problem for the game. */
static void explain(const assets *a, const asset *it, char *text, size_t size)
{
  if (it->was_good)
    snprintf(text, size, "its last good %s stays until you save it again", a->kind->noun);
  else
    snprintf(text, size, "%s until you save it again", a->kind->instead);
}

static void report_refused(assets *a, asset *it, const char *problem, report *r)
{
  char line[PATH_MOST + ASSETS_LINE_MOST], consequence[ASSETS_LINE_MOST];
  set_problem(it, problem);
  a->refused = true;
  explain(a, it, consequence, sizeof consequence);
  snprintf(line, sizeof line, "%s/%s: %s; %s", a->folder, it->file, problem, consequence);
  report_line_of(a, r, SP_REPORT_WARNING, line);
}

static void report_removed(assets *a, asset *it, report *r)
{
  char line[ASSETS_LINE_MOST];
  set_problem(it, NULL);
  snprintf(line, sizeof line, "%s/%s was deleted: its last %s stays", a->folder + a->above, it->file, a->kind->noun);
  report_line_of(a, r, SP_REPORT_WARNING, line);
}

static void add_name(assets *a, const char *file)
{
  batch_of_files *b = &a->loaded;
  size_t used = strlen(b->names);
  if (b->count++ < NAMES_MOST)
    snprintf(b->names + used, sizeof b->names - used, "%s%s/%s", used ? ", " : "", a->folder + a->above, file);
}

/* Writes the effect of the loaded files on the game. */
static void describe_effect(const assets *a, char *text, size_t size)
{
  size_t users = a->kind->effect ? 0 : a->kind->count_users(a->ud);
  if (a->kind->effect)
    snprintf(text, size, "%s", a->kind->effect);
  else
    snprintf(text, size, "%zu object%s %s %s", users, users == 1 ? "" : "s", users == 1 ? "shows" : "show",
             a->loaded.count == 1 ? "it" : "them");
}

/* Reports the loaded files once all that were due are loaded. */
static bool report_loaded(assets *a, report *r)
{
  const batch_of_files *b = &a->loaded;
  char line[ASSETS_LINE_MOST], more[32] = "", effect[64];
  if (b->count == 0)
    return false;
  if (b->count > NAMES_MOST)
    snprintf(more, sizeof more, " and %zu more", b->count - NAMES_MOST);
  describe_effect(a, effect, sizeof effect);
  snprintf(line, sizeof line, "reloaded %s%s in %.1f ms: %s", b->names, more, b->ms, effect);
  report_line_of(a, r, SP_REPORT_RELOAD, line);
  a->loaded = (batch_of_files){0};
  return true;
}

const char *assets_line(const assets *a) { return a->line; }

const char *assets_problem(const assets *a, const char **consequence)
{
  *consequence = a->consequence;
  return a->problem[0] ? a->problem : NULL;
}

/* Copies the first problem, because the list may move. */
static void find_problem(assets *a)
{
  size_t i = 0;
  while (i < a->count && !a->list[i].problem)
    i++;
  a->problem[0] = '\0';
  if (i == a->count)
    return;
  snprintf(a->problem, sizeof a->problem, "%s/%s: %s", a->folder + a->above, a->list[i].file, a->list[i].problem);
  explain(a, &a->list[i], a->consequence, sizeof a->consequence);
}

/* }== */

/* {== Taking changes ===================================================== */

static double now_ms(void) { return (double)SDL_GetPerformanceCounter() * 1e3 / (double)SDL_GetPerformanceFrequency(); }

/* Loads a file, and keeps its content if that succeeds. */
static void load(assets *a, asset *it, const sp_watcher_change *change, report *r)
{
  double begin = now_ms();
  char *bytes = copy_bytes(change->text, change->size);
  SDL_ClearError();
  if (!bytes || !a->kind->load(a->ud, it->file, bytes, change->size)) {
    const char *why = SDL_GetError();
    free(bytes);
    report_refused(a, it, bytes && *why ? why : "not enough memory", r);
    return;
  }
  free(it->bytes);
  it->bytes = bytes;
  it->size = change->size;
  it->was_good = true;
  set_problem(it, NULL);
  add_name(a, it->file);
  a->loaded.ms += now_ms() - begin;
}

/* Handles a change of a file, or a problem of the folder itself. */
static void apply_change(assets *a, const sp_watcher_change *change, report *r)
{
  size_t length = strlen(a->folder);
  const char *file = change->path[length] == '/' ? change->path + length + 1 : NULL;
  asset *it = file ? at_file(a, file) : NULL;
  if (it && change->kind == SP_WATCHER_GONE) {
    report_removed(a, it, r);
  } else if (it && change->problem) {
    report_refused(a, it, change->problem, r);
  } else if (it) {
    load(a, it, change, r);
  } else {
    char line[PATH_MOST + ASSETS_LINE_MOST];
    snprintf(line, sizeof line, "%s: %s", change->path, change->problem ? change->problem : "not enough memory");
    report_line_of(a, r, SP_REPORT_WARNING, line);
  }
}

/* F5 reports remaining problems again. */
static void report_again(assets *a, report *r)
{
  for (size_t i = 0; i < a->count; i++)
    if (a->list[i].problem) {
      char *problem = a->list[i].problem;
      a->list[i].problem = NULL;
      report_refused(a, &a->list[i], problem, r);
      free(problem);
    }
}

/* Loads files that are due for at most `ms_most` milliseconds; false when some are left. */
static bool load_due(assets *a, double ms_most, report *r)
{
  sp_watcher_change change;
  double begin = now_ms();
  while (a->watch && sp_watcher_next(a->watch, &change)) {
    apply_change(a, &change, r);
    if (now_ms() - begin > ms_most)
      return false;
  }
  return true;
}

assets_result assets_poll(assets *a, double now, bool hurry, report *r)
{
  bool due = a->watch && sp_watcher_poll(a->watch, now, hurry);
  if (!a->polled && a->line[0])
    report_say(r, SP_REPORT_WARNING, a->line);
  a->polled = true;
  if (!due && !hurry && a->loaded.count == 0)
    return ASSETS_UNCHANGED;
  a->refused = false;
  bool loaded = load_due(a, hurry ? HUGE_VAL : MS_MOST, r) && report_loaded(a, r);
  if (hurry && !a->refused)
    report_again(a, r);
  find_problem(a);
  return a->refused ? ASSETS_REFUSED : loaded ? ASSETS_LOADED : ASSETS_UNCHANGED;
}

/* }== */

/* {== Opening ============================================================ */

/* Adds the files that exist when the assets are opened; the caller loads them. Returns false if memory is refused. */
static bool add_first(assets *a, const sp_watcher_change *change)
{
  size_t length = strlen(a->folder);
  if (change->path[length] != '/') { /* a problem of the folder */
    snprintf(a->line, sizeof a->line, "%s: %s", a->folder, change->problem);
    return true;
  }
  asset *it = at_file(a, change->path + length + 1);
  if (!it)
    return false;
  set_problem(it, change->problem);
  it->bytes = change->text ? copy_bytes(change->text, change->size) : NULL;
  it->size = change->size;
  return it->bytes || it->problem;
}

static bool add_watched(assets *a, const char *beneath)
{
  sp_watcher_change change;
  a->watch = sp_watcher_open(&(sp_watcher_options){
      .root = a->folder, .folder = beneath, .endings = a->kind->endings, .report_existing = true});
  bool fine = a->watch != NULL;
  for (bool due = fine && sp_watcher_poll(a->watch, 0, true); fine && due && sp_watcher_next(a->watch, &change);)
    fine = add_first(a, &change);
  return fine;
}

static bool has_ending(const assets *a, const char *file)
{
  const char *const *ending = a->kind->endings;
  size_t length = strlen(file);
  while (*ending && (length <= strlen(*ending) || SDL_strcasecmp(file + length - strlen(*ending), *ending) != 0))
    ending++;
  return *ending && file[0] != '.' && !strchr(file, '/');
}

/* Adds the files of a game in memory. */
static bool add_given(assets *a, const sp_script_file *given)
{
  const char *kind = a->folder + a->above;
  size_t length = strlen(kind);
  for (asset *it; given->name; given++) {
    if (strncmp(given->name, kind, length) != 0 || given->name[length] != '/' ||
        !has_ending(a, given->name + length + 1))
      continue;
    if (!(it = at_file(a, given->name + length + 1)) || !(it->bytes = copy_bytes(given->source, given->size)))
      return false;
    it->size = given->size;
  }
  return true;
}

assets *assets_open(const assets_kind *kind, void *ud, const char *folder, const char *beneath,
                    const sp_script_file *given)
{
  assets *a = calloc(1, sizeof *a);
  size_t length = strlen(folder), size = length + strlen(kind->folder) + 2;
  if (!a)
    return NULL;
  a->kind = kind;
  a->ud = ud;
  a->above = length + 1;
  a->folder = malloc(size);
  if (a->folder)
    snprintf(a->folder, size, "%s/%s", folder, kind->folder);
  if (a->folder && (given ? add_given(a, given) : add_watched(a, beneath)))
    return a;
  assets_close(a);
  return NULL;
}

void assets_close(assets *a)
{
  if (!a)
    return;
  sp_watcher_close(a->watch);
  for (size_t i = 0; i < a->count; i++)
    free_asset(&a->list[i]);
  free(a->list);
  free(a->folder);
  free(a);
}

/* }== */
