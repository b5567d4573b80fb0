/*
** The program gets a section at its end with all resources: the old one, which has no room, is no longer referred to.
** Numbers in the file are little-endian and may be unaligned.
*/
#include "demo/app/pe_resources.h"

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_ICON = 3, TYPE_GROUP_ICON = 14, TYPE_VERSION = 16, TYPE_MANIFEST = 24, TYPES = 4 };
enum { ENGLISH = 0x409, UNICODE_PAGE = 0x4b0, SECTION_HEAD = 40, VERSION_MOST = 8192 };

/* {== Numbers ============================================================ */

static uint32_t get(const char *at, int bytes)
{
  uint32_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint32_t)(unsigned char)at[i] << 8 * i;
  return value;
}

static void set(char *at, int bytes, uint32_t value)
{
  for (int i = 0; i < bytes; i++)
    at[i] = (char)(value >> 8 * i & 255);
}

/* Bytes that are written one after the other; there is room for all. */
typedef struct writer {
  char *bytes;
  size_t size;
} writer;

static void put(writer *w, int bytes, uint32_t value)
{
  set(w->bytes + w->size, bytes, value);
  w->size += (size_t)bytes;
}

static void align(writer *w)
{
  while (w->size % 4 != 0)
    put(w, 1, 0);
}

/* }== */

/* {== The version ======================================================== */

/* A text in UTF-16, with its end. */
static void put_text(writer *w, const char *text)
{
  char *wide = SDL_iconv_string("UTF-16LE", "UTF-8", text, strlen(text));
  for (size_t i = 0; wide && get(wide + i, 2) != 0 && i < 512; i += 2)
    put(w, 2, get(wide + i, 2));
  put(w, 2, 0);
  SDL_free(wide);
}

/* Begins a node of the version; returns its place, for end_node. */
static size_t begin_node(writer *w, const char *key, uint32_t value_length, bool is_text)
{
  align(w);
  size_t place = w->size;
  put(w, 2, 0);
  put(w, 2, value_length);
  put(w, 2, is_text);
  put_text(w, key);
  align(w);
  return place;
}

static void end_node(writer *w, size_t place) { set(w->bytes + place, 2, (uint32_t)(w->size - place)); }

static void put_string(writer *w, const char *key, const char *value)
{
  size_t node = begin_node(w, key, 0, true), begin = w->size;
  put_text(w, value);
  set(w->bytes + node + 2, 2, (uint32_t)(w->size - begin) / 2);
  end_node(w, node);
}

/* "1.2.3" as the four numbers of the system, two in each word. */
static void put_numbers(writer *w, const char *version)
{
  uint32_t parts[4] = {0};
  for (int i = 0; i < 4 && *version >= '0' && *version <= '9'; i++) {
    char *end;
    parts[i] = (uint32_t)strtoul(version, &end, 10) & 0xffff;
    version = *end == '.' ? end + 1 : end;
  }
  put(w, 4, parts[0] << 16 | parts[1]);
  put(w, 4, parts[2] << 16 | parts[3]);
}

static void put_version(writer *w, const pe_about *about)
{
  const char *version = about->version[0] ? about->version : "1.0";
  size_t root = begin_node(w, "VS_VERSION_INFO", 52, false);
  put(w, 4, 0xfeef04bd);
  put(w, 4, 0x10000);
  put_numbers(w, version);
  put_numbers(w, version);
  put(w, 4, 0x3f); /* all flags count, none is set */
  put(w, 4, 0);
  put(w, 4, 0x40004); /* for Windows, 32 bits and more */
  put(w, 4, 1);       /* a program */
  for (int i = 0; i < 3; i++)
    put(w, 4, 0);
  size_t strings = begin_node(w, "StringFileInfo", 0, true), table = begin_node(w, "040904b0", 0, true);
  put_string(w, "FileDescription", about->title);
  put_string(w, "FileVersion", version);
  put_string(w, "ProductName", about->title);
  put_string(w, "ProductVersion", version);
  end_node(w, table);
  end_node(w, strings);
  size_t more = begin_node(w, "VarFileInfo", 0, true), translation = begin_node(w, "Translation", 4, false);
  put(w, 2, ENGLISH);
  put(w, 2, UNICODE_PAGE);
  end_node(w, translation);
  end_node(w, more);
  end_node(w, root);
}

/* }== */

/* {== The tree of resources ============================================== */

typedef struct resource {
  uint32_t type;
  const char *bytes;
  size_t size;
} resource;

static void put_folder(writer *w, uint32_t entries)
{
  for (int i = 0; i < 3; i++)
    put(w, 4, 0);
  put(w, 2, 0);
  put(w, 2, entries);
}

/* Each type has one resource, number 1, in one language. */
static void put_tree(writer *w, const resource *all, uint32_t address)
{
  const uint32_t folder = 16, entry = 8, root = folder + TYPES * entry, branch = 2 * (folder + entry);
  put_folder(w, TYPES);
  for (uint32_t i = 0; i < TYPES; i++) {
    put(w, 4, all[i].type);
    put(w, 4, 0x80000000u | (root + i * branch));
  }
  for (uint32_t i = 0; i < TYPES; i++) {
    put_folder(w, 1);
    put(w, 4, 1);
    put(w, 4, 0x80000000u | (root + i * branch + folder + entry));
    put_folder(w, 1);
    put(w, 4, ENGLISH);
    put(w, 4, root + TYPES * branch + i * 16);
  }
  uint32_t place = root + TYPES * (branch + 16);
  for (uint32_t i = 0; i < TYPES; i++) {
    put(w, 4, address + place);
    put(w, 4, (uint32_t)all[i].size);
    put(w, 4, 0);
    put(w, 4, 0);
    place += (uint32_t)(all[i].size + 3) / 4 * 4;
  }
  for (uint32_t i = 0; i < TYPES; i++) {
    memcpy(w->bytes + w->size, all[i].bytes, all[i].size);
    w->size += all[i].size;
    align(w);
  }
}

/* }== */

/* {== The program ======================================================== */

typedef struct program {
  const char *file;
  size_t size;
  size_t head;     /* of the file */
  size_t sections; /* their headers */
  uint32_t count;
} program;

static bool read_program(program *p, const char *file, size_t size)
{
  *p = (program){.file = file, .size = size};
  if (size < 512 || memcmp(file, "MZ", 2) != 0)
    return false;
  p->head = get(file + 0x3c, 4);
  if (p->head > size - 512 || memcmp(file + p->head, "PE\0\0", 4) != 0 || get(file + p->head + 24, 2) != 0x20b)
    return false;
  p->count = get(file + p->head + 6, 2);
  p->sections = p->head + 24 + get(file + p->head + 20, 2);
  size_t end = p->sections + (p->count + 1) * SECTION_HEAD;
  return p->count > 0 && end <= size && end <= get(file + p->head + 24 + 60, 4);
}

/* Returns the place in the file of an address in the running program, of `length` bytes; 0: there is none. */
static size_t place_of(const program *p, uint32_t address, size_t length)
{
  for (uint32_t i = 0; i < p->count; i++) {
    const char *s = p->file + p->sections + i * SECTION_HEAD;
    uint32_t from = get(s + 12, 4), size = get(s + 16, 4), place = get(s + 20, 4);
    if (address >= from && address - from < size && length <= size - (address - from) && place <= p->size &&
        size <= p->size - place)
      return place + (address - from);
  }
  return 0;
}

/* Follows the tree of the program's own resources to the manifest: by type, then what comes first. */
static resource find_manifest(const program *p)
{
  resource found = {TYPE_MANIFEST, "", 0};
  const uint32_t address = get(p->file + p->head + 24 + 112 + 16, 4);
  uint32_t offset = 0;
  for (int level = 0; level < 3; level++) {
    size_t folder = place_of(p, address + offset, 16);
    uint32_t entries = folder ? get(p->file + folder + 12, 2) + get(p->file + folder + 14, 2) : 0, next = 0;
    for (uint32_t i = 0; i < entries && next == 0; i++) {
      size_t entry = place_of(p, address + offset + 16 + i * 8, 8);
      if (entry && (level > 0 || get(p->file + entry, 4) == TYPE_MANIFEST))
        next = get(p->file + entry + 4, 4);
    }
    if (next == 0)
      return found;
    offset = next & 0x7fffffff;
  }
  size_t data = place_of(p, address + offset, 16);
  size_t size = data ? get(p->file + data + 4, 4) : 0;
  size_t place = data ? place_of(p, get(p->file + data, 4), size) : 0;
  if (place)
    found = (resource){TYPE_MANIFEST, p->file + place, size};
  return found;
}

static uint32_t rounded(uint32_t value, uint32_t step) { return (value + step - 1) / step * step; }

/* Appends the section, whose content is written by now, and refers to it. */
static void enter_section(const program *p, char *file, uint32_t address, uint32_t length, uint32_t place,
                          uint32_t size)
{
  char *options = file + p->head + 24, *s = file + p->sections + p->count * SECTION_HEAD;
  memset(s, 0, SECTION_HEAD);
  memcpy(s, ".about", 6);
  set(s + 8, 4, length);
  set(s + 12, 4, address);
  set(s + 16, 4, size);
  set(s + 20, 4, place);
  set(s + 36, 4, 0x40000040); /* data that is read */
  set(file + p->head + 6, 2, p->count + 1);
  set(options + 56, 4, rounded(address + length, get(options + 32, 4)));
  set(options + 64, 4, 0); /* no checksum, as before: only drivers need one */
  set(options + 112 + 16, 4, address);
  set(options + 112 + 20, 4, length);
}

char *pe_with_resources(const char *file, size_t size, const pe_about *about, size_t *new_size)
{
  program p;
  if (!read_program(&p, file, size) || strlen(about->title) > 512 || strlen(about->version) > 64)
    return NULL;
  const char *options = file + p.head + 24, *last = file + p.sections + (p.count - 1) * SECTION_HEAD;
  const uint32_t step = get(options + 36, 4) ? get(options + 36, 4) : 512;
  const uint32_t address =
      rounded(get(last + 12, 4) + get(last + 8, 4), get(options + 32, 4) ? get(options + 32, 4) : 1);
  const uint32_t place = rounded((uint32_t)size, step);
  const resource manifest = find_manifest(&p);
  char group[20], *version = malloc(VERSION_MOST);
  char *copy = calloc(1, place + rounded((uint32_t)(about->icon_size + manifest.size) + VERSION_MOST + 1024, step));
  if (version && copy) {
    writer w = {version, 0}, g = {group, 0}, tree = {copy + place, 0};
    const uint32_t side = get(about->icon + 19, 1) | get(about->icon + 18, 1) << 8; /* of the PNG */
    put_version(&w, about);
    put(&g, 2, 0);
    put(&g, 2, 1);
    put(&g, 2, 1);
    put(&g, 2, side < 256 ? side | side << 8 : 0);
    put(&g, 2, 0);
    put(&g, 2, 1);
    put(&g, 2, 32);
    put(&g, 4, (uint32_t)about->icon_size);
    put(&g, 2, 1);
    memcpy(copy, file, size);
    put_tree(&tree,
             (resource[]){{TYPE_ICON, about->icon, about->icon_size},
                          {TYPE_GROUP_ICON, group, g.size},
                          {TYPE_VERSION, version, w.size},
                          manifest},
             address);
    enter_section(&p, copy, address, (uint32_t)tree.size, place, rounded((uint32_t)tree.size, step));
    *new_size = place + rounded((uint32_t)tree.size, step);
  } else {
    free(copy);
    copy = NULL;
  }
  free(version);
  return copy;
}

/* }== */
