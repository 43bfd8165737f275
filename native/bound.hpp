// A floor under the errors between two streams, without aligning them, so that most pairs of speakers need no alignment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace parakh {

// How often each run of `size` neighbouring words occurs. One edit changes at most `size` runs on either side, so the runs
// that two streams do not share are at most 2 * `size` for each error (E. Ukkonen, "Approximate string-matching with q-grams
// and maximal matches", Theoretical Computer Science 92, 1992). Runs are counted in buckets; those that fall together can
// only lower the floor.
class Neighbours {
  public:
    Neighbours(const std::vector<std::int32_t> &words, int bucket_bits, int size = 2)
        : words_(static_cast<int>(words.size())), size_(size), count_(1 << bucket_bits) {
        for (int last = size - 1; last < words_; ++last) {
            std::uint64_t run = 0;
            for (int k = last - size + 1; k <= last; ++k) run = (run ^ static_cast<std::uint32_t>(words[k])) * 0x9E3779B97F4A7C15u;
            ++count_[run >> (64 - bucket_bits)];
        }
    }

    // Both of the same size and number of buckets.
    int least_errors(const Neighbours &other) const {
        int different = 0;
        for (std::size_t k = 0; k < count_.size(); ++k) different += std::abs(count_[k] - other.count_[k]);
        return std::max(std::abs(words_ - other.words_), (different + 2 * size_ - 1) / (2 * size_));
    }

  private:
    int words_, size_;
    std::vector<std::int32_t> count_;
};

}  // namespace parakh
