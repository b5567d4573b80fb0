/*
** Defaults of options and pool descriptions, and what is valid in them. Reports to options.on_log which
** field was rejected, and why.
*/
#ifndef SP_CORE_DESCRIPTION_H
#define SP_CORE_DESCRIPTION_H

#include "core/spawnpool.h"

/* Receives problems, and keeps the last one. */
typedef struct sp_log {
  sp_log_fn fn; /* may be NULL */
  void *ud;
  char last[200];
} sp_log;

/* Names the struct whose fields are checked: "Bullet: ", or "Bullet: fields[3]." with a list. */
typedef struct sp_checked {
  sp_log *log;
  const char *subject;
  const char *list; /* "fields", or NULL */
  int index;        /* in the list */
} sp_checked;

/* Reports that a field is wrong, unless it is right; returns whether it is. */
bool sp_check_that(const sp_checked *checked, bool right, const char *field, const char *problem);

/* Reports that a field of a pool is gone, and with it a value in each of so many live objects. */
void sp_log_gone(sp_log *log, const char *type, const char *field, uint32_t live);

/* Copy what a program gives, which may be of an older and shorter struct, over the defaults. Return false, with the
   first field that is wrong reported, when it makes no sense. */
bool sp_options_take(sp_log *log, const sp_manager_options *given, sp_manager_options *options);
bool sp_desc_take(sp_log *log, const sp_pool_desc *given, sp_pool_desc *desc);
bool sp_settings_are_valid(sp_log *log, const char *type, const sp_settings *settings);

#endif
