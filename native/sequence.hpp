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
#include <iterator>
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

// A floor under what a path still costs that has reached a diagonal (a row less a column): the steps its row and column
// are away from ending together.
struct EndFloor {
    int end;  // the diagonal of the last cell

    int operator()(int diagonal) const { return std::abs(end - diagonal); }
};

// The same of a path that goes on into a column of a table that is known from the other side.
struct ColumnFloor {
    const std::vector<int> &values;  // of its rows from the first known one; outside of them each row costs one more
    int end;                         // the diagonal of the first of them

    int operator()(int diagonal) const {
        const int row = std::clamp(end - diagonal, 0, static_cast<int>(values.size()) - 1);
        return values[row] + std::abs(end - diagonal - row);
    }
};

// One column of the table after the other, as far as cells can lie on a path that costs no more than a bound. Cells on
// cheapest paths are exact, the others never too small.
class Band {
  public:
    Band(Rows &rows, Stretch reference, Stretch hypothesis)
        : rows_(rows), reference_(reference), hypothesis_(hypothesis), rises_(rows.blocks(), ~std::uint64_t{0}),
          falls_(rows.blocks()), bottoms_(rows.blocks()) {
        rows_.rewind();
        for (int block = 0; block < rows.blocks(); ++block) bottoms_[block] = 64 * (block + 1);
    }

    // The cost of a path that keeps to `width` blocks, moved down so that the cheapest cells stay in the middle: never less
    // than the distance.
    int narrow(int width) {
        last_ = std::min(width, rows_.blocks()) - 1;
        while (column_ < hypothesis_.size) {
            step();
            if (last_ + 1 < rows_.blocks() && bottoms_[first_] >= bottoms_[last_]) {
                append();
                ++first_;
            }
        }
        return values().back() + reference_.size - last_row();
    }

    // Works off the columns before `end` and calls note() after each; no path may cost more than `bound`.
    template <class Floor, class Note>
    void sweep(int end, int bound, const Floor &floor, Note note) {
        const auto extend = [&] {
            while (last_ + 1 < rows_.blocks() && bottoms_[last_] + floor(diagonal(last_ + 1)) - 64 <= bound) append();
        };
        last_ = 0;
        extend();
        while (column_ < end) {
            step();
            while (first_ < last_ && bottoms_[first_] + floor(diagonal(first_ - 1)) - 64 > bound) ++first_;
            while (first_ < last_ && bottoms_[last_ - 1] + floor(diagonal(last_)) - 64 > bound) --last_;
            extend();
            note();
        }
    }

    int first() const { return first_; }
    int last() const { return last_; }
    std::uint64_t rises(int block) const { return rises_[block]; }
    std::uint64_t falls(int block) const { return falls_[block]; }

    int first_row() const { return 64 * first_; }
    int last_row() const { return std::min(reference_.size, 64 * (last_ + 1)); }

    // Of the rows from first_row() to last_row().
    std::vector<int> values() const {
        std::vector<int> values{0};
        for (int row = first_row(); row < 64 * (last_ + 1); ++row) {
            const int rise = rises_[row / 64] >> (row % 64) & 1, fall = falls_[row / 64] >> (row % 64) & 1;
            values.push_back(values.back() + rise - fall);
        }
        const int start = bottoms_[last_] - values.back();
        values.resize(last_row() - first_row() + 1);
        for (int &value : values) value += start;
        return values;
    }

  private:
    void step() {
        const std::uint64_t *match = rows_.of(hypothesis_[column_++], first_, last_);
        std::uint64_t rise = 1, fall = 0;
        for (int k = first_; k <= last_; ++k) {
            const std::uint64_t up = rises_[k], down = falls_[k], equal = match[k] | fall;
            const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal | down;
            const std::uint64_t right = down | ~(diagonal | up), left = up & diagonal;
            const std::uint64_t right_above = right << 1 | rise, left_above = left << 1 | fall;
            rise = right >> 63;
            fall = left >> 63;
            rises_[k] = left_above | ~(diagonal | right_above);
            falls_[k] = right_above & diagonal;
            bottoms_[k] += static_cast<int>(rise) - static_cast<int>(fall);
        }
    }

    // Of the last cell of a block.
    int diagonal(int block) const { return 64 * (block + 1) - column_; }

    void append() {
        ++last_;
        rises_[last_] = ~std::uint64_t{0};
        falls_[last_] = 0;
        bottoms_[last_] = bottoms_[last_ - 1] + 64;
    }

    Rows &rows_;
    const Stretch reference_, hypothesis_;
    // Of each block of 64 cells below each other: which of them are one more, and one less, than their upper neighbour; the
    // value of the last.
    std::vector<std::uint64_t> rises_, falls_;
    std::vector<int> bottoms_;
    int column_ = 0, first_ = 0, last_ = 0;
};

// The steps from one sequence to another, first to last.
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
        const int rows = reference.size, columns = hypothesis.size, shorter = std::min(rows, columns);
        while (before < shorter && reference[before] == hypothesis[before]) ++before;
        while (after < shorter - before && reference[rows - 1 - after] == hypothesis[columns - 1 - after]) ++after;
        match(i, j, before);
        const Stretch said = reference.part(before, rows - after), heard = hypothesis.part(before, columns - after);
        align_rest(said, heard, i + before, j + before, distance);
        match(i + rows - after, j + columns - after, after);
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

    // At half of the columns, in the first row that a cheapest path crosses. What the first half of the columns has cost bounds
    // the band of the second.
    Division divide(Rows &rows, Stretch reference, Stretch hypothesis, int bound) const {
        const auto nothing = [] {};
        const int middle = hypothesis.size / 2, end = reference.size - hypothesis.size;
        Band forward(rows, reference, hypothesis);
        forward.sweep(middle, bound, EndFloor{end}, nothing);
        const std::vector<int> before = forward.values();

        const std::vector<Symbol> said = reversed(reference), heard = reversed(hypothesis);
        const Stretch last_said{said.data(), reference.size};
        Rows last_rows(last_said, alphabet_);
        Band backward(last_rows, last_said, {heard.data(), hypothesis.size});
        const ColumnFloor floor{before, end + middle - forward.first_row()};
        backward.sweep(hypothesis.size - middle, bound, floor, nothing);
        const std::vector<int> after = backward.values();

        Division best{0, std::numeric_limits<int>::max() / 2, 0};
        const int first = forward.first_row(), last = reference.size - backward.first_row();  // rows where both lists start
        const int from = std::max(first, reference.size - backward.last_row()), to = std::min(forward.last_row(), last);
        for (int row = from; row <= to; ++row) {
            const Division here{row, before[row - first], after[last - row]};
            if (here.before + here.after < best.before + best.after) best = here;
        }
        return best;
    }

    static std::vector<Symbol> reversed(Stretch stretch) {
        return {std::make_reverse_iterator(stretch.symbols + stretch.size), std::make_reverse_iterator(stretch.symbols)};
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
        slopes_.clear();
        columns_.clear();
        slopes_.reserve(static_cast<std::size_t>(hypothesis.size) * std::min(bound / 128 + 2, rows.blocks()));  // so many on the average
        Band band(rows, reference, hypothesis);
        band.sweep(hypothesis.size, bound, EndFloor{reference.size - hypothesis.size}, [&] {
            columns_.push_back({band.first(), slopes_.size()});
            for (int k = band.first(); k <= band.last(); ++k) slopes_.push_back({band.rises(k), band.falls(k)});
        });
        columns_.push_back({0, slopes_.size()});
        const std::size_t start = steps_.size();
        walk_back(reference.size, hypothesis.size, [&](int row, int column) {
            steps_.push_back({row == kNone ? kNone : i + row, column == kNone ? kNone : j + column});
        });
        std::reverse(steps_.begin() + static_cast<std::ptrdiff_t>(start), steps_.end());
    }

    template <class Each>
    void walk_back(int row, int column, Each each) const {
        const auto at = [&](int r, int c) -> Slopes {  // of the cell in the row r and the column c, counted from 1
            const int block = (r - 1) / 64 - columns_[c - 1].first;
            const std::size_t place = columns_[c - 1].offset + block;
            if (block < 0 || place >= columns_[c].offset) return {0, 0};
            return {slopes_[place].rises >> ((r - 1) % 64) & 1, slopes_[place].falls >> ((r - 1) % 64) & 1};
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
    std::vector<Column> columns_;  // of the table that is walked
    std::vector<Slopes> slopes_;
};

}  // namespace parakh
