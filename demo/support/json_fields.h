/*
** C structures as JSON objects, by tables of their fields: one table writes a structure and reads it. Writing allocates
** nothing, so that a signal handler can do it; reading trusts nothing. Texts are valid UTF-8.
*/
#ifndef SP_DEMO_JSON_FIELDS_H
#define SP_DEMO_JSON_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum json_kind {
  JSON_UINT8,
  JSON_INT16,
  JSON_INT,
  JSON_ORDINAL, /* int; left out when it is the lowest that it may be */
  JSON_UINT64,  /* a number that a double holds exactly */
  JSON_FLOAT,
  JSON_DOUBLE,
  JSON_HEX,   /* uint64_t, as a text of hexadecimal digits */
  JSON_FLAG,  /* bool; left out when it is false */
  JSON_NAME,  /* int that stands for a name */
  JSON_NAME8, /* likewise, uint8_t */
  JSON_CHARS, /* char[], with its NUL */
  JSON_TEXT,  /* const char * */
  JSON_TEXTS, /* json_texts */
  JSON_OBJECT /* const char *: the JSON of an object */
} json_kind;

#define JSON_TEXTS_MOST 64

typedef struct json_texts {
  int count;
  const char *list[JSON_TEXTS_MOST];
} json_texts;

typedef struct json_field {
  const char *name; /* NULL: the end of the table */
  json_kind kind;
  size_t offset;
  double low, high; /* of a number; `high` of JSON_CHARS: bytes of the array */
  const char *(*name_of)(int value);
  int (*value_of)(const char *name); /* negative: there is none */
} json_field;

/* Writes a text in quotes; invalid UTF-8 is replaced. Errors are those of the stream. */
void json_write_text(FILE *out, const char *text);

/* Writes the fields of the structure `from`, each after a comma. */
void json_write_fields(FILE *out, const json_field *fields, const void *from);

typedef struct json_reading {
  char *texts, *end; /* memory for the texts that are read, and its end */
  char wrong[160];
} json_reading;

/* Reads the fields of an object into the structure `to`. Besides them it has the member `selector`, by which the table
   was chosen. False, with the reason in r->wrong, when one is missing, unknown, there twice or out of its range. */
bool json_read_fields(json_reading *r, const cJSON *object, const char *selector, const json_field *fields, void *to);

/* Sets the reason; returns false. */
bool json_fail(json_reading *r, const char *format, ...);

#endif
