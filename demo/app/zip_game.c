/*
** Everything that the list at the end of the zip claims is checked before the first byte is unpacked: names, kinds, and
** sizes. What is unpacked then must have just the size and the checksum that were claimed.
*/
#include "demo/app/zip_game.h"

#include <minizip/unzip.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "script/state/disk.h"

#define NAME_MOST 512                   /* bytes */
#define FILES_MOST 20000                /* as many as are watched in a folder */
#define SIZE_MOST ((uint64_t)256 << 20) /* bytes of all files */
#define RATIO_MOST 200                  /* of a file that is larger than this: */
#define RATIO_FROM ((uint64_t)1 << 20)  /* bytes */
#define ENCRYPTED 1                     /* a flag of an entry */
#define MADE_ON_UNIX 3                  /* the system in the upper byte of a version */
#define KIND_OF_UNIX(attributes) ((attributes) >> 16 & 0170000)
#define LINK_OF_UNIX 0120000

/* {== Problems =========================================================== */

typedef struct reader {
  unzFile zip;
  zip_game *game;
  const char *path;
  char *problem;
  unz_file_info64 entry;
  char name[NAME_MOST]; /* of the entry */
} reader;

static bool refuse(const reader *r, const char *format, ...)
{
  char why[ZIP_GAME_PROBLEM_MOST / 2];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  for (char *at = why; *at; at++) /* names are a stranger's */
    *at = (unsigned char)*at < ' ' ? '?' : *at;
  snprintf(r->problem, ZIP_GAME_PROBLEM_MOST, "%.250s: %s", r->path, why);
  return false;
}

static bool refuse_entry(const reader *r, const char *why) { return refuse(r, "'%.100s' in it %s", r->name, why); }

/* }== */

/* {== Checking the list ================================================== */

/* Returns whether all parts of a path are plain names on every system: no "..", no drive, no backslash. */
static bool is_inside(const char *name)
{
  for (size_t size; *name; name += size + (name[size] == '/')) {
    size = strcspn(name, "/");
    bool up = size == 2 && name[0] == '.' && name[1] == '.', stay = size == 0 || (size == 1 && name[0] == '.');
    if (up || stay || !sp_name_is_plain(name, size))
      return false;
    for (size_t i = 0; i < size; i++)
      if ((unsigned char)name[i] < ' ' || strchr("\\:*?\"<>|\x7f", name[i]))
        return false;
  }
  return true;
}

static bool is_folder(const char *name) { return name[0] && name[strlen(name) - 1] == '/'; }

static bool check_entry(reader *r)
{
  const unz_file_info64 *e = &r->entry;
  if (!is_inside(r->name))
    return refuse_entry(r, "is no name of a file of a game: it may lead out of its folder");
  if (e->version >> 8 == MADE_ON_UNIX && KIND_OF_UNIX(e->external_fa) == LINK_OF_UNIX)
    return refuse_entry(r, "is a link; put the file itself in its place");
  if (e->flag & ENCRYPTED)
    return refuse_entry(r, "is encrypted; make the zip without a password");
  if (e->compression_method != 0 && e->compression_method != Z_DEFLATED)
    return refuse_entry(r, "is packed by a method that is not read; use deflate");
  if (e->uncompressed_size > SP_DISK_TEXT_MOST)
    return refuse_entry(r, "would unpack to more than 64 MiB");
  if (e->uncompressed_size > RATIO_FROM && e->uncompressed_size / RATIO_MOST > e->compressed_size)
    return refuse_entry(r, "would unpack to more than 200 times its size");
  r->game->size += is_folder(r->name) ? 0 : e->uncompressed_size;
  if (r->game->size > SIZE_MOST)
    return refuse(r, "its files would unpack to more than %u MiB", (unsigned)(SIZE_MOST >> 20));
  return true;
}

static bool read_entry(reader *r)
{
  if (unzGetCurrentFileInfo64(r->zip, &r->entry, r->name, sizeof r->name, NULL, 0, NULL, 0) != UNZ_OK)
    return refuse(r, "damaged: its list of files cannot be read");
  if (r->entry.size_filename >= sizeof r->name || strlen(r->name) != r->entry.size_filename)
    return refuse_entry(r, "has too long a name, or a zero in it");
  return check_entry(r);
}

/* }== */

/* {== Unpacking ========================================================== */

/* Unpacks the entry; the text ends with a zero. NULL when it is damaged, or memory is refused. */
static char *unpack(const reader *r)
{
  const size_t size = (size_t)r->entry.uncompressed_size;
  char *text = malloc(size + 1), more;
  bool opened = text && unzOpenCurrentFile(r->zip) == UNZ_OK;
  size_t got = 0;
  for (int count = 1; opened && got < size && count > 0; got += count > 0 ? (size_t)count : 0)
    count = unzReadCurrentFile(r->zip, text + got, (unsigned)(size - got));
  bool whole = opened && got == size && unzReadCurrentFile(r->zip, &more, 1) == 0;
  whole = opened && unzCloseCurrentFile(r->zip) == UNZ_OK && whole;
  if (!whole) {
    free(text);
    return NULL;
  }
  text[size] = '\0';
  return text;
}

static bool add_file(reader *r)
{
  zip_game *z = r->game;
  char *text = unpack(r), *name = strdup(r->name);
  if (!text || !name) {
    free(text);
    free(name);
    return refuse_entry(r, name ? "is damaged" : "does not fit into memory");
  }
  z->files[z->count++] = (sp_script_file){name, text, (size_t)r->entry.uncompressed_size};
  return true;
}

/* All entries are checked first, and then the files are unpacked. */
static bool read_all(reader *r)
{
  unz_global_info64 about;
  if (unzGetGlobalInfo64(r->zip, &about) != UNZ_OK || about.number_entry > FILES_MOST)
    return refuse(r, "it has more than %d files", FILES_MOST);
  r->game->files = calloc((size_t)about.number_entry + 1, sizeof *r->game->files);
  if (!r->game->files)
    return refuse(r, "not enough memory");
  for (int pass = 0; pass < 2; pass++) {
    int at = about.number_entry > 0 ? unzGoToFirstFile(r->zip) : UNZ_END_OF_LIST_OF_FILE;
    for (uint64_t i = 0; i < about.number_entry; i++, at = unzGoToNextFile(r->zip))
      if (at != UNZ_OK)
        return refuse(r, "damaged: its list of files is cut off");
      else if (!read_entry(r) || (pass == 1 && !is_folder(r->name) && !add_file(r)))
        return false;
    r->game->size = pass == 0 ? 0 : r->game->size;
  }
  return true;
}

/* }== */

/* {== The folder ========================================================= */

int zip_game_by_name(const void *a, const void *b)
{
  return strcmp(((const sp_script_file *)a)->name, ((const sp_script_file *)b)->name);
}

static bool has(const zip_game *z, const char *name)
{
  return bsearch(&(sp_script_file){.name = name}, z->files, z->count, sizeof *z->files, zip_game_by_name) != NULL;
}

/* Some systems add a folder of their own. */
static bool is_of_game(const char *name) { return name[0] != '.' && strncmp(name, "__MACOSX/", 9) != 0; }

/* Takes the one folder at the top, in which the game lies, off all names. False when there is none. */
static bool leave_top(zip_game *z)
{
  const char *first = NULL;
  char top[NAME_MOST];
  size_t kept = 0;
  for (size_t i = 0; i < z->count && !first; i++)
    first = is_of_game(z->files[i].name) ? z->files[i].name : NULL;
  if (!first || !strchr(first, '/'))
    return false;
  size_t length = strcspn(first, "/") + 1;
  snprintf(top, sizeof top, "%.*s", (int)length, first);
  for (size_t i = 0; i < z->count; i++)
    if (is_of_game(z->files[i].name) && strncmp(z->files[i].name, top, length) != 0)
      return false;
  for (size_t i = 0; i < z->count; i++) {
    sp_script_file *file = &z->files[i];
    char *name = (char *)file->name;
    if (is_of_game(name)) {
      memmove(name, name + length, strlen(name + length) + 1);
      z->files[kept++] = *file;
    } else {
      z->size -= file->size;
      free(name);
      free((char *)file->source);
    }
  }
  z->files[z->count = kept] = (sp_script_file){NULL, NULL, 0};
  return has(z, "main.lua");
}

/* Sorts the files and finds the game among them. */
static bool settle(const reader *r)
{
  zip_game *z = r->game;
  qsort(z->files, z->count, sizeof *z->files, zip_game_by_name);
  for (size_t i = 1; i < z->count; i++)
    if (strcmp(z->files[i - 1].name, z->files[i].name) == 0)
      return refuse(r, "damaged: '%.100s' is in it twice", z->files[i].name);
  return has(z, "main.lua") || leave_top(z) || refuse(r, "no main.lua in this zip");
}

/* }== */

/* Reads the first bytes of a file. */
static size_t read_head(const char *path, char *head, size_t size)
{
  FILE *file = fopen(path, "rb");
  size_t got = file ? fread(head, 1, size, file) : 0;
  if (file)
    fclose(file);
  return got;
}

bool zip_game_is(const char *path)
{
  char head[4];
  size_t length = strlen(path);
  sp_facts facts;
  if (!sp_facts_of_path(path, true, &facts) || facts.kind != SP_KIND_FILE)
    return false;
  return (length > 4 && strcasecmp(path + length - 4, ".zip") == 0) ||
         (read_head(path, head, 4) == 4 && memcmp(head, "PK\3\4", 4) == 0) || zip_game_is_behind(path);
}

/* No zip that this player writes has a comment. */
bool zip_game_is_behind(const char *path)
{
  char head[4], tail[22];
  FILE *file = fopen(path, "rb");
  bool is_program =
      file && fread(head, 1, 4, file) == 4 && (memcmp(head, "\177ELF", 4) == 0 || memcmp(head, "MZ", 2) == 0);
  bool found = is_program && fseek(file, -(long)sizeof tail, SEEK_END) == 0 &&
               fread(tail, 1, sizeof tail, file) == sizeof tail && memcmp(tail, "PK\5\6", 4) == 0;
  if (file)
    fclose(file);
  return found;
}

bool zip_game_open(zip_game *z, const char *path, char problem[ZIP_GAME_PROBLEM_MOST])
{
  char head[2] = "";
  reader r = {.game = z, .path = path, .problem = problem};
  *z = (zip_game){.files = NULL};
  r.zip = unzOpen64(path);
  if (!r.zip) {
    bool begins = read_head(path, head, 2) == 2 && memcmp(head, "PK", 2) == 0;
    return refuse(&r, begins ? "damaged: the end of the zip is missing" : "not a zip, though its name says so");
  }
  bool fine = read_all(&r) && settle(&r);
  unzClose(r.zip);
  if (!fine)
    zip_game_close(z);
  return fine;
}

void zip_game_close(zip_game *z)
{
  for (size_t i = 0; i < z->count; i++) {
    free((char *)z->files[i].name);
    free((char *)z->files[i].source);
  }
  free(z->files);
  *z = (zip_game){.files = NULL};
}
