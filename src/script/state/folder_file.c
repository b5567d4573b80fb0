#include "script/state/folder_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "script/state/open_beneath.h"

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

/* }== */

/* {== Opening ============================================================ */

/* A descriptor that is there was asked what it is before it was opened, for to open a device may start something; in
   between it may have become something else. */
static int keep_regular(int file, char *problem)
{
  sp_facts facts = {.kind = SP_KIND_DEVICE};
  if (file < 0)
    return fail(errno == ELOOP || errno == EXDEV ? ENOENT : errno, problem);
  if (sp_facts_of_file(file, &facts) && facts.kind == SP_KIND_FILE)
    return file;
  sp_file_close(file);
  return refuse_kind(facts.kind, problem);
}

static int open_anywhere(const char *path, char *problem)
{
  sp_facts facts;
  if (!sp_facts_of_path(path, true, &facts))
    return refuse_missing(path, errno, problem);
  return facts.kind == SP_KIND_FILE ? keep_regular(sp_file_open(path), problem) : refuse_kind(facts.kind, problem);
}

static int refuse_outside(char *problem)
{
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is outside the game's folder; move it in, or start with --trust");
  errno = EXDEV;
  return -1;
}

static int open_inside(int root, const char *part, const char *path, char *problem)
{
  sp_facts facts;
  if (!sp_beneath_facts(root, part, &facts))
    return errno == EXDEV ? refuse_outside(problem) : refuse_missing(path, errno, problem);
  return facts.kind == SP_KIND_FILE ? keep_regular(sp_beneath_open(root, part, false), problem)
                                    : refuse_kind(facts.kind, problem);
}

int sp_folder_open(const char *folder, const char *path, char problem[SP_FILE_PROBLEM_MOST])
{
  if (!folder)
    return open_anywhere(path, problem);
  int root = sp_beneath_root(folder);
  if (root < 0)
    return fail(errno, problem);
  const char *part = sp_beneath_part(root, folder, path);
  int file = part ? open_inside(root, part, path, problem) : refuse_outside(problem);
  sp_file_close(root);
  return file;
}

sp_folder_stream *sp_folder_list(const char *folder, const char *path)
{
  if (!folder)
    return sp_folder_stream_open(path);
  int root = sp_beneath_root(folder);
  if (root < 0)
    return NULL;
  const char *part = sp_beneath_part(root, folder, path);
  errno = EXDEV;
  int opened = part ? sp_beneath_open(root, part, true) : -1;
  sp_file_close(root);
  return opened >= 0 ? sp_folder_stream_from(opened) : NULL;
}

/* }== */

/* {== What a folder holds ================================================ */

/* A missing part cannot be passed through; the text of the path must not leave the folder either. */
static bool climbs(const char *part)
{
  int depth = 0;
  for (; *part && depth >= 0; part += strspn(part, "/")) {
    size_t size = strcspn(part, "/");
    if (size == 2 && part[0] == '.' && part[1] == '.')
      depth--;
    else if (size != 1 || part[0] != '.')
      depth++;
    part += size;
  }
  return depth < 0;
}

bool sp_folder_holds(const char *folder, const char *path)
{
  sp_facts facts;
  int root = sp_beneath_root(folder);
  if (root < 0)
    return false;
  const char *part = sp_beneath_part(root, folder, path);
  bool held = part && (sp_beneath_facts(root, part, &facts) || (errno != EXDEV && !climbs(part)));
  sp_file_close(root);
  return held;
}

/* }== */
