/*
** A file is opened, stamped, read and stamped again: only a text between two equal stamps is whole. The attribute time
** is part of a stamp, because tools restore the modification time of a copy, and a change of permissions shows nowhere
** else.
*/
#include "script/state/disk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* {== Problems =========================================================== */

const char *sp_file_problem(int error, char problem[SP_FILE_PROBLEM_MOST])
{
  if (error == ELOOP)
    snprintf(problem, SP_FILE_PROBLEM_MOST, "it is a link that leads to itself; fix or remove it");
  else
    sp_error_text(error, problem, SP_FILE_PROBLEM_MOST);
  return problem;
}

static int fail(int error, char *problem)
{
  sp_file_problem(error, problem);
  errno = error;
  return -1;
}

static int refuse_kind(sp_file_kind kind, char *problem)
{
  static const char *const names[] = {[SP_KIND_FOLDER] = "folder", [SP_KIND_LINK] = "link that was made just now",
                                      [SP_KIND_PIPE] = "pipe",     [SP_KIND_SOCKET] = "socket",
                                      [SP_KIND_DEVICE] = "device", [SP_KIND_FILE] = "file that was made just now"};
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is a %s, not a file; replace or remove it", names[kind]);
  errno = EINVAL;
  return -1;
}

/* `path` cannot be resolved: nothing is there, or a link that leads nowhere. */
static int refuse_missing(const char *path, int error, char *problem)
{
  char target[101];
  if (error != ENOENT || !sp_link_target(path, target, sizeof target))
    return fail(error == ENOTDIR ? ENOENT : error, problem);
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is a link to '%s', which does not exist; fix or remove it", target);
  errno = ENOLINK;
  return -1;
}

static int refuse_outside(char *problem)
{
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is outside the game's folder; move it in, or trust the game");
  errno = EXDEV;
  return -1;
}

/* }== */

/* {== The part of a path that lies in the folder ========================= */

static const char *after_slashes(const char *path)
{
  path += strspn(path, "/");
  return *path ? path : ".";
}

static bool is_name(const char *component, size_t length, const char *name)
{
  return strlen(name) == length && memcmp(component, name, length) == 0;
}

static bool is_plain(const char *path)
{
  for (size_t size; *(path += strspn(path, "/")); path += size) {
    size = strcspn(path, "/");
    if (!sp_name_is_plain(path, size))
      return false;
  }
  return true;
}

static bool leads_to(const char *path, const char *real)
{
  char own[SP_PATH_MOST];
  return sp_real_path(path, own) && strcmp(own, real) == 0;
}

/* Looks for the folder, whose real path is given, on the way. A way that goes up again before it gets there is none:
   what exists outside would decide whether it can be gone. Nor is one to another computer, which begins with "//". */
static const char *part_by_place(const char *real, const char *path)
{
  char way[SP_PATH_MOST];
  size_t length = strlen(path), at = sp_path_root(path);
  bool named = false;
  if (length == 0 || length >= sizeof way || (at > 0 && path[1] == '/') || !is_plain(path + at))
    return NULL;
  memcpy(way, path, length + 1);
  way[at] = '\0';
  if (!is_name(path + at, strcspn(path + at, "/"), "..") && leads_to(at > 0 ? way : ".", real))
    return after_slashes(path + at);
  way[at] = path[at];
  while (path[at += strspn(path + at, "/")]) {
    size_t size = strcspn(path + at, "/");
    bool up = is_name(path + at, size, "..");
    if (up && named)
      return NULL;
    named = named || (!up && !is_name(path + at, size, "."));
    at += size;
    way[at] = '\0';
    if (leads_to(way, real))
      return after_slashes(path + at);
    way[at] = path[at];
  }
  return NULL;
}

/* Returns the part of `path` that lies beneath the folder, "." for the folder itself; NULL when `path` does not lead
   through it. It points into `path`, unless it is ".". */
static const char *part_of(const char *folder, const char *real, const char *path)
{
  size_t length = strlen(folder);
  while (length > 0 && folder[length - 1] == '/')
    length--;
  if (*folder && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0'))
    return after_slashes(path + length);
  return part_by_place(real, path);
}

/* }== */

/* {== Walking ============================================================ */

enum { LINKS_MOST = 40 };

typedef struct walk {
  char root[SP_PATH_MOST]; /* the real path of the folder */
  char path[SP_PATH_MOST]; /* the path without links of what is reached */
  char rest[SP_PATH_MOST]; /* what is still to be walked from there */
  size_t length, base;     /* of `path`; of the folder in it, without a slash at the end */
  sp_file_kind kind;       /* of what is reached */
  int links;               /* how many have been followed */
  int missing;             /* errno of the first component that cannot be passed: from there on all is text; or 0 */
} walk;

static void cut(walk *w, size_t length)
{
  w->path[w->length = length] = '\0';
  w->kind = SP_KIND_FOLDER;
}

/* `path` is that of a link behind the first `length` bytes; the walk goes on at its target, and then at `after`.
   Returns 0 or an errno. */
static int follow(walk *w, const char *after)
{
  char target[SP_PATH_MOST], rest[SP_PATH_MOST];
  const char *part = target;
  if (!sp_link_target(w->path, target, sizeof target))
    return errno;
  if (sp_path_root(target) > 0) {
    part = part_of(w->root, w->root, target);
    w->length = w->base;
  }
  if (!part)
    return EXDEV;
  if (snprintf(rest, sizeof rest, "%s%s", part, after) >= (int)sizeof rest)
    return ENAMETOOLONG;
  cut(w, w->length);
  w->links++;
  memcpy(w->rest, rest, sizeof rest);
  return 0;
}

/* Goes to a name in the reached folder, the first one of the rest. Returns 0 or an errno. */
static int enter(walk *w, const char *name, size_t size)
{
  sp_facts facts = {.kind = SP_KIND_FOLDER};
  size_t length = w->length + 1 + size;
  if (length + 1 >= sizeof w->path)
    return ENAMETOOLONG;
  snprintf(w->path + w->length, sizeof w->path - w->length, "/%.*s", (int)size, name);
  if (w->missing == 0 && !sp_name_is_plain(name, size))
    w->missing = ENOENT;
  if (w->missing == 0 && !sp_facts_of_path(w->path, false, &facts))
    w->missing = errno;
  if (facts.kind == SP_KIND_LINK && w->links < LINKS_MOST)
    return follow(w, name + size);
  if (facts.kind == SP_KIND_LINK)
    w->missing = ELOOP;
  w->length = length;
  w->kind = facts.kind;
  memmove(w->rest, name + size, strlen(name + size) + 1);
  return 0;
}

static int step(walk *w)
{
  const char *name = w->rest + strspn(w->rest, "/");
  size_t size = strcspn(name, "/"), length = w->length;
  bool up = is_name(name, size, ".."), stay = size == 0 || is_name(name, size, ".");
  if (w->missing == 0 && w->kind != SP_KIND_FOLDER)
    w->missing = ENOTDIR;
  if (!up && !stay)
    return enter(w, name, size);
  if (up && length == w->base)
    return EXDEV;
  while (up && w->path[--length] != '/')
    continue;
  if (up)
    cut(w, length);
  memmove(w->rest, name + size, strlen(name + size) + 1);
  return 0;
}

/* Walks from the folder to `path`, which need not exist. Returns 0, or an errno: EXDEV when it leads out. */
static int walk_to(walk *w, const char *folder, const char *path)
{
  if (!sp_real_path(folder, w->root))
    return errno;
  const char *part = part_of(folder, w->root, path);
  if (!part)
    return EXDEV;
  if (strlen(part) >= sizeof w->rest)
    return ENAMETOOLONG;
  memcpy(w->rest, part, strlen(part) + 1);
  size_t length = strlen(w->root);
  memcpy(w->path, w->root, length + 1);
  cut(w, w->path[length - 1] == '/' ? length - 1 : length);
  w->base = w->length;
  w->links = w->missing = 0;
  int error = 0;
  while (error == 0 && *w->rest)
    error = step(w);
  if (!strchr(w->path, '/')) /* that of a disk */
    memcpy(w->path + w->length, "/", sizeof "/");
  return error;
}

/* }== */

/* {== Opening ============================================================ */

/* A file is asked what it is before it is opened, because to open a device may start something; in between it may have
   become something else. */
static int keep_regular(int file, char *problem)
{
  sp_facts facts = {.kind = SP_KIND_DEVICE};
  if (file < 0)
    return fail(errno, problem);
  if (sp_facts_of_file(file, &facts) && facts.kind == SP_KIND_FILE)
    return file;
  sp_file_close(file);
  return refuse_kind(facts.kind, problem);
}

/* Opens what the walk has reached, unless something else is there by now. */
static int open_reached(const walk *w, char *problem)
{
  char place[SP_PATH_MOST];
  int file = sp_file_open(w->path);
  if (file < 0)
    return fail(errno, problem);
  bool told = sp_file_place(file, w->path, place);
  if (told && strcmp(place, w->path) == 0)
    return file;
  sp_file_close(file);
  if (told)
    return fail(ENOENT, problem);
  snprintf(problem, SP_FILE_PROBLEM_MOST,
           "the system does not say where it lies (is /proc mounted?); only a trusted game can do without");
  errno = EIO;
  return -1;
}

static int open_anywhere(const char *path, char *problem)
{
  sp_facts facts;
  if (!sp_facts_of_path(path, true, &facts))
    return refuse_missing(path, errno, problem);
  return facts.kind == SP_KIND_FILE ? keep_regular(sp_file_open(path), problem) : refuse_kind(facts.kind, problem);
}

int sp_folder_open(const char *folder, const char *path, char problem[SP_FILE_PROBLEM_MOST])
{
  walk w;
  if (!folder)
    return open_anywhere(path, problem);
  int error = walk_to(&w, folder, path);
  if (error == EXDEV)
    return refuse_outside(problem);
  if (error != 0 || w.missing != 0)
    return refuse_missing(path, error ? error : w.missing, problem);
  if (w.kind != SP_KIND_FILE)
    return refuse_kind(w.kind, problem);
  int file = open_reached(&w, problem);
  return file < 0 ? file : keep_regular(file, problem);
}

sp_folder_stream *sp_folder_list(const char *folder, const char *path)
{
  walk w;
  char problem[SP_FILE_PROBLEM_MOST];
  if (!folder)
    return sp_folder_stream_open(path);
  int error = walk_to(&w, folder, path);
  errno = error ? error : w.missing ? w.missing : ENOTDIR;
  if (error != 0 || w.missing != 0 || w.kind != SP_KIND_FOLDER)
    return NULL;
  int opened = open_reached(&w, problem);
  return opened >= 0 ? sp_folder_stream_from(opened, w.path) : NULL;
}

bool sp_folder_holds(const char *folder, const char *path)
{
  walk w;
  return walk_to(&w, folder, path) == 0;
}

/* }== */

/* {== Stamps ============================================================= */

static sp_stamp stamp_from(const sp_facts *f)
{
  sp_disk_kind kind = f->kind == SP_KIND_FILE     ? SP_DISK_FILE
                      : f->kind == SP_KIND_FOLDER ? SP_DISK_FOLDER
                                                  : SP_DISK_UNFIT;
  return (sp_stamp){.kind = kind,
                    .modified = f->modified,
                    .altered = f->altered,
                    .size = f->size,
                    .inode = f->inode,
                    .device = f->device};
}

sp_stamp sp_disk_stamp(const char *path)
{
  sp_facts facts;
  if (sp_facts_of_path(path, true, &facts) || sp_facts_of_path(path, false, &facts)) /* a link that leads nowhere */
    return stamp_from(&facts);
  return (sp_stamp){.kind = errno == ENOENT || errno == ENOTDIR ? SP_DISK_NOTHING : SP_DISK_UNFIT};
}

bool sp_stamp_is_same(const sp_stamp *a, const sp_stamp *b)
{
  return a->kind == b->kind && a->modified == b->modified && a->altered == b->altered && a->size == b->size &&
         a->inode == b->inode && a->device == b->device;
}

/* }== */

/* {== Reading ============================================================ */

static sp_disk_result failed(int error, char *problem)
{
  sp_file_problem(error, problem);
  return SP_DISK_FAILED;
}

void sp_disk_free(const sp_disk_reader *reader, sp_disk_text *text)
{
  if (text->bytes)
    reader->memory.alloc(reader->memory.ud, text->bytes, text->block, 0);
  *text = (sp_disk_text){0};
}

/* Reads at most the size at opening of a file that grows meanwhile. */
static sp_disk_result read_text(int file, const sp_disk_reader *reader, const sp_stamp *stamp, bool anyway,
                                sp_disk_text *text, char *problem)
{
  sp_disk_text t = {.size = (size_t)stamp->size, .block = (size_t)stamp->size + 1};
  sp_facts after;
  t.bytes = reader->memory.alloc(reader->memory.ud, NULL, 0, t.block);
  if (!t.bytes)
    return SP_DISK_REFUSED;
  int64_t got = sp_file_read(file, t.bytes, t.size);
  sp_disk_result result = got < 0 || !sp_facts_of_file(file, &after) ? failed(errno, problem) : SP_DISK_READ;
  if (result == SP_DISK_READ && !anyway) {
    sp_stamp now = stamp_from(&after);
    if ((size_t)got != t.size || !sp_stamp_is_same(&now, stamp))
      result = SP_DISK_MOVED;
  }
  if (result != SP_DISK_READ) {
    sp_disk_free(reader, &t);
    return result;
  }
  t.size = (size_t)got;
  t.bytes[t.size] = '\0';
  *text = t;
  return SP_DISK_READ;
}

static sp_disk_result read_open(int file, const sp_disk_reader *reader, sp_stamp *stamp, bool anyway,
                                sp_disk_text *text, char *problem)
{
  sp_facts facts;
  if (!sp_facts_of_file(file, &facts))
    return failed(errno, problem);
  sp_stamp before = *stamp, opened = *stamp = stamp_from(&facts);
  if (!anyway && !sp_stamp_is_same(&opened, &before))
    return SP_DISK_MOVED;
  if (opened.size <= SP_DISK_TEXT_MOST)
    return read_text(file, reader, &opened, anyway, text, problem);
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is larger than %zu MiB, so it is not read", SP_DISK_TEXT_MOST >> 20);
  return SP_DISK_FAILED;
}

sp_disk_result sp_disk_read(const sp_disk_reader *reader, const char *path, sp_stamp *stamp, bool anyway,
                            sp_disk_text *text, char problem[SP_FILE_PROBLEM_MOST])
{
  int file = sp_folder_open(reader->folder, path, problem);
  if (file < 0 && errno != ENOENT)
    return SP_DISK_FAILED;
  if (file < 0) {
    *stamp = (sp_stamp){.kind = SP_DISK_NOTHING};
    return SP_DISK_MOVED;
  }
  sp_disk_result result = read_open(file, reader, stamp, anyway, text, problem);
  sp_file_close(file);
  return result;
}

/* }== */

/* {== Hash =============================================================== */

/* One to one in each argument, so that a difference is never lost. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

uint64_t sp_disk_hash(const char *bytes, size_t size)
{
  uint64_t hash = mix(UINT64_C(0x2545f4914f6cdd1d), size), word;
  for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
    memcpy(&word, bytes, sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  if (size)
    memcpy(&word, bytes, size);
  return mix(mix(hash, word), 0);
}

/* }== */
