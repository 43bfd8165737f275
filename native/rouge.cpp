// What two texts of numbered words (or signs) share. Longest common subsequences are found 64 rows of the table at a time:
// M. Crochemore et al., "A fast and practical bit-vector algorithm for the longest common subsequence problem", Information Processing Letters 80, 2001.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace nb = nanobind;

namespace parakh {
namespace {

using Words = std::vector<std::int32_t>;

// The reference runs down, the hypothesis across. A column is a bit per row: 0 where the subsequence is longer by one than
// in the row above.
class CommonSubsequence {
  public:
    // `vocabulary` is greater than every word number.
    CommonSubsequence(const Words &reference, int vocabulary)
        : reference_(reference), blocks_((reference.size() + 63) / 64), match_(vocabulary * blocks_) {
        for (std::size_t row = 0; row < reference.size(); ++row) {
            match_[reference[row] * blocks_ + row / 64] |= std::uint64_t{1} << (row % 64);
        }
    }

    int length(const Words &hypothesis) const {
        std::vector<std::uint64_t> column(blocks_, ~std::uint64_t{0});
        for (const std::int32_t word : hypothesis) advance(column.data(), column.data(), word);
        int sum = 0;
        for (std::size_t row = 0; row < reference_.size(); ++row) sum += grows(column.data(), row);
        return sum;
    }

    // Marks the rows of one longest subsequence: at a match diagonally back, else left where that loses nothing that going
    // up would keep, else up. Of the equally long ones this is the one that rouge_score takes.
    void mark(const Words &hypothesis, std::vector<bool> &marked) const {
        std::vector<std::uint64_t> columns((hypothesis.size() + 1) * blocks_, ~std::uint64_t{0});
        for (std::size_t j = 0; j < hypothesis.size(); ++j) {
            advance(&columns[j * blocks_], &columns[(j + 1) * blocks_], hypothesis[j]);
        }
        std::size_t i = reference_.size(), j = hypothesis.size();
        while (i > 0 && j > 0) {
            if (reference_[i - 1] == hypothesis[j - 1]) {
                marked[--i] = true;
                --j;
            } else if (grows(&columns[j * blocks_], i - 1)) {
                --j;
            } else {
                --i;
            }
        }
    }

  private:
    static bool grows(const std::uint64_t *column, std::size_t row) { return !(column[row / 64] >> (row % 64) & 1); }

    void advance(const std::uint64_t *from, std::uint64_t *to, std::int32_t word) const {
        const std::uint64_t *match = &match_[word * blocks_];
        std::uint64_t carry = 0;
        for (std::size_t block = 0; block < blocks_; ++block) {
            const std::uint64_t before = from[block], matched = before & match[block];
            const std::uint64_t sum = before + matched, total = sum + carry;
            carry = (sum < before) | (total < sum);
            to[block] = total | (before & ~matched);
        }
    }

    const Words &reference_;
    const std::size_t blocks_;
    std::vector<std::uint64_t> match_;  // per word number: the rows that hold the word
};

int greatest(const std::vector<Words> &sentences) {
    int most = -1;
    for (const Words &sentence : sentences) {
        for (const std::int32_t word : sentence) most = std::max(most, word);
    }
    return most;
}

// Every run of `size` neighbours (1 or 2), sorted.
std::vector<std::uint64_t> sorted_ngrams(const Words &words, int size) {
    std::vector<std::uint64_t> ngrams;
    for (std::size_t k = size - 1; k < words.size(); ++k) {
        const std::uint64_t before = size == 2 ? words[k - 1] : 0;
        ngrams.push_back(before << 32 | static_cast<std::uint32_t>(words[k]));
    }
    std::sort(ngrams.begin(), ngrams.end());
    return ngrams;
}

// How many runs of `size` neighbours both have, each counted as often as it occurs in both.
int shared_ngrams(const Words &reference, const Words &hypothesis, int size) {
    nb::gil_scoped_release release;
    const auto first = sorted_ngrams(reference, size), second = sorted_ngrams(hypothesis, size);
    std::vector<std::uint64_t> shared;
    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(shared));
    return static_cast<int>(shared.size());
}

// How many runs of 1, 2, ... `longest` neighbours both have, each counted as often as it occurs in both. Only what begins
// with a shared run can be shared at the next length, so that every round looks at fewer places than the last.
std::vector<int> shared_runs(const Words &reference, const Words &hypothesis, int longest) {
    nb::gil_scoped_release release;
    struct Place {
        std::uint64_t run;  // number of the run one shorter, then its last word
        std::uint32_t start;
        std::uint32_t side;
    };
    const Words *const sides[] = {&reference, &hypothesis};
    std::vector<Place> places;
    for (std::uint32_t side = 0; side < 2; ++side) {
        for (std::uint32_t start = 0; start < sides[side]->size(); ++start) places.push_back({0, start, side});
    }
    std::vector<int> counts;
    for (int size = 1; size <= longest; ++size) {
        const auto ends = [&](const Place &place) { return place.start + size > sides[place.side]->size(); };
        places.erase(std::remove_if(places.begin(), places.end(), ends), places.end());
        for (Place &place : places) {
            const std::int32_t last = (*sides[place.side])[place.start + size - 1];
            place.run = place.run << 32 | static_cast<std::uint32_t>(last);
        }
        std::sort(places.begin(), places.end(), [](const Place &a, const Place &b) { return a.run < b.run; });
        std::vector<Place> kept;
        std::uint64_t number = 0;
        int shared = 0;
        for (auto first = places.begin(); first != places.end();) {
            int held[] = {0, 0};
            auto end = first;
            for (; end != places.end() && end->run == first->run; ++end) ++held[end->side];
            shared += std::min(held[0], held[1]);
            if (held[0] && held[1]) {
                for (auto place = first; place != end; ++place) kept.push_back({number, place->start, place->side});
                ++number;
            }
            first = end;
        }
        counts.push_back(shared);
        places.swap(kept);
    }
    return counts;
}

int lcs_length(const Words &reference, const Words &hypothesis) {
    if (reference.empty()) return 0;
    nb::gil_scoped_release release;
    return CommonSubsequence(reference, std::max(greatest({reference}), greatest({hypothesis})) + 1).length(hypothesis);
}

// Positions in each reference sentence that belong to its common subsequence with some hypothesis sentence.
std::vector<std::vector<int>> lcs_union(const std::vector<Words> &reference, const std::vector<Words> &hypothesis) {
    nb::gil_scoped_release release;
    const int vocabulary = std::max(greatest(reference), greatest(hypothesis)) + 1;
    std::vector<std::vector<int>> out;
    for (const Words &sentence : reference) {
        out.emplace_back();
        if (sentence.empty()) continue;
        const CommonSubsequence common(sentence, vocabulary);
        std::vector<bool> marked(sentence.size());
        for (const Words &other : hypothesis) common.mark(other, marked);
        for (std::size_t row = 0; row < sentence.size(); ++row) {
            if (marked[row]) out.back().push_back(static_cast<int>(row));
        }
    }
    return out;
}

}  // namespace
}  // namespace parakh

void bind_rouge(nb::module_ &m) {
    m.def("shared_ngrams", &parakh::shared_ngrams, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("size"));
    m.def("shared_runs", &parakh::shared_runs, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("longest"));
    m.def("lcs_length", &parakh::lcs_length, nb::arg("reference"), nb::arg("hypothesis"));
    m.def("lcs_union", &parakh::lcs_union, nb::arg("reference"), nb::arg("hypothesis"));
}
