#include "demo/support/json_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/strings.h"

/* {== Writing ============================================================ */

void json_write_text(FILE *out, const char *text)
{
  const char *end = text + strlen(text);
  putc('"', out);
  while (text < end) {
    const char *begin = text;
    uint32_t c = sp_utf8_next(&text, end);
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", (int)c);
    else if (c < 0x20 || c == 0x7f || c == SP_UTF8_REPLACEMENT)
      fprintf(out, "\\u%04x", (unsigned)c);
    else
      fwrite(begin, 1, (size_t)(text - begin), out);
  }
  putc('"', out);
}

static void write_texts(FILE *out, const json_texts *texts)
{
  putc('[', out);
  for (int i = 0; i < texts->count; i++) {
    fputs(i > 0 ? "," : "", out);
    json_write_text(out, texts->list[i]);
  }
  putc(']', out);
}

static double get_number(json_kind kind, const void *at)
{
  return kind == JSON_UINT8                         ? *(const uint8_t *)at
         : kind == JSON_INT16                       ? *(const int16_t *)at
         : kind == JSON_INT || kind == JSON_ORDINAL ? *(const int *)at
         : kind == JSON_UINT64                      ? (double)*(const uint64_t *)at
         : kind == JSON_FLOAT                       ? (double)*(const float *)at
                                                    : *(const double *)at;
}

static void write_value(FILE *out, const json_field *f, const void *at)
{
  if (f->kind == JSON_HEX)
    fprintf(out, "\"%016" PRIx64 "\"", *(const uint64_t *)at);
  else if (f->kind == JSON_FLAG)
    fputs("true", out);
  else if (f->kind == JSON_NAME || f->kind == JSON_NAME8)
    json_write_text(out, f->name_of(f->kind == JSON_NAME ? *(const int *)at : *(const uint8_t *)at));
  else if (f->kind == JSON_CHARS)
    json_write_text(out, at);
  else if (f->kind == JSON_TEXT)
    json_write_text(out, *(const char *const *)at);
  else if (f->kind == JSON_TEXTS)
    write_texts(out, at);
  else if (f->kind == JSON_OBJECT)
    fputs(*(const char *const *)at, out);
  else
    fprintf(out, "%.17g", get_number(f->kind, at)); /* as many digits as make it the same number again */
}

static bool is_optional(const json_field *f) { return f->kind == JSON_FLAG || f->kind == JSON_ORDINAL; }

static bool is_left_out(const json_field *f, const void *at)
{
  return f->kind == JSON_FLAG ? !*(const bool *)at : f->kind == JSON_ORDINAL && *(const int *)at == (int)f->low;
}

void json_write_fields(FILE *out, const json_field *fields, const void *from)
{
  for (const json_field *f = fields; f->name; f++) {
    const void *at = (const char *)from + f->offset;
    if (is_left_out(f, at))
      continue;
    fprintf(out, ",\"%s\":", f->name);
    write_value(out, f, at);
  }
}

/* }== */

/* {== Reading ============================================================ */

bool json_fail(json_reading *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(r->wrong, sizeof r->wrong, format, args);
  va_end(args);
  for (char *c = r->wrong; *c; c++)
    if ((unsigned char)*c < ' ')
      *c = '?'; /* names may be those of the file */
  return false;
}

static bool read_number(json_reading *r, const cJSON *item, const json_field *f, void *to)
{
  const bool whole = f->kind <= JSON_UINT64;
  const double number = cJSON_IsNumber(item) ? item->valuedouble : NAN;
  if (!(number >= f->low && number <= f->high) || (whole && number != floor(number)))
    return json_fail(r, "'%s' is a %snumber from %.9g to %.9g", f->name, whole ? "whole " : "", f->low, f->high);
  if (f->kind == JSON_UINT8)
    *(uint8_t *)to = (uint8_t)number;
  else if (f->kind == JSON_INT16)
    *(int16_t *)to = (int16_t)number;
  else if (f->kind == JSON_INT || f->kind == JSON_ORDINAL)
    *(int *)to = (int)number;
  else if (f->kind == JSON_UINT64)
    *(uint64_t *)to = (uint64_t)number;
  else if (f->kind == JSON_FLOAT)
    *(float *)to = (float)number;
  else
    *(double *)to = number;
  return true;
}

static bool read_hex(const char *text, uint64_t *number)
{
  size_t length = strspn(text, "0123456789abcdef");
  *number = strtoull(text, NULL, 16);
  return length > 0 && length <= 16 && text[length] == '\0';
}

/* Copies a text into the memory for texts; NULL when it is NULL or does not fit. */
static const char *keep(json_reading *r, const char *text)
{
  size_t size = text ? strlen(text) + 1 : SIZE_MAX;
  if ((size_t)(r->end - r->texts) < size)
    return NULL;
  r->texts += size;
  return memcpy(r->texts - size, text, size);
}

static bool read_texts(json_reading *r, const cJSON *item, json_texts *texts)
{
  texts->count = 0;
  for (const cJSON *text = item->child; text; text = text->next)
    if (texts->count == JSON_TEXTS_MOST || (texts->list[texts->count++] = keep(r, cJSON_GetStringValue(text))) == NULL)
      return false;
  return cJSON_IsArray(item);
}

static const char *read_object(json_reading *r, const cJSON *item)
{
  char *text = cJSON_IsObject(item) ? cJSON_PrintUnformatted(item) : NULL;
  const char *kept = keep(r, text);
  cJSON_free(text);
  return kept;
}

static bool read_name(json_reading *r, const char *name, const json_field *f, void *to)
{
  const int value = f->value_of(name);
  if (value < 0)
    return json_fail(r, "there is no %s '%.60s'", f->name, name);
  if (f->kind == JSON_NAME)
    *(int *)to = value;
  else
    *(uint8_t *)to = (uint8_t)value;
  return true;
}

static bool read_value(json_reading *r, const cJSON *item, const json_field *f, void *to)
{
  const char *text = cJSON_IsString(item) ? item->valuestring : "";
  switch (f->kind) {
  case JSON_HEX:
    return read_hex(text, to) || json_fail(r, "'%s' is a text of 1 to 16 hexadecimal digits", f->name);
  case JSON_FLAG:
    return (*(bool *)to = cJSON_IsTrue(item)) || json_fail(r, "'%s' is true, or left out", f->name);
  case JSON_NAME:
  case JSON_NAME8:
    return read_name(r, text, f, to);
  case JSON_CHARS:
    if (!cJSON_IsString(item) || strlen(text) >= (size_t)f->high)
      return json_fail(r, "'%s' is a text of less than %g bytes", f->name, f->high);
    memcpy(to, text, strlen(text) + 1);
    return true;
  case JSON_TEXT:
    return (*(const char **)to = keep(r, cJSON_GetStringValue(item))) || json_fail(r, "'%s' is a text", f->name);
  case JSON_TEXTS:
    return read_texts(r, item, to) || json_fail(r, "'%s' is a list of up to %d texts", f->name, JSON_TEXTS_MOST);
  case JSON_OBJECT:
    return (*(const char **)to = read_object(r, item)) || json_fail(r, "'%s' is an object", f->name);
  default:
    return read_number(r, item, f, to);
  }
}

/* Names a member that is in no table, or is there twice. */
static bool name_surplus(json_reading *r, const cJSON *object, const char *selector, const json_field *fields)
{
  for (const cJSON *item = object->child; item; item = item->next) {
    bool known = strcmp(item->string, selector) == 0;
    for (const json_field *f = fields; f->name && !known; f++)
      known = strcmp(item->string, f->name) == 0;
    if (!known || cJSON_GetObjectItemCaseSensitive(object, item->string) != item)
      return json_fail(r, known ? "'%.60s' is there twice" : "'%.60s' is not known here", item->string);
  }
  return true;
}

bool json_read_fields(json_reading *r, const cJSON *object, const char *selector, const json_field *fields, void *to)
{
  int count = 1;
  for (const json_field *f = fields; f->name; f++) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, f->name);
    count += item != NULL;
    if (item ? !read_value(r, item, f, (char *)to + f->offset)
             : !is_optional(f) && !json_fail(r, "'%s' is missing", f->name))
      return false;
  }
  return count == cJSON_GetArraySize(object) || name_surplus(r, object, selector, fields);
}

/* }== */
