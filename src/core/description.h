/*
** Validates options, settings and pool descriptions, and replaces zeros by defaults.
*/
#ifndef SP_CORE_DESCRIPTION_H
#define SP_CORE_DESCRIPTION_H

#include "core/log.h"

/* Return whether all fields are valid, and report the first one that is not. */
bool sp_options_are_valid(const sp_log *log, const sp_options *options);
bool sp_settings_are_valid(const sp_log *log, const char *type, const sp_settings *settings);
bool sp_desc_is_valid(const sp_log *log, const sp_pool_desc *desc);

/* Converts settings to internal ones, in which limits are counts and 0 means no objects. sp_settings_shown is the
   reverse. */
sp_settings sp_settings_resolve(const sp_settings *given);
sp_settings sp_settings_shown(const sp_settings *resolved);
/* Returns the first look of objects: the default look if all of `given` is zero. */
sp_look sp_look_resolve(const sp_look *given);

#endif
