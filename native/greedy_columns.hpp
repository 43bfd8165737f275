// Columns of the edit distance between the utterances given to a stream and each beginning (or each end) of the stream, for
// trying out where an utterance costs least. A word for another costs `change`: 1, or 2 as a deletion and an insertion.
//
// Both classes hold columns the same way. forward(): the column after one more utterance; backward(): the column before one
// more; cost(): the least sum of a forward and a backward column over all places where they may meet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ingest.hpp"
#include "timed.hpp"
#include "utterances.hpp"

namespace parakh {

// Any word may meet any other, one form each: 64 rows at a time by their differences, as in edit.hpp for a change of 1 and,
// for 2, by H. Hyyro, "Bit-parallel LCS-length computation revisited", AWOCA 2004.
class BitColumns {
  public:
    struct Block {
        std::uint64_t rise = ~std::uint64_t{0}, fall = 0;  // differences of the 64 rows to the ones before them
        std::int32_t last = 0;                             // value in the last row
    };
    struct Column {
        std::int32_t first = 0;  // value before the first row
        std::vector<Block> blocks;
    };

    BitColumns(const std::vector<Utterance> &utterances, const std::vector<Stream> &streams, int vocabulary) : utterances_(utterances) {
        for (const Stream &stream : streams) sides_.push_back({Places(stream, vocabulary, false), Places(stream, vocabulary, true)});
    }

    void set_change(int change) { change_ = change; }

    Column start(int stream) const {
        Column column;
        column.blocks.resize(sides_[stream].ahead.blocks);
        for (std::size_t k = 0; k < column.blocks.size(); ++k) column.blocks[k].last = static_cast<std::int32_t>(64 * (k + 1));
        return column;
    }

    // The last block is filled up with words that match nothing. Seen from the end they come first and must cost nothing:
    // with a change of 1 they are level, with 2 they only add their number, which cost() takes off.
    Column end(int stream) const {
        Column column = start(stream);
        if (change_ == 2 || column.blocks.empty()) return column;
        const int padding = sides_[stream].ahead.padding;
        column.blocks[0].rise <<= padding;
        for (Block &block : column.blocks) block.last -= padding;
        return column;
    }

    void forward(int stream, int utterance, const Column &from, Column &to) {
        to = from;
        for (const std::int32_t word : utterances_[utterance].forms[0].word) advance(sides_[stream].ahead, word, to);
    }

    void backward(int stream, int utterance, const Column &from, Column &to) {
        to = from;
        const auto &words = utterances_[utterance].forms[0].word;
        for (auto word = words.rbegin(); word != words.rend(); ++word) advance(sides_[stream].back, *word, to);
    }

    std::int32_t cost(int stream, const Column &ahead, const Column &back) const {
        const int blocks = static_cast<int>(ahead.blocks.size());
        const auto edge = [&](int k) {
            return (k == 0 ? ahead.first : ahead.blocks[k - 1].last) + (k == blocks ? back.first : back.blocks[blocks - 1 - k].last);
        };
        std::int32_t best = edge(0);
        for (int k = 1; k <= blocks; ++k) best = std::min(best, edge(k));
        std::int32_t top = edge(0);
        for (int k = 0; k < blocks; ++k) {
            const std::int32_t bottom = edge(k + 1);
            // Each step lowers the sum by at most 2.
            if (top + bottom - 2 * 64 < 2 * best) best = std::min(best, top + deepest(ahead.blocks[k], back.blocks[blocks - 1 - k]));
            top = bottom;
        }
        return best - (change_ == 2 ? sides_[stream].ahead.padding : 0);
    }

  private:
    // Where each word stands in a stream, from its begin or from its end.
    struct Places {
        Places(const Stream &stream, int vocabulary, bool reversed)
            : blocks((stream.size() + 63) / 64), padding(64 * blocks - stream.size()), match(blocks), first(vocabulary + 1), row(stream.size()) {
            for (const std::int32_t word : stream.word) ++first[word + 1];
            for (int word = 0; word < vocabulary; ++word) first[word + 1] += first[word];
            std::vector<std::int32_t> next(first.begin(), first.end() - 1);
            for (int k = 0; k < stream.size(); ++k) row[next[stream.word[k]]++] = reversed ? 64 * blocks - 1 - k : k;
        }

        int blocks, padding;
        std::vector<std::uint64_t> match;  // rows of the word at work; zeros in between
        std::vector<std::int32_t> first, row;
    };
    struct Sides {
        Places ahead, back;
    };

    void advance(Places &places, std::int32_t word, Column &column) {
        const auto begin = places.row.begin() + places.first[word], end = places.row.begin() + places.first[word + 1];
        for (auto row = begin; row != end; ++row) places.match[*row / 64] |= std::uint64_t{1} << (*row % 64);
        ++column.first;
        if (change_ == 1) {
            levenshtein(places.match, column.blocks);
        } else {
            subsequence(places.match, column.blocks);
        }
        for (auto row = begin; row != end; ++row) places.match[*row / 64] = 0;
    }

    static void levenshtein(const std::vector<std::uint64_t> &match, std::vector<Block> &blocks) {
        std::uint64_t rise = 1, fall = 0;
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            Block &block = blocks[k];
            const std::uint64_t vertical = match[k] | block.fall, equal = match[k] | fall;
            const std::uint64_t horizontal = (((equal & block.rise) + block.rise) ^ block.rise) | equal;
            const std::uint64_t right = block.fall | ~(horizontal | block.rise), left = block.rise & horizontal;
            const std::uint64_t right_above = right << 1 | rise, left_above = left << 1 | fall;
            block.rise = left_above | ~(vertical | right_above);
            block.fall = right_above & vertical;
            rise = right >> 63;
            fall = left >> 63;
            block.last += static_cast<std::int32_t>(rise) - static_cast<std::int32_t>(fall);
        }
    }

    // Rows in which the longest common subsequence does not grow rise, the others fall.
    static void subsequence(const std::vector<std::uint64_t> &match, std::vector<Block> &blocks) {
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            Block &block = blocks[k];
            const std::uint64_t matched = block.rise & match[k], with_carry = block.rise + carry, sum = with_carry + matched;
            carry = (with_carry < carry) | (sum < matched);
            block.rise = sum | (block.rise & ~match[k]);
            block.fall = ~block.rise;
            block.last += 1 - 2 * static_cast<std::int32_t>(carry);
        }
    }

    // How far the sum of both columns falls inside a block.
    static std::int32_t deepest(const Block &ahead, const Block &back) {
        std::int32_t depth = 0, least = 0;
        for (int k = 0; k < 64; ++k) {
            const int mirrored = 63 - k;
            depth += static_cast<std::int32_t>((ahead.rise >> k & 1) + (back.fall >> mirrored & 1));
            depth -= static_cast<std::int32_t>((ahead.fall >> k & 1) + (back.rise >> mirrored & 1));
            least = std::min(least, depth);
        }
        return least;
    }

    const std::vector<Utterance> &utterances_;
    std::vector<Sides> sides_;
    int change_ = 1;
};

// Words may meet where their times overlap, or anywhere without times; an utterance takes the cheapest of its forms. Of each
// column only the rows are kept that words before and after it may meet: above them a word more of the utterances costs 1
// each, and below them a word more of the stream.
class BandColumns {
  public:
    struct Column {
        int top = 0;
        std::vector<std::int32_t> value{0};

        int bottom() const { return top + static_cast<int>(value.size()) - 1; }
    };

    BandColumns(const std::vector<Utterance> &utterances, const std::vector<Stream> &streams, bool timed)
        : utterances_(utterances), streams_(streams), timed_(timed) {
        for (const Stream &stream : streams) bands_.push_back(timed ? bands_of(stream) : Bands(utterances.size(), {0, stream.size()}));
    }

    void set_change(int change) { change_ = change; }
    Column start(int) const { return {}; }
    Column end(int stream) const { return {streams_[stream].size(), {0}}; }

    void forward(int stream, int utterance, const Column &from, Column &to) {
        const auto [top, bottom] = bands_[stream][utterance];
        begin_.clear();
        for (int row = top; row <= bottom; ++row) {
            const int beyond = std::max(0, row - from.bottom());
            begin_.push_back(from.value[row - beyond - from.top] + beyond);
        }
        to.top = top;
        cheapest_form(utterance, to.value, [&](const Form &form, std::vector<std::int32_t> &value) {
            for (std::size_t k = 0; k < form.word.size(); ++k) step_down(streams_[stream], form, k, top, value);
        });
    }

    void backward(int stream, int utterance, const Column &from, Column &to) {
        const auto [top, bottom] = bands_[stream][utterance];
        begin_.clear();
        for (int row = top; row <= bottom; ++row) {
            const int before = std::max(0, from.top - row);
            begin_.push_back(from.value[row + before - from.top] + before);
        }
        to.top = top;
        cheapest_form(utterance, to.value, [&](const Form &form, std::vector<std::int32_t> &value) {
            for (std::size_t k = form.word.size(); k-- > 0;) step_up(streams_[stream], form, k, top, value);
        });
    }

    std::int32_t cost(int, const Column &ahead, const Column &back) const {
        if (ahead.bottom() < back.top) return ahead.value.back() + (back.top - ahead.bottom()) + back.value.front();
        std::int32_t best = std::numeric_limits<std::int32_t>::max();
        const std::int32_t *const first = &ahead.value[back.top - ahead.top];
        for (int k = 0; k <= ahead.bottom() - back.top; ++k) best = std::min(best, first[k] + back.value[k]);
        return best;
    }

  private:
    using Bands = std::vector<std::pair<int, int>>;

    // For each utterance the first row that its words or later ones may meet, and the last that its words or earlier ones may.
    Bands bands_of(const Stream &stream) const {
        Bands bands(utterances_.size(), {stream.size(), 0});
        double earliest = std::numeric_limits<double>::infinity(), latest = -earliest;
        int top = 0, bottom = 0;
        std::vector<double> begin(utterances_.size());
        for (std::size_t k = utterances_.size(); k-- > 0;) {
            for (const Form &form : utterances_[k].forms) {
                for (const Interval &time : form.time) earliest = std::min(earliest, time.begin);
            }
            begin[k] = earliest;
        }
        for (std::size_t k = 0; k < utterances_.size(); ++k) {
            for (const Form &form : utterances_[k].forms) {
                for (const Interval &time : form.time) latest = std::max(latest, time.end);
            }
            while (top < stream.size() && stream.time[top].end <= begin[k]) ++top;
            while (bottom < stream.size() && stream.earliest[bottom] < latest) ++bottom;
            bottom = std::max(bottom, top);
            bands[k] = {top, bottom};
        }
        return bands;
    }

    // Leaves in `best`, row by row, the least of what each form makes of begin_.
    template <class Advance>
    void cheapest_form(int utterance, std::vector<std::int32_t> &best, Advance advance) {
        const auto &forms = utterances_[utterance].forms;
        best = begin_;
        advance(forms[0], best);
        for (std::size_t form = 1; form < forms.size(); ++form) {
            other_ = begin_;
            advance(forms[form], other_);
            for (std::size_t k = 0; k < best.size(); ++k) best[k] = std::min(best[k], other_[k]);
        }
    }

    // `word` is one of a form, `row` of a stream.
    std::int32_t meeting(const Stream &stream, const Form &form, std::size_t word, int row) const {
        if (timed_ && !overlap(form.time[word], stream.time[row])) return 2;  // no better than a deletion and an insertion
        return form.word[word] == stream.word[row] ? 0 : change_;
    }

    void step_down(const Stream &stream, const Form &form, std::size_t word, int top, std::vector<std::int32_t> &value) const {
        std::int32_t diagonal = value[0], before = ++value[0];
        for (std::size_t k = 1; k < value.size(); ++k) {
            const std::int32_t level = value[k];
            before = std::min(std::min(before, level) + 1, diagonal + meeting(stream, form, word, top + static_cast<int>(k) - 1));
            value[k] = before;
            diagonal = level;
        }
    }

    void step_up(const Stream &stream, const Form &form, std::size_t word, int top, std::vector<std::int32_t> &value) const {
        std::int32_t diagonal = value.back(), before = ++value.back();
        for (std::size_t k = value.size() - 1; k-- > 0;) {
            const std::int32_t level = value[k];
            before = std::min(std::min(before, level) + 1, diagonal + meeting(stream, form, word, top + static_cast<int>(k)));
            value[k] = before;
            diagonal = level;
        }
    }

    const std::vector<Utterance> &utterances_;
    const std::vector<Stream> &streams_;
    const bool timed_;
    std::vector<Bands> bands_;
    std::vector<std::int32_t> begin_, other_;
    int change_ = 1;
};

}  // namespace parakh
