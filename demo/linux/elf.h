/*
** Reads from a program for Linux, 64 bits, what a packed game needs: how long it is without what only debuggers read,
** and which libraries it needs. Every offset is checked: the file may be anybody's.
*/
#ifndef SP_DEMO_ELF_H
#define SP_DEMO_ELF_H

#include <elf.h>
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

/* Calls `fn` for each library that the program names. */
static inline void elf_each_needed(const char *bytes, size_t size, void (*fn)(const char *name, void *ud), void *ud)
{
  const Elf64_Phdr *part, *dynamic = NULL;
  size_t texts = 0, place = 0;
  for (size_t i = 0; (part = elf_part(bytes, size, i)) != NULL; i++)
    dynamic = part->p_type == PT_DYNAMIC ? part : dynamic;
  size_t count = dynamic ? dynamic->p_filesz / sizeof(Elf64_Dyn) : 0;
  const Elf64_Dyn *entries = dynamic ? (const Elf64_Dyn *)(bytes + dynamic->p_offset) : NULL;
  for (size_t i = 0; i < count; i++)
    place = entries[i].d_tag == DT_STRTAB ? entries[i].d_un.d_ptr : place;
  for (size_t i = 0; (part = elf_part(bytes, size, i)) != NULL; i++)
    if (part->p_type == PT_LOAD && place >= part->p_vaddr && place - part->p_vaddr < part->p_filesz)
      texts = part->p_offset + (place - part->p_vaddr);
  for (size_t i = 0; i < count && texts > 0; i++)
    if (entries[i].d_tag == DT_NEEDED && entries[i].d_un.d_val < size - texts)
      fn(bytes + texts + entries[i].d_un.d_val, ud);
}

#endif
