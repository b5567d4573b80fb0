/*
** Options, settings and pool descriptions: which of them are valid, and what their zeros stand for.
*/
#ifndef SP_CORE_DESCRIPTION_H
#define SP_CORE_DESCRIPTION_H

#include "core/log.h"

/* Each reports the first field that is wrong. */
bool sp_options_are_valid(const sp_log *log, const sp_options *options);
bool sp_settings_are_valid(const sp_log *log, const char *type, const sp_settings *settings);
bool sp_desc_is_valid(const sp_log *log, const sp_pool_desc *desc);

/* The settings that the core works with: limits are counts, 0 is none at all. sp_settings_shown is the reverse. */
sp_settings sp_settings_resolve(const sp_settings *given);
sp_settings sp_settings_shown(const sp_settings *resolved);
/* The first look of objects: the default one for zeros. */
sp_look sp_look_resolve(const sp_look *given);

#endif
