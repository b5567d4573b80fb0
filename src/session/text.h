/*
** A text that grows while it is written: lines of a recording, pages of a bug file.
*/
#ifndef SP_SESSION_TEXT_H
#define SP_SESSION_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed one is empty. The bytes always end with a zero, which does not count. */
typedef struct sp_text {
  char *bytes;
  size_t size, room;
  bool is_lost; /* memory was refused: it is not whole */
} sp_text;

void sp_text_free(sp_text *t);
void sp_text_clear(sp_text *t); /* keeps the memory */

void sp_text_add(sp_text *t, const char *bytes, size_t size);
void sp_text_put(sp_text *t, const char *string);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void sp_text_format(sp_text *t, const char *format, ...);

/* {== JSON ================================================================ */

/* Writes a string in quotes. Bytes that are no UTF-8 are replaced. */
void sp_text_json(sp_text *t, const char *string);
/* Writes `,"name":`, and what follows it. */
void sp_text_member(sp_text *t, const char *name);
void sp_text_member_string(sp_text *t, const char *name, const char *string);
void sp_text_member_hex(sp_text *t, const char *name, uint64_t number);
/* Writes a number that reads as the same one again; one that is none, or infinite, as a string. */
void sp_text_number(sp_text *t, double number);

/* Write bytes as hexadecimal digits; read them into `bytes`, which has room for half as many. False when they are
   none. */
void sp_text_hex(sp_text *t, const void *bytes, size_t size);
bool sp_text_read_hex(const char *digits, size_t length, void *bytes);

/* }== */

#endif
