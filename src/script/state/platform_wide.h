/*
** Shared by the files for Windows, and included by them only: names in UTF-16, and handles instead of descriptors.
*/
#ifndef SP_SCRIPT_PLATFORM_WIDE_H
#define SP_SCRIPT_PLATFORM_WIDE_H

#ifdef _WIN32

#include <wchar.h>
#include <windows.h>

#include "script/state/platform.h"

#define SP_WIDE_MOST 4096
typedef wchar_t sp_wide[SP_WIDE_MOST];

/* Converts a path. False with errno. */
bool sp_wide_from(const char *path, sp_wide wide);
bool sp_wide_to(const wchar_t *wide, char *path, size_t size);

/* Returns the errno that comes nearest to an error of the system. */
int sp_errno_of(DWORD error);

/* Returns whether a part of a path is the name of a file or folder, "." or "..": no device, no stream of a file, no
   drive, and no name that the system would shorten. */
bool sp_name_is_plain(const char *name, size_t length);

/* Opens a file or folder. INVALID_HANDLE_VALUE with errno. */
HANDLE sp_handle_open(const char *path, DWORD access, bool follow);

/* A descriptor, which has the handle from then on. -1 with errno: the handle is closed, or was invalid. */
int sp_file_of_handle(HANDLE handle);

/* `device` is 0: to ask for the volume takes longer than to open the file. */
bool sp_facts_of_handle(HANDLE handle, sp_facts *facts);
bool sp_is_same_file(HANDLE a, HANDLE b); /* of all volumes */
bool sp_is_link(HANDLE handle);

/* Writes the path without links, with the case that the names have on the disk. False with errno. */
bool sp_path_of_handle(HANDLE handle, char real[SP_PATH_MOST]);

#endif

#endif
