/*
** Defaults of options and pool descriptions, what is valid in them and in the arguments of calls, and the text of every
** SP_INVALID: only the functions here return it, after they have told options.on_log what was rejected, and why.
*/
#ifndef SP_CORE_DESCRIPTION_H
#define SP_CORE_DESCRIPTION_H

#include <math.h>

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

/* Rejects an argument of a call; `subject` is the type of a pool, or the name of a call. Returns SP_INVALID. */
sp_result sp_refuse(sp_log *log, const char *subject, const char *argument, const char *problem);
/* Reject an argument unless it is seconds from 0 up, of which infinity is for ever; and a number that is not finite.
   Return SP_OK or SP_INVALID. */
sp_result sp_refuse_seconds(sp_log *log, const char *subject, const char *argument, double seconds);
static inline sp_result sp_seconds_check(sp_log *log, const char *subject, const char *argument, double seconds)
{
  const bool is_valid = seconds >= 0 && (seconds <= SP_MAX_LIFETIME || isinf(seconds));
  return is_valid ? SP_OK : sp_refuse_seconds(log, subject, argument, seconds);
}
static inline sp_result sp_finite_check(sp_log *log, const char *subject, const char *argument, float number)
{
  return isfinite(number) ? SP_OK : sp_refuse(log, subject, argument, "is not a finite number");
}

/* Reports that a field of a pool is gone, and with it a value in each of so many live objects. */
void sp_log_gone(sp_log *log, const char *type, const char *field, uint32_t live);

/* Returns the bytes of a number. */
static inline uint32_t sp_type_size(sp_type type)
{
  static const uint8_t sizes[SP_TYPE_COUNT] = {1, 2, 4, 8, sizeof(float), sizeof(double), sizeof(sp_ref)};
  return sizes[type];
}

/* Copy what a program gives, which may be of an older and shorter struct, over the defaults. Return SP_OK; or
   SP_INVALID, with the first field that is wrong reported. */
sp_result sp_options_take(sp_log *log, const sp_manager_options *given, sp_manager_options *options);
sp_result sp_desc_take(sp_log *log, const sp_pool_desc *given, sp_pool_desc *desc);
/* Return the settings that a game changes, which are state where they differ from those that were described: so many
   numbers. */
#define SP_TUNABLES 5
static inline uint32_t *sp_tunables(sp_settings *settings) { return &settings->grow; }
static inline uint32_t sp_tunable(const sp_settings *settings, int i) { return (&settings->grow)[i]; }
_Static_assert(sizeof(sp_settings) == sizeof(uint32_t) * (SP_TUNABLES + 1), "they are numbers of one size, in a row");

/* Checks settings, which may be NULL, of a pool that has this prealloc: a limit may be lowered below that. */
sp_result sp_settings_check(sp_log *log, const char *type, const sp_settings *settings, uint32_t prealloc);

#endif
