// A floor under the errors between two streams, without aligning them, so that most pairs of speakers need no alignment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace parakh {

// How often each run of `size` neighbouring words occurs. One edit takes away at most `size` runs and adds at most as many, so
// there are at least a `size`-th as many errors as one stream has runs that the other lacks (after E. Ukkonen, "Approximate
// string-matching with q-grams and maximal matches", Theoretical Computer Science 92, 1992). Runs are counted in buckets;
// those that fall together can only lower the floor.
class Neighbours {
  public:
    Neighbours(const std::vector<std::int32_t> &words, int bucket_bits, int size = 2)
        : size_(size), bucket_bits_(bucket_bits), count_(1 << bucket_bits) {
        add(words);
    }

    // A stretch of further words; runs across its begin do not count.
    void add(const std::vector<std::int32_t> &words) {
        words_ += static_cast<int>(words.size());
        for (std::size_t last = size_ - 1; last < words.size(); ++last) {
            std::uint64_t run = 0;
            for (std::size_t k = last + 1 - size_; k <= last; ++k) run = (run ^ static_cast<std::uint32_t>(words[k])) * 0x9E3779B97F4A7C15u;
            ++count_[run >> (64 - bucket_bits_)];
        }
    }

    // Both of the same size and number of buckets.
    int least_errors(const Neighbours &other) const {
        return std::max({std::abs(words_ - other.words_), least_missing(other), other.least_missing(*this)});
    }

    // A floor that holds for everything that contains the stretches added here, in this order.
    int least_missing(const Neighbours &other) const {
        int missing = 0;
        for (std::size_t k = 0; k < count_.size(); ++k) missing += std::max(0, count_[k] - other.count_[k]);
        return (missing + size_ - 1) / size_;
    }

  private:
    const int size_, bucket_bits_;
    int words_ = 0;
    std::vector<std::int32_t> count_;
};

}  // namespace parakh
