#include "sim/core/suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth {
namespace {

const std::vector<std::string> kBackfill{"none", "greedy", "easy", "conservative"};

TEST(Nearest, FindsASlipOfTheKeyboard) {
  EXPECT_EQ(nearest("esay", kBackfill), "easy");   // two letters swapped
  EXPECT_EQ(nearest("eas", kBackfill), "easy");    // one left out
  EXPECT_EQ(nearest("eeasy", kBackfill), "easy");  // one too many
  EXPECT_EQ(nearest("eaxy", kBackfill), "easy");   // one wrong
  EXPECT_EQ(nearest("gredy", kBackfill), "greedy");
  EXPECT_EQ(nearest("intervall", {"interval", "depth"}), "interval");
}

TEST(Nearest, AllowsAThirdOfALongWord) {
  EXPECT_EQ(nearest("konservativ", kBackfill), "conservative");   // 2 edits
  EXPECT_EQ(nearest("xxxservative", kBackfill), "conservative");  // 3 of 12
  EXPECT_EQ(nearest("xxxxxrvative", kBackfill), "");              // 5 of 12
}

TEST(Nearest, TakesUpperAndLowerCaseAsEqual) {
  EXPECT_EQ(nearest("EASY", kBackfill), "easy");
  EXPECT_EQ(nearest("Conservative", kBackfill), "conservative");
  EXPECT_EQ(nearest("fifo", {"FIFO"}), "FIFO");
}

TEST(Nearest, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest("banana", kBackfill), "");
  EXPECT_EQ(nearest("", kBackfill), "");
  EXPECT_EQ(nearest("", {"a"}), "");
  EXPECT_EQ(nearest("xy", {"ab"}), "");  // two edits, but no letter in common
  EXPECT_EQ(nearest("easy", {}), "");
  EXPECT_EQ(nearest(std::string(100'000, 'a'), {std::string(99'999, 'a')}), "");
}

TEST(Nearest, TakesTheNearestAndTheFirstListedOnTies) {
  EXPECT_EQ(nearest("cat", {"cart", "cut", "bat"}), "cart");  // one edit each
  EXPECT_EQ(nearest("carts", {"cat", "cart"}), "cart");       // two edits, one edit
}

TEST(Join, PutsSeparatorsBetween) {
  EXPECT_EQ(join({}), "");
  EXPECT_EQ(join({"a"}), "a");
  EXPECT_EQ(join({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(join({"a", "b"}, " -> "), "a -> b");
  EXPECT_EQ(join({"", "a", ""}, ","), ",a,");  // an empty word is a word
}

}  // namespace
}  // namespace berth
