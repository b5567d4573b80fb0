/*
** UTF-8: where texts may be cut, and how many letters they are; also of bytes that are none.
*/
#include "demo/support/strings.h"
#include "support/test.h"

#include <string.h>

#define TEXT "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x8e\xb2" /* characters of one to four bytes */

static test_group texts = {"texts"};

TEST(texts, a_text_is_cut_between_characters)
{
  static const size_t fits[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10};
  for (size_t most = 0; most < sizeof fits / sizeof *fits; most++)
    ck_assert_uint_eq(utf8_fit(TEXT, most), fits[most]);
  ck_assert_uint_eq(utf8_fit("", 5), 0);
}

TEST(texts, bytes_that_no_character_begins_are_cut_anywhere)
{
  static const char stray[] = "\x82\x82\x82\x82\x82\x82\x82\x82";
  for (size_t most = 1; most <= strlen(stray); most++)
    ck_assert_uint_eq(utf8_fit(stray, most), most);
}

TEST(texts, only_bytes_inside_a_character_continue_it)
{
  static const char text[] = TEXT;
  static const char expected[] = "0010110111";
  for (size_t i = 0; i < strlen(text); i++)
    ck_assert_int_eq(utf8_continues(text[i]), expected[i] == '1');
  ck_assert(!utf8_continues('\0'));
}

TEST(texts, letters_are_counted_as_they_are_drawn)
{
  static const char broken[] = "\x82\x82\xc3x\xe2\x82"; /* every byte shows by itself */
  ck_assert_uint_eq(utf8_letters(TEXT, strlen(TEXT)), 4);
  ck_assert_uint_eq(utf8_letters(TEXT, 3), 2);
  ck_assert_uint_eq(utf8_letters(TEXT, 0), 0);
  ck_assert_uint_eq(utf8_letters(broken, strlen(broken)), strlen(broken));
  ck_assert_uint_eq(utf8_span(broken, 4), 4);
  ck_assert_uint_eq(utf8_span(broken, 99), strlen(broken));
}

TEST(texts, so_many_letters_take_so_many_bytes)
{
  static const size_t spans[] = {0, 1, 3, 6, 10, 10, 10};
  for (size_t letters = 0; letters < sizeof spans / sizeof *spans; letters++)
    ck_assert_uint_eq(utf8_span(TEXT, letters), spans[letters]);
  ck_assert_uint_eq(utf8_span("", 3), 0);
}

SUITE(utf8, &texts)
