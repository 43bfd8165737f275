// A floor under the errors between two streams, without aligning them, so that most pairs of speakers need no alignment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace parakh {

// How often each pair of neighbouring words occurs. One edit changes at most two pairs on either side, so the pairs that
// two streams do not share are at most four for each error (E. Ukkonen, "Approximate string-matching with q-grams and
// maximal matches", Theoretical Computer Science 92, 1992). Pairs are counted in buckets; those that fall together can only
// lower the floor.
class Neighbours {
  public:
    Neighbours(const std::vector<std::int32_t> &words, int bucket_bits) : words_(static_cast<int>(words.size())), count_(1 << bucket_bits) {
        for (std::size_t k = 1; k < words.size(); ++k) {
            const std::uint64_t pair = static_cast<std::uint64_t>(words[k - 1]) << 32 | static_cast<std::uint32_t>(words[k]);
            ++count_[pair * 0x9E3779B97F4A7C15u >> (64 - bucket_bits)];
        }
    }

    // Both of the same number of buckets.
    int least_errors(const Neighbours &other) const {
        int different = 0;
        for (std::size_t k = 0; k < count_.size(); ++k) different += std::abs(count_[k] - other.count_[k]);
        return std::max(std::abs(words_ - other.words_), (different + 3) / 4);
    }

  private:
    int words_;
    std::vector<std::int32_t> count_;
};

}  // namespace parakh
