// One alignment of two sequences of any length, in linear memory, inside the band of the table where cheapest paths lie:
// E. Ukkonen, "Algorithms for approximate string matching", Information and Control 64, 1985; 64 rows at a time: G. Myers,
// JACM 46(3), 1999, with the blocks of H. Hyyro, Nordic Journal of Computing 10, 2003; long sequences are divided:
// D. S. Hirschberg, CACM 18(6), 1975.
//
// Among the cheapest alignments it takes the one that rapidfuzz 3.14.6 gives (and with it jiwer 4.0). The reference runs
// down, the hypothesis across:
// - What both begin and end with is matched first, the beginning before the end.
// - The walk back through the table takes a deletion where one is cheapest, else an insertion where the cell above it is
//   cheaper than the cell before that, else the diagonal.
// - A table above a certain size is divided: at half of the columns, in the first row that a cheapest path crosses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "edit.hpp"

namespace parakh {

using Symbol = std::int32_t;

// A stretch of a sequence.
struct Stretch {
    const Symbol *symbols;
    int size;

    Symbol operator[](int k) const { return symbols[k]; }
    Stretch part(int from, int to) const { return {symbols + from, to - from}; }
};

inline int count_bits(std::uint64_t bits) {
    int count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
}

// In which rows each symbol stands, as bits of blocks of 64 rows. Linear memory: a symbol that stands in many blocks has
// them all, of the others the rows are listed.
class Rows {
  public:
    Rows(Stretch rows, int alphabet) : blocks_((rows.size + 63) / 64), first_(alphabet + 1), dense_(alphabet, kRare) {
        for (int k = 0; k < rows.size; ++k) ++first_[rows[k] + 1];
        std::size_t masks = 0;
        for (int symbol = 0; symbol < alphabet; ++symbol) {
            if (first_[symbol + 1] * kRarely < blocks_) continue;
            dense_[symbol] = static_cast<std::ptrdiff_t>(masks);
            masks += blocks_;
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        next_.assign(first_.begin(), first_.end() - 1);
        masks_.assign(masks, 0);
        listed_.resize(rows.size);
        for (int k = 0; k < rows.size; ++k) {
            const Symbol symbol = rows[k];
            if (dense_[symbol] == kRare) {
                listed_[next_[symbol]++] = k;
            } else {
                masks_[dense_[symbol] + k / 64] |= std::uint64_t{1} << (k % 64);
            }
        }
        spread_.assign(blocks_, 0);
        rewind();
    }

    // Before blocks are asked for that lie above those asked for last.
    void rewind() { next_.assign(first_.begin(), first_.end() - 1); }

    // The blocks of a symbol, of which those from `from` to `to` are valid until the next call.
    const std::uint64_t *of(Symbol symbol, int from, int to) {
        if (dense_[symbol] != kRare) return &masks_[dense_[symbol]];
        for (const int block : used_) spread_[block] = 0;
        used_.clear();
        const int end = first_[symbol + 1];
        int &next = next_[symbol];
        while (next < end && listed_[next] / 64 < from) ++next;
        for (int k = next; k < end && listed_[k] / 64 <= to; ++k) {
            spread_[listed_[k] / 64] |= std::uint64_t{1} << (listed_[k] % 64);
            used_.push_back(listed_[k] / 64);
        }
        return spread_.data();
    }

    int blocks() const { return blocks_; }

  private:
    static constexpr std::ptrdiff_t kRare = -1;
    static constexpr int kRarely = 4;  // stands in less than one block of so many

    int blocks_;
    std::vector<int> first_, next_, listed_;  // rows of the rare symbols: where each one's start, and the next one asked for
    std::vector<std::ptrdiff_t> dense_;       // where the blocks of a frequent symbol start
    std::vector<std::uint64_t> masks_, spread_;
    std::vector<int> used_;
};

// Of 64 cells below each other: whether each is one more, and one less, than its upper neighbour; the value of the last.
struct Block {
    std::uint64_t rises, falls;
    int bottom;

    int top() const { return bottom - count_bits(rises) + count_bits(falls); }  // the value above the first cell
};

// One column of the table after the other, as far as cells can lie on a path that costs no more than a bound. A cell is
// taken for the less promising the more steps its row and column are away from ending together. Cells on cheapest paths
// are exact, the others never too small.
class Band {
  public:
    Band(Rows &rows, Stretch reference, Stretch hypothesis)
        : rows_(rows), reference_(reference), hypothesis_(hypothesis), blocks_(rows.blocks()) {
        rows_.rewind();
        for (int block = 0; block < rows.blocks(); ++block) blocks_[block] = {~std::uint64_t{0}, 0, 64 * (block + 1)};
    }

    // The cost of a path that keeps to `width` blocks, moved down so that the cheapest cells stay in the middle: never less
    // than the distance.
    int narrow(int width) {
        last_ = std::min(width, rows_.blocks()) - 1;
        while (column_ < hypothesis_.size) {
            step();
            if (last_ + 1 < rows_.blocks() && blocks_[first_].bottom >= blocks_[last_].bottom) {
                append();
                ++first_;
            }
        }
        return value(last_row()) + reference_.size - last_row();
    }

    // Calls note(*this) after each of the columns before `end`; no cell may cost more than `bound`.
    template <class Note>
    void sweep(int end, int bound, Note note) {
        last_ = 0;
        extend(bound);
        while (column_ < end) {
            step();
            while (first_ < last_ && least(first_) > bound) ++first_;
            while (last_ > first_ && least_below(last_ - 1) > bound) --last_;
            extend(bound);
            note(*this);
        }
    }

    int first_row() const { return 64 * first_; }
    int last_row() const { return std::min(reference_.size, 64 * (last_ + 1)); }
    int first() const { return first_; }
    int last() const { return last_; }
    const Block &block(int k) const { return blocks_[k]; }

    // The value in a row of the band.
    int value(int row) const {
        if (row == first_row()) return blocks_[first_].top();
        const Block &block = blocks_[(row - 1) / 64];
        const std::uint64_t below = row % 64 == 0 ? 0 : ~std::uint64_t{0} << (row % 64);
        return block.bottom - count_bits(block.rises & below) + count_bits(block.falls & below);
    }

  private:
    void step() {
        const std::uint64_t *match = rows_.of(hypothesis_[column_++], first_, last_);
        std::uint64_t rise = 1, fall = 0;
        for (int k = first_; k <= last_; ++k) {
            Block &block = blocks_[k];
            const std::uint64_t up = block.rises, equal = match[k] | fall;
            const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal | block.falls;
            const std::uint64_t right = block.falls | ~(diagonal | up), left = up & diagonal;
            const std::uint64_t right_above = right << 1 | rise, left_above = left << 1 | fall;
            rise = right >> 63;
            fall = left >> 63;
            block.rises = left_above | ~(diagonal | right_above);
            block.falls = right_above & diagonal;
            block.bottom += static_cast<int>(rise) - static_cast<int>(fall);
        }
    }

    // How many rows more than columns are left after the last row of a block.
    int surplus(int block) const { return reference_.size - 64 * (block + 1) - (hypothesis_.size - column_); }

    // Less than which no path can cost that passes through a cell of a block, judged by its last cell.
    int least(int block) const { return blocks_[block].bottom + std::max(surplus(block), -surplus(block) - 126); }

    // The same of the cells below a block.
    int least_below(int block) const { return blocks_[block].bottom + std::max(-surplus(block), surplus(block) - 128); }

    void extend(int bound) {
        while (last_ + 1 < rows_.blocks() && least_below(last_) <= bound) append();
    }

    void append() {
        ++last_;
        blocks_[last_] = {~std::uint64_t{0}, 0, blocks_[last_ - 1].bottom + 64};
    }

    Rows &rows_;
    const Stretch reference_, hypothesis_;
    std::vector<Block> blocks_;
    int column_ = 0, first_ = 0, last_ = 0;
};

class SequenceAlignment {
  public:
    // `alphabet` is greater than every symbol.
    SequenceAlignment(Stretch reference, Stretch hypothesis, int alphabet) : alphabet_(alphabet) {
        steps_.reserve(std::max(reference.size, hypothesis.size));
        align(reference, hypothesis, 0, 0, std::nullopt);
    }

    std::vector<Step> take_steps() { return std::move(steps_); }

  private:
    // Appends the steps of a stretch whose first elements have the given indices; its distance where it is known.
    void align(Stretch reference, Stretch hypothesis, int i, int j, std::optional<int> distance) {
        int before = 0, after = 0;
        const int shorter = std::min(reference.size, hypothesis.size);
        while (before < shorter && reference[before] == hypothesis[before]) ++before;
        while (after < shorter - before && reference[reference.size - 1 - after] == hypothesis[hypothesis.size - 1 - after]) ++after;
        match(i, j, before);
        align_rest(reference.part(before, reference.size - after), hypothesis.part(before, hypothesis.size - after), i + before,
                   j + before, distance);
        match(i + reference.size - after, j + hypothesis.size - after, after);
    }

    void match(int i, int j, int count) {
        for (int k = 0; k < count; ++k) steps_.push_back({i + k, j + k});
    }

    // The same of what is left when the ends that match are gone.
    void align_rest(Stretch reference, Stretch hypothesis, int i, int j, std::optional<int> distance) {
        if (reference.size == 0 || hypothesis.size == 0) {
            for (int k = 0; k < reference.size; ++k) steps_.push_back({i + k, kNone});
            for (int k = 0; k < hypothesis.size; ++k) steps_.push_back({kNone, j + k});
            return;
        }
        const int longest = std::max(reference.size, hypothesis.size);
        const bool fits = is_small(reference.size, hypothesis.size, distance.value_or(longest));
        Rows rows(reference, alphabet_);
        const int bound = distance ? *distance : upper_bound(rows, reference, hypothesis);
        if (fits) return walk(rows, reference, hypothesis, i, j, bound);
        const Division at = divide(rows, reference, hypothesis, bound);
        const int middle = hypothesis.size / 2;
        align(reference.part(0, at.row), hypothesis.part(0, middle), i, j, at.before);
        align(reference.part(at.row, reference.size), hypothesis.part(middle, hypothesis.size), i + at.row, j + middle, at.after);
    }

    // A bound on the distance, mostly the distance itself; widens its search while the work that may save is worth it.
    static int upper_bound(Rows &rows, Stretch reference, Stretch hypothesis) {
        const int longest = std::max(reference.size, hypothesis.size);
        int bound = std::min(longest, Band(rows, reference, hypothesis).narrow(4));
        for (int width = 16; bound > longest / 3 && bound > 512 * width; width *= 4) {
            bound = std::min(bound, Band(rows, reference, hypothesis).narrow(width));
        }
        return bound;
    }

    // Whether rapidfuzz keeps the table whole: two bits a cell, below a mebibyte.
    static bool is_small(int rows, int columns, int distance) {
        const auto band = std::min<std::int64_t>(rows, 2 * std::int64_t{distance} + 1);
        return 2 * band * columns / 8 < 1024 * 1024 || rows < 65 || columns < 10;
    }

    struct Division {
        int row, before, after;  // the cost of either part
    };

    Division divide(Rows &rows, Stretch reference, Stretch hypothesis, int bound) const {
        const auto nothing = [](const Band &) {};
        const int middle = hypothesis.size / 2;
        Band forward(rows, reference, hypothesis);
        forward.sweep(middle, bound, nothing);

        const std::vector<Symbol> said(std::make_reverse_iterator(reference.symbols + reference.size),
                                       std::make_reverse_iterator(reference.symbols));
        const std::vector<Symbol> heard(std::make_reverse_iterator(hypothesis.symbols + hypothesis.size),
                                        std::make_reverse_iterator(hypothesis.symbols));
        const Stretch reversed{said.data(), reference.size};
        Rows reversed_rows(reversed, alphabet_);
        Band backward(reversed_rows, reversed, {heard.data(), hypothesis.size});
        backward.sweep(hypothesis.size - middle, bound, nothing);

        Division best{0, std::numeric_limits<int>::max() / 2, 0};
        const int end = std::min(forward.last_row(), reference.size - backward.first_row());
        for (int row = std::max(forward.first_row(), reference.size - backward.last_row()); row <= end; ++row) {
            const Division here{row, forward.value(row), backward.value(reference.size - row)};
            if (here.before + here.after < best.before + best.after) best = here;
        }
        return best;
    }

    // A column as it was: its first block, and where its blocks start.
    struct Column {
        int first;
        std::size_t offset;
    };
    struct Slopes {
        std::uint64_t rises, falls;
    };

    void walk(Rows &rows, Stretch reference, Stretch hypothesis, int i, int j, int bound) {
        std::vector<Slopes> slopes;
        std::vector<Column> columns;
        Band(rows, reference, hypothesis).sweep(hypothesis.size, bound, [&](const Band &band) {
            columns.push_back({band.first(), slopes.size()});
            for (int k = band.first(); k <= band.last(); ++k) slopes.push_back({band.block(k).rises, band.block(k).falls});
        });
        columns.push_back({0, slopes.size()});
        const std::size_t start = steps_.size();
        walk_back(reference.size, hypothesis.size, columns, slopes, [&](int row, int column) {
            steps_.push_back({row == kNone ? kNone : i + row, column == kNone ? kNone : j + column});
        });
        std::reverse(steps_.begin() + static_cast<std::ptrdiff_t>(start), steps_.end());
    }

    template <class Each>
    static void walk_back(int row, int column, const std::vector<Column> &columns, const std::vector<Slopes> &slopes, Each each) {
        const auto at = [&](int r, int c) -> Slopes {  // of the cell in the row r and the column c, counted from 1
            const int block = (r - 1) / 64 - columns[c - 1].first;
            const std::size_t place = columns[c - 1].offset + block;
            if (block < 0 || place >= columns[c].offset) return {0, 0};
            const Slopes &found = slopes[place];
            return {found.rises >> ((r - 1) % 64) & 1, found.falls >> ((r - 1) % 64) & 1};
        };
        while (row > 0 && column > 0) {
            if (at(row, column).rises) {
                each(--row, kNone);
            } else if (--column > 0 && at(row, column).falls) {
                each(kNone, column);
            } else {
                each(--row, column);
            }
        }
        while (row > 0) each(--row, kNone);
        while (column > 0) each(kNone, --column);
    }

    const int alphabet_;
    std::vector<Step> steps_;
};

}  // namespace parakh
