/*
** Everything is made in memory and then written, each file as a whole. Bytes depend on the game and the player alone:
** files go in by name, without dates.
*/
#include "demo/app/pack.h"

#include <SDL.h>
#include <errno.h>
#include <inttypes.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "demo/app/app.h"
#include "demo/app/game_folder.h"
#include "demo/app/pe_resources.h"
#include "demo/app/zip_game.h"
#include "demo/capture/file_writer.h"
#include "demo/draw/picture.h"
#include "demo/support/platform.h"
#include "script/state/disk.h"
#ifdef __linux__
#include "demo/linux/elf.h"
#include "script/state/written.h"
#endif

#define DEEPEST 16       /* folders */
#define NAME_MOST 512    /* bytes of a path in the game */
#define FILES_MOST 20000 /* of a game, and of a player */
#define PLAYER_MOST ((size_t)256 << 20)
#define GAME_IN_PAGE "game.zip"

/* {== Bytes ============================================================== */

typedef struct block {
  char *bytes;
  size_t size, room, at;
  bool is_refused; /* memory was */
} block;

static void put(block *b, const void *bytes, size_t size)
{
  if (b->at + size > b->room && !b->is_refused) {
    size_t room = (b->at + size) * 2;
    char *more = realloc(b->bytes, room);
    b->is_refused = !more;
    b->bytes = more ? more : b->bytes;
    b->room = more ? room : b->room;
  }
  if (b->is_refused)
    return;
  memcpy(b->bytes + b->at, bytes, size);
  b->at += size;
  b->size = b->at > b->size ? b->at : b->size;
}

/* Files of minizip, in memory. */
static void *open_block(void *ud, const void *name, int mode) { return (void)name, (void)mode, ud; }

static uLong read_block(void *ud, void *stream, void *bytes, uLong size)
{
  block *b = stream;
  size_t left = b->size - b->at, got = size < left ? size : left;
  (void)ud;
  memcpy(bytes, b->bytes + b->at, got);
  b->at += got;
  return (uLong)got;
}

static uLong write_block(void *ud, void *stream, const void *bytes, uLong size)
{
  block *b = stream;
  (void)ud;
  put(b, bytes, size);
  return b->is_refused ? 0 : size;
}

static ZPOS64_T tell_block(void *ud, void *stream) { return (void)ud, ((block *)stream)->at; }

static long seek_block(void *ud, void *stream, ZPOS64_T offset, int from)
{
  block *b = stream;
  (void)ud;
  b->at = (size_t)offset + (from == ZLIB_FILEFUNC_SEEK_CUR ? b->at : from == ZLIB_FILEFUNC_SEEK_END ? b->size : 0);
  return 0;
}

static int close_block(void *ud, void *stream) { return (void)ud, (void)stream, 0; }

static int test_block(void *ud, void *stream) { return (void)ud, ((block *)stream)->is_refused; }

/* }== */

/* {== Lists of files ===================================================== */

typedef struct list {
  sp_script_file *files;
  size_t count;
  uint64_t size;
  char problem[SP_PATH_MOST + SP_FILE_PROBLEM_MOST]; /* "": none */
} list;

static void free_list(list *l)
{
  for (size_t i = 0; i < l->count; i++) {
    free((char *)l->files[i].name);
    free((char *)l->files[i].source);
  }
  free(l->files);
  *l = (list){.count = 0};
}

static void fail_list(list *l, const char *path, const char *why)
{
  if (!l->problem[0])
    snprintf(l->problem, sizeof l->problem, "%.2000s: %.200s", path, why);
}

/* Adds a file; the list owns `bytes`. */
static void add(list *l, const char *name, char *bytes, size_t size)
{
  char *copy = strdup(name);
  sp_script_file *files = realloc(l->files, (l->count + 1) * sizeof *files);
  l->files = files ? files : l->files;
  if (!copy || !files || !bytes) {
    free(copy);
    free(bytes);
    fail_list(l, name, "not enough memory");
    return;
  }
  files[l->count++] = (sp_script_file){copy, bytes, size};
  l->size += size;
}

/* Adds all files of a folder, by the rules of a game's folder if `root` is given: links that leave it are refused. */
static void add_folder(list *l, const char *root, const char *folder, const char *below, int depth)
{
  sp_folder_stream *found = root ? sp_folder_list(root, folder) : sp_folder_stream_open(folder);
  for (const char *name; found && (name = sp_folder_stream_next(found, NULL)) != NULL && l->count < FILES_MOST;) {
    char path[SP_PATH_MOST], inside[NAME_MOST], why[SP_FILE_PROBLEM_MOST];
    sp_facts facts;
    size_t size = 0;
    if (name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
        snprintf(inside, sizeof inside, "%s%s", below, name) >= (int)sizeof inside - 1 ||
        !sp_facts_of_path(path, true, &facts))
      continue;
    if (facts.kind == SP_KIND_FOLDER && !sp_path_is_link(path) && depth < DEEPEST) {
      strcat(inside, "/");
      add_folder(l, root, path, inside, depth + 1);
    } else if (facts.kind == SP_KIND_FILE) {
      int file = sp_folder_open(root, path, why);
      char *bytes = file < 0 ? NULL : game_folder_read(file, PLAYER_MOST, &size);
      if (bytes)
        add(l, inside, bytes, size);
      else
        fail_list(l, path, file < 0 ? why : strerror(errno));
    }
  }
  sp_folder_stream_close(found);
}

/* Makes a zip of a list. The block must be free, or begin with what stands before the zip. */
static bool write_zip(block *out, const list *l, const char *program)
{
  zlib_filefunc64_def functions = {.zopen64_file = open_block,
                                   .zread_file = read_block,
                                   .zwrite_file = write_block,
                                   .ztell64_file = tell_block,
                                   .zseek64_file = seek_block,
                                   .zclose_file = close_block,
                                   .zerror_file = test_block,
                                   .opaque = out};
  block parts = {.size = 0}, *into = out->size > 0 ? &parts : out;
  functions.opaque = into;
  zipFile zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
  bool fine = zip != NULL;
  for (size_t i = 0; fine && i < l->count; i++) {
    const sp_script_file *f = &l->files[i];
    unsigned mode = program && strcmp(f->name, program) == 0 ? 0100755 : 0100644;
    zip_fileinfo info = {.dosDate = 0x00210000, .external_fa = (uLong)mode << 16}; /* the first day of 1980 */
    fine = zipOpenNewFileInZip4(zip, f->name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 9, 0, -MAX_WBITS,
                                DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, 3 << 8 | 20, 0) == ZIP_OK &&
           zipWriteInFileInZip(zip, f->source, (unsigned)f->size) == ZIP_OK && zipCloseFileInZip(zip) == ZIP_OK;
  }
  fine = zip && zipClose(zip, NULL) == ZIP_OK && fine && !into->is_refused;
  if (into == &parts && fine)
    put(out, parts.bytes, parts.size);
  free(parts.bytes);
  return fine && !out->is_refused;
}

/* }== */

/* {== The game =========================================================== */

typedef struct packing {
  const options *options;
  char name[200];
  game game;
  game_settings settings;
  list files;   /* of the game */
  block zip;    /* of these */
  list outputs; /* what is written at the end, by file name */
  char lines[8][512];
  int line_count;
} packing;

static bool ends_with(const char *name, const char *const *endings)
{
  size_t length = strlen(name);
  for (; *endings; endings++)
    if (length > strlen(*endings) && SDL_strcasecmp(name + length - strlen(*endings), *endings) == 0)
      return true;
  return false;
}

bool pack_is_notice(const char *name)
{
  static const char *const notices[] = {"LICENSE", "LICENCE", "COPYING", "CREDITS"};
  for (size_t i = 0; i < sizeof notices / sizeof *notices; i++)
    if (SDL_strncasecmp(name, notices[i], strlen(notices[i])) == 0)
      return true;
  return false;
}

/* Returns whether a game can use a file: code, files in the folders of assets, the icon, and licences. */
static bool is_useful(const packing *p, const char *name)
{
  static const struct {
    const char *folder, *endings[4];
  } kinds[] = {{"", {".lua", NULL}},
               {"sprites/", {".png", ".json", NULL}},
               {"sounds/", {".wav", ".ogg", NULL}},
               {"fonts/", {".ttf", ".otf", ".png", NULL}}};
  if (strcmp(name, p->settings.icon) == 0 || pack_is_notice(name))
    return true;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i].folder);
    const char *file = name + length;
    if (strncmp(name, kinds[i].folder, length) == 0 && (length == 0 || !strchr(file, '/')) &&
        ends_with(file, kinds[i].endings))
      return true;
  }
  return false;
}

static void say(packing *p, const char *format, ...) SDL_PRINTF_VARARG_FUNC(2);
static void say(packing *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (p->line_count < 8)
    vsnprintf(p->lines[p->line_count++], sizeof p->lines[0], format, args);
  va_end(args);
}

static int refuse(const char *problem)
{
  report_line(problem);
  return APP_USAGE;
}

/* Moves what the game cannot use out of the list, and says so. */
static void leave_out(packing *p)
{
  char names[400] = "";
  size_t kept = 0, left = 0, used = 0;
  uint64_t size = 0;
  for (size_t i = 0; i < p->files.count; i++) {
    sp_script_file f = p->files.files[i];
    if (is_useful(p, f.name)) {
      p->files.files[kept++] = f;
      continue;
    }
    if (used + strlen(f.name) + 8 < sizeof names)
      used += (size_t)sprintf(names + used, "%s%s", left ? ", " : "", f.name);
    else if (used + 4 < sizeof names && names[used - 1] != '.')
      used += (size_t)sprintf(names + used, "...");
    left++;
    size += f.size;
    free((char *)f.name);
    free((char *)f.source);
  }
  p->files.count = kept;
  p->files.size -= size;
  if (left > 0)
    say(p, "left out: %s (%zu file%s, %" PRIu64 " KB): no game reads such files", names, left, left == 1 ? "" : "s",
        (size + 1023) / 1024);
}

/* Copies the list of a game in memory. */
static void add_given(list *l, const sp_script_file *file)
{
  for (; file->name; file++) {
    char *bytes = malloc(file->size + 1);
    if (bytes)
      memcpy(bytes, file->source, file->size + 1);
    if (file->name[0] != '.' && !strstr(file->name, "/."))
      add(l, file->name, bytes, file->size);
    else
      free(bytes);
  }
}

/* Reads the files that belong to the game at `folder`. False with the problem in the list. */
static bool read_files(packing *p, const char *folder)
{
  if (p->options->files)
    add_given(&p->files, p->options->files);
  else
    add_folder(&p->files, folder, folder, "", 0);
  if (p->files.count == FILES_MOST)
    fail_list(&p->files, folder, "it has too many files to be packed");
  if (p->files.problem[0])
    return false;
  leave_out(p);
  return true;
}

void *pack_with(const options *o, const game *it, const sp_script_file *more, size_t *size, char *problem)
{
  packing *p = calloc(1, sizeof *p);
  void *bytes = NULL;
  snprintf(problem, 256, "no bug file: not enough memory");
  if (!p)
    return NULL;
  p->options = o;
  p->settings = it->settings;
  bool fine = read_files(p, sp_script_folder(it->script));
  add_given(&p->files, more);
  qsort(p->files.files, p->files.count, sizeof *p->files.files, zip_game_by_name);
  if (fine && !p->files.problem[0] && write_zip(&p->zip, &p->files, NULL)) {
    bytes = p->zip.bytes;
    *size = p->zip.size;
  } else {
    free(p->zip.bytes);
  }
  if (p->files.problem[0])
    snprintf(problem, 256, "no bug file: %.200s", p->files.problem);
  free_list(&p->files);
  free(p);
  return bytes;
}

/* Checks the game and reads its files. Returns an exit code. */
static int read_game(packing *p)
{
  const options *o = p->options;
  char problem[1024];
  size_t count, problems;
  options checking = *o;
  report out = {.print = stdout};
  checking.check = true;
  if (!game_open(&p->game, &checking, &out, problem, sizeof problem))
    return refuse(problem);
  const char *folder = sp_script_folder(p->game.script);
  problems = game_check(&p->game, report_file_problem, NULL, &count);
  if (problems > 0) {
    report_print(stderr, "spawnpool: nothing was packed: %zu problem%s\n", problems, problems == 1 ? "" : "s");
    return APP_SCRIPT_ERROR;
  }
  game_read_settings(&p->game);
  p->settings = p->game.settings;
  if (!read_files(p, folder))
    return refuse(p->files.problem);
  qsort(p->files.files, p->files.count, sizeof *p->files.files, zip_game_by_name);
  return write_zip(&p->zip, &p->files, NULL) ? APP_FINE : refuse("not enough memory to pack the game");
}

/* }== */

/* {== The systems ======================================================== */

static unsigned long kib(uint64_t size) { return (unsigned long)((size + 1023) / 1024); }

/* Takes over a block as a file that is to be written; `parts` says what it is made of. */
static void output(packing *p, const char *name, block *b, const char *parts)
{
  say(p, "%s/%s  %lu KB: %s", p->options->out, name, kib(b->size), parts);
  add(&p->outputs, name, b->bytes, b->size);
  *b = (block){.size = 0};
}

static bool pack_zip(packing *p)
{
  char name[256], parts[64];
  block copy = {.size = 0};
  put(&copy, p->zip.bytes, p->zip.size);
  snprintf(name, sizeof name, "%s.zip", p->name);
  snprintf(parts, sizeof parts, "%zu file%s", p->files.count, p->files.count == 1 ? "" : "s");
  output(p, name, &copy, parts);
  return true;
}

/* Writes the folder of a player that is no part of this program. False, with a line that says how to get it. */
static bool find_player(const char *kind, const char *const *places, const char *file, char *path, size_t size)
{
  char *base = SDL_GetBasePath(), probe[SP_PATH_MOST];
  bool found = false;
  if (base)
    platform_slashes(base);
  for (int i = 0; base && places[i] && !found; i++) {
    snprintf(path, size, "%s%s", base, places[i]);
    snprintf(probe, sizeof probe, "%.3000s/%s", path, file);
    found = platform_may_read(probe);
  }
  if (!found)
    report_print(
        stderr,
        "spawnpool: the player for %s is not installed: `make %s` in its sources builds it, or unpack the %s zip of "
        "a release into %s%s\n",
        kind, kind, kind, base ? base : "", places[0]);
  SDL_free(base);
  return found;
}

#ifdef __linux__

static void add_library(const char *name, void *ud)
{
  char *names = ud;
  size_t used = strlen(names);
  if (used + strlen(name) + 3 < 300)
    sprintf(names + used, "%s%s", used ? ", " : "", name);
}

/* Adds a program without what debuggers read, which names files of the machine that it was built on. */
static bool put_program(block *out, const char *bytes, size_t size)
{
  size_t end = elf_size(bytes, size), begin = out->at;
  if (end == 0)
    return false;
  put(out, bytes, end);
  if (out->is_refused)
    return false;
  Elf64_Ehdr *head = (Elf64_Ehdr *)(out->bytes + begin);
  head->e_shoff = 0;
  head->e_shnum = head->e_shstrndx = 0;
  return true;
}

static bool pack_linux(packing *p)
{
  char parts[512], libraries[300] = "", why[SP_FILE_PROBLEM_MOST];
  size_t size = 0;
  block out = {.size = 0};
  char *player = game_folder_read(sp_folder_open(NULL, "/proc/self/exe", why), PLAYER_MOST, &size);
  bool fine = player && put_program(&out, pack_front.source, pack_front.size) && put_program(&out, player, size);
  size_t programs = out.size;
  put(&out, p->zip.bytes, p->zip.size);
  fine = fine && !out.is_refused;
  if (fine) {
    elf_each_needed(player, size, add_library, libraries);
    snprintf(parts, sizeof parts, "player %lu, game %lu; it needs %s", kib(programs), kib(p->zip.size), libraries);
    output(p, p->name, &out, parts);
  } else {
    report_line("cannot read this player to pack it");
  }
  free(player);
  free(out.bytes);
  return fine;
}

#else

static bool pack_linux(packing *p)
{
  (void)p;
  report_line("the player for linux is not installed: an executable for Linux is packed on Linux");
  return false;
}

#endif

/* Returns a smaller copy of a square picture, which it frees: at most half the side at once, so that no pixel of it is
   left out. */
static SDL_Surface *reduce(SDL_Surface *large)
{
  while (large && large->w > PE_ICON_MOST) {
    int side = large->w / 2 > PE_ICON_MOST ? large->w / 2 : PE_ICON_MOST;
    SDL_Surface *small = SDL_CreateRGBSurfaceWithFormat(0, side, side, 32, large->format->format);
    if (small && SDL_SoftStretchLinear(large, NULL, small, NULL) != 0) {
      SDL_FreeSurface(small);
      small = NULL;
    }
    SDL_FreeSurface(large);
    large = small;
  }
  return large;
}

/* Returns the game's icon as a PNG of a size that programs can have, from malloc. NULL: it has none, or no memory. */
static char *read_icon(packing *p, size_t *size)
{
  int w, h;
  const char *name = p->settings.icon;
  char *file = name[0] ? game_read_file(&p->game, name, GAME_ICON_MOST, size) : NULL;
  uint32_t *pixels = file ? image_load(file, *size, &w, &h) : NULL;
  if (pixels && w > PE_ICON_MOST) {
    SDL_Surface *small = reduce(SDL_CreateRGBSurfaceWithFormatFrom(pixels, w, h, 32, w * 4, SDL_PIXELFORMAT_ARGB8888));
    free(file);
    file = small ? screenshot_encode(small, size) : NULL;
    SDL_FreeSurface(small);
  }
  free(pixels);
  return file;
}

/* Puts the game behind the player, which gets its icon and version. */
static bool make_exe(packing *p, const sp_script_file *player, block *exe)
{
  const game_settings *s = &p->settings;
  size_t size, icon_size = 0;
  char *icon = read_icon(p, &icon_size);
  pe_about about = {.title = s->title[0] ? s->title : p->name,
                    .version = s->version,
                    .icon = icon ? icon : player_icon.source,
                    .icon_size = icon ? icon_size : player_icon.size};
  char *bytes = pe_with_resources(player->source, player->size, &about, &size);
  if (bytes)
    put(exe, bytes, size);
  put(exe, p->zip.bytes, p->zip.size);
  free(bytes);
  free(icon);
  return bytes && !exe->is_refused;
}

static bool pack_windows(packing *p)
{
  static const char *const places[] = {"../share/spawnpool/players/windows", "players/windows",
                                       "windows/spawnpool-" SP_VERSION, NULL};
  char folder[SP_PATH_MOST], name[256], program[256], parts[128];
  list all = {.count = 0}, put_in = {.count = 0};
  block exe = {.size = 0}, zip = {.size = 0};
  bool fine = find_player("windows", places, "spawnpool.exe", folder, sizeof folder);
  if (fine)
    add_folder(&all, NULL, folder, "", 0);
  snprintf(program, sizeof program, "%s.exe", p->name);
  for (size_t i = 0; fine && i < all.count; i++) {
    sp_script_file *f = &all.files[i];
    bool is_player = strcmp(f->name, "spawnpool.exe") == 0;
    bool goes_in = strncmp(f->name, "fonts/", 6) == 0 || strncmp(f->name, "licenses/", 9) == 0 ||
                   (!strchr(f->name, '/') && ends_with(f->name, (const char *const[]){".dll", NULL}));
    if (is_player && (fine = make_exe(p, f, &exe))) {
      snprintf(parts, sizeof parts, "player %lu, game %lu, fonts and licences beside it", kib(f->size),
               kib(p->zip.size));
      add(&put_in, program, exe.bytes, exe.size);
    } else if (goes_in) {
      add(&put_in, f->name, (char *)f->source, f->size);
      f->source = NULL;
    }
  }
  qsort(put_in.files, put_in.count, sizeof *put_in.files, zip_game_by_name);
  if (fine && (!write_zip(&zip, &put_in, program) || put_in.problem[0]))
    fine = (report_line("not enough memory to pack the game"), false);
  snprintf(name, sizeof name, "%s-windows.zip", p->name);
  if (fine)
    output(p, name, &zip, parts);
  free(zip.bytes);
  free_list(&put_in);
  free_list(&all);
  return fine;
}

static void put_escaped(block *out, const char *words)
{
  for (; *words; words++) {
    const char *safe = *words == '<' ? "&lt;" : *words == '&' ? "&amp;" : *words == '"' ? "&quot;" : NULL;
    put(out, safe ? safe : words, safe ? strlen(safe) : 1);
  }
}

/* Puts the title and the id of the game into the page, in the places of TITLE and GAME_ID. */
static void put_page(block *out, const char *page, const char *title, const char *id)
{
  for (const char *t, *i, *at; (t = strstr(page, "TITLE"), i = strstr(page, "GAME_ID"), t || i);) {
    bool is_title = t && (!i || t < i);
    at = is_title ? t : i;
    put(out, page, (size_t)(at - page));
    put_escaped(out, is_title ? title : id);
    page = at + strlen(is_title ? "TITLE" : "GAME_ID");
  }
  put(out, page, strlen(page) + 1);
  out->size = out->at -= 1;
}

static bool pack_web(packing *p)
{
  static const char *const places[] = {"../share/spawnpool/players/web", "players/web", "web/packed", NULL};
  char folder[SP_PATH_MOST], name[256], parts[128];
  list all = {.count = 0};
  block zip = {.size = 0}, page = {.size = 0}, copy = {.size = 0};
  if (!find_player("web", places, "spawnpool.wasm", folder, sizeof folder))
    return false;
  add_folder(&all, NULL, folder, "", 0);
  snprintf(parts, sizeof parts, "page and player %lu unpacked, game %lu", kib(all.size), kib(p->zip.size));
  for (size_t i = 0; i < all.count; i++)
    if (strcmp(all.files[i].name, "index.html") == 0) {
      put_page(&page, all.files[i].source, p->settings.title[0] ? p->settings.title : p->name,
               p->settings.id[0] ? p->settings.id : p->name);
      free((char *)all.files[i].source);
      all.files[i].source = page.bytes;
      all.files[i].size = page.size;
    }
  put(&copy, p->zip.bytes, p->zip.size);
  add(&all, GAME_IN_PAGE, copy.bytes, copy.size);
  qsort(all.files, all.count, sizeof *all.files, zip_game_by_name);
  bool fine = !all.problem[0] && write_zip(&zip, &all, NULL);
  snprintf(name, sizeof name, "%s-web.zip", p->name);
  if (fine)
    output(p, name, &zip, parts);
  else
    report_line("not enough memory to pack the game");
  free(zip.bytes);
  free_list(&all);
  return fine;
}

/* }== */

/* {== The command ======================================================== */

static const struct {
  const char *name;
  bool (*pack)(packing *p);
} systems[] = {{"zip", pack_zip}, {"linux", pack_linux}, {"windows", pack_windows}, {"web", pack_web}};

enum { SYSTEMS = sizeof systems / sizeof *systems };

/* Returns the systems of a list "zip,linux" as bits; 0: there is an unknown one, which is reported. */
static unsigned wanted(const char *names)
{
  unsigned bits = 0;
  for (size_t size; *names; names += size + (names[size] == ',')) {
    unsigned bit = 0;
    size = strcspn(names, ",");
    for (int i = 0; i < SYSTEMS; i++)
      if (strlen(systems[i].name) == size && strncmp(names, systems[i].name, size) == 0)
        bit = 1u << i;
    if (bit == 0) {
      report_print(stderr, "spawnpool: --for takes zip, linux, windows and web, parted by commas, not '%.*s'\n",
                   (int)size, names);
      return 0;
    }
    bits |= bit;
  }
  return bits;
}

static bool is_link(const char *path)
{
  sp_facts facts;
  return sp_facts_of_path(path, false, &facts) && facts.kind == SP_KIND_LINK;
}

/* Writes all files. A file of an earlier call stays when its successor cannot be written. What a stranger's game holds
   leads nowhere else: a link in the place of a file is replaced, and one in that of the usual folder is refused. */
static int write_outputs(const packing *p)
{
  const char *out = p->options->out ? p->options->out : "dist";
  char path[SP_PATH_MOST];
  if (!p->options->out && is_link(out))
    return refuse("the folder dist is a link: name the folder to write to, by --out");
  int problem = sp_folder_make(out, false);
  snprintf(path, sizeof path, "%.3000s", out);
  for (size_t i = 0; problem == 0 && i < p->outputs.count; i++) {
    const sp_script_file *f = &p->outputs.files[i];
    snprintf(path, sizeof path, "%.3000s/%s", out, f->name);
    problem = is_link(path) ? sp_file_remove(path) : 0;
    problem = problem ? problem : sp_file_write_whole(path, f->source, f->size);
#ifndef _WIN32
    if (problem == 0 && memcmp(f->source, "\177ELF", 4) == 0 && chmod(path, 0755) != 0)
      problem = errno;
#endif
  }
  if (problem == 0)
    return APP_FINE;
  report_print(stderr, "spawnpool: cannot write %s: %s\n", path, strerror(problem));
  return APP_USAGE;
}

static int pack_all(packing *p)
{
  const bool all = !p->options->pack_for[0];
  unsigned bits = all ? (1u << SYSTEMS) - 1 : wanted(p->options->pack_for);
  int code = bits == 0 ? APP_USAGE : read_game(p);
  for (int i = 0; i < SYSTEMS && code == APP_FINE; i++)
    if ((bits >> i & 1) && !systems[i].pack(p) && !all)
      code = APP_USAGE;
  if (code == APP_FINE && p->outputs.problem[0])
    code = refuse(p->outputs.problem);
  if (code == APP_FINE)
    code = write_outputs(p);
  for (int i = 0; i < p->line_count && code == APP_FINE; i++)
    report_print(stdout, "%s\n", p->lines[i]);
  return code;
}

int command_pack(const options *o)
{
  sp_facts facts;
  packing *p = calloc(1, sizeof *p);
  if (!p)
    return refuse("not enough memory to pack the game");
  p->options = o;
  game_folder_name(o->path, p->name, sizeof p->name);
  bool is_folder = sp_facts_of_path(o->path, true, &facts) && facts.kind == SP_KIND_FOLDER;
  int code = is_folder || o->files ? pack_all(p) : refuse("pack takes a folder with main.lua, or a zip of one");
  game_close(&p->game);
  free_list(&p->files);
  free_list(&p->outputs);
  free(p->zip.bytes);
  free(p);
  return code;
}

/* }== */
