/*
** Reads from a program for Linux, 64 bits, what a packed game needs: how long it is without what only debuggers read,
** and which libraries it needs, in which versions. Every offset is checked: the file may be anybody's.
*/
#ifndef SP_DEMO_ELF_H
#define SP_DEMO_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Returns the program header `i`, or NULL. */
static inline const Elf64_Phdr *elf_part(const char *bytes, size_t size, size_t i)
{
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)bytes;
  if (size < sizeof *head || memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64 ||
      i >= head->e_phnum || head->e_phoff % 8 != 0 || head->e_phoff > size ||
      (size - head->e_phoff) / sizeof(Elf64_Phdr) <= i)
    return NULL;
  const Elf64_Phdr *part = (const Elf64_Phdr *)(bytes + head->e_phoff) + i;
  return part->p_offset <= size && part->p_filesz <= size - part->p_offset ? part : NULL;
}

/* Returns the end of what is loaded, a multiple of 16, or 0 when it is no such program. What follows, the table of
   sections included, is for debuggers. */
static inline size_t elf_size(const char *bytes, size_t size)
{
  size_t end = 0;
  const Elf64_Phdr *part;
  for (size_t i = 0; (part = elf_part(bytes, size, i)) != NULL; i++)
    if (part->p_type == PT_LOAD && part->p_offset + part->p_filesz > end)
      end = part->p_offset + part->p_filesz;
  end = (end + 15) / 16 * 16;
  return end <= size ? end : 0;
}

/* Returns where the file has what is loaded at `address`, or 0. */
static inline size_t elf_place(const char *bytes, size_t size, size_t address)
{
  const Elf64_Phdr *part;
  for (size_t i = 0; (part = elf_part(bytes, size, i)) != NULL; i++)
    if (part->p_type == PT_LOAD && address >= part->p_vaddr && address - part->p_vaddr < part->p_filesz)
      return part->p_offset + (address - part->p_vaddr);
  return 0;
}

/* Returns the list of what the loader is told, and its length. */
static inline const Elf64_Dyn *elf_dynamic(const char *bytes, size_t size, size_t *count)
{
  const Elf64_Phdr *part, *dynamic = NULL;
  for (size_t i = 0; (part = elf_part(bytes, size, i)) != NULL; i++)
    dynamic = part->p_type == PT_DYNAMIC && part->p_offset % 8 == 0 ? part : dynamic;
  *count = dynamic ? dynamic->p_filesz / sizeof(Elf64_Dyn) : 0;
  return dynamic ? (const Elf64_Dyn *)(bytes + dynamic->p_offset) : NULL;
}

/* Returns where the file has what the last entry with this tag points to, or 0. */
static inline size_t elf_table(const char *bytes, size_t size, Elf64_Sxword tag)
{
  size_t count, place = 0;
  const Elf64_Dyn *entries = elf_dynamic(bytes, size, &count);
  for (size_t i = 0; i < count; i++)
    place = entries[i].d_tag == tag ? elf_place(bytes, size, entries[i].d_un.d_ptr) : place;
  return place;
}

/* Returns a text of the program, "" when it has none there. */
static inline const char *elf_text(const char *bytes, size_t size, size_t texts, size_t at)
{
  bool is_there = texts > 0 && at < size - texts && memchr(bytes + texts + at, 0, size - texts - at);
  return is_there ? bytes + texts + at : "";
}

/* Calls `fn` for each library that the program names. */
static inline void elf_each_needed(const char *bytes, size_t size, void (*fn)(const char *name, void *ud), void *ud)
{
  size_t count, texts = elf_table(bytes, size, DT_STRTAB);
  const Elf64_Dyn *entries = elf_dynamic(bytes, size, &count);
  for (size_t i = 0; i < count && texts > 0; i++)
    if (entries[i].d_tag == DT_NEEDED)
      fn(elf_text(bytes, size, texts, entries[i].d_un.d_val), ud);
}

/* Returns whether a structure of `length` bytes lies at `at`. */
static inline bool elf_has(size_t size, size_t at, size_t length)
{
  return at > 0 && at % 4 == 0 && at < size && size - at >= length;
}

/* Calls `fn` for each version of a library that the program needs. */
static inline void elf_each_version(const char *bytes, size_t size,
                                    void (*fn)(const char *name, const char *version, void *ud), void *ud)
{
  size_t texts = elf_table(bytes, size, DT_STRTAB), at = elf_table(bytes, size, DT_VERNEED);
  while (elf_has(size, at, sizeof(Elf64_Verneed))) {
    const Elf64_Verneed *library = (const Elf64_Verneed *)(bytes + at);
    const char *name = elf_text(bytes, size, texts, library->vn_file);
    size_t below = at + library->vn_aux;
    for (int i = 0; i < library->vn_cnt && elf_has(size, below, sizeof(Elf64_Vernaux)); i++) {
      const Elf64_Vernaux *version = (const Elf64_Vernaux *)(bytes + below);
      if (!(version->vna_flags & VER_FLG_WEAK))
        fn(name, elf_text(bytes, size, texts, version->vna_name), ud);
      below += version->vna_next;
    }
    at = library->vn_next > 0 ? at + library->vn_next : 0;
  }
}

/* Returns whether a library has that version, or none at all. */
static inline bool elf_has_version(const char *bytes, size_t size, const char *version)
{
  size_t texts = elf_table(bytes, size, DT_STRTAB), at = elf_table(bytes, size, DT_VERDEF);
  bool has = at == 0;
  while (!has && elf_has(size, at, sizeof(Elf64_Verdef))) {
    const Elf64_Verdef *it = (const Elf64_Verdef *)(bytes + at);
    size_t below = at + it->vd_aux;
    has = elf_has(size, below, sizeof(Elf64_Verdaux)) &&
          strcmp(elf_text(bytes, size, texts, ((const Elf64_Verdaux *)(bytes + below))->vda_name), version) == 0;
    at = it->vd_next > 0 ? at + it->vd_next : 0;
  }
  return has;
}

#endif
