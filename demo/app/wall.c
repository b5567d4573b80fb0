#include "demo/app/wall.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demo/app/wall_calls.h"
#include "demo/app/wall_files.h"
#include "demo/support/platform.h"

bool wall_is_available(void) { return wall_files_version() > 0 || wall_calls_have() == WALL_CALLS_THERE; }

#ifdef __linux__

bool wall_describe(char text[WALL_TEXT_MOST])
{
  static const char *const calls[] = {[WALL_CALLS_THERE] = "seccomp",
                                      [WALL_CALLS_NOT_BUILT] = "no seccomp (built without libseccomp)",
                                      [WALL_CALLS_NOT_IN_KERNEL] = "no seccomp (not in this kernel)"};
  int version = wall_files_version();
  wall_calls_state state = wall_calls_have();
  char files[48] = "no Landlock (not in this kernel)";
  if (version > 0)
    snprintf(files, sizeof files, "Landlock %d", version);
  snprintf(text, WALL_TEXT_MOST, "%s, %s", files, calls[state]);
  return version == 0 || state == WALL_CALLS_NOT_IN_KERNEL;
}

#else

bool wall_describe(char text[WALL_TEXT_MOST])
{
  snprintf(text, WALL_TEXT_MOST, "no second wall on this system");
  return false;
}

#endif

/* An open connection to the session bus would let a game ask other processes to start programs. SDL uses it for
   input methods and screen savers only. Graphics drivers cache compiled shaders, which other programs execute; without
   write access they would print warnings. */
void wall_prepare(void)
{
  static const char *const variables[][2] = {{"DBUS_SESSION_BUS_ADDRESS", "disabled:"},
                                             {"DBUS_SYSTEM_BUS_ADDRESS", "disabled:"},
                                             {"MESA_SHADER_CACHE_DISABLE", "true"},
                                             {"MESA_GLSL_CACHE_DISABLE", "true"}, /* before Mesa 22 */
                                             {"__GL_SHADER_DISK_CACHE", "0"}};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    platform_set_variable(variables[i][0], variables[i][1]);
}

static void report_failure(const char *what, int error)
{
  char line[WALL_TEXT_MOST + 128];
  snprintf(line, sizeof line, "cannot raise the second wall of the sandbox: %s: %s; do not run games of strangers here",
           what, strerror(error));
  report_line(line);
}

/* Landlock comes first: then seccomp can deny its system calls. */
void wall_raise(wall *w, const char *folder, const char *data, bool window)
{
  char what[WALL_TEXT_MOST];
  sp_facts facts;
  platform_local_time(time(NULL)); /* reads a file */
  if (wall_describe(what)) {
    char line[2 * WALL_TEXT_MOST];
    snprintf(line, sizeof line, "the second wall of the sandbox is not whole: %s; do not run games of strangers here",
             what);
    report_line(line);
  }
  const bool keeps_files = wall_files_version() > 0;
  if (keeps_files && sp_facts_of_path(folder, true, &facts))
    *w = (wall){.folder = folder, .device = facts.device, .inode = facts.inode};
  if (keeps_files && !wall_files_raise(folder, data, window))
    report_failure("Landlock", errno);
  if (wall_calls_have() == WALL_CALLS_THERE && !wall_calls_raise())
    report_failure("seccomp", errno);
}

void wall_check_folder(wall *w, report *r)
{
  char line[1280];
  sp_facts facts;
  if (!w->folder || !sp_facts_of_path(w->folder, true, &facts) || facts.kind != SP_KIND_FOLDER)
    return;
  bool passed = facts.device != w->device || facts.inode != w->inode, news = passed && !w->reported;
  w->reported = passed;
  if (!news)
    return;
  snprintf(line, sizeof line,
           "%.1000s is another folder now, which the sandbox may not read: put the first one back, or start again",
           w->folder);
  report_say(r, SP_REPORT_WARNING, line);
}
