// Edit distance in which two words may meet only where their times overlap.
//
// Costs 1; among equally cheap predecessors the choice is: insertion, else deletion, else the diagonal (which is therefore
// taken only where it is strictly cheaper). Only a band of the table is visited: row i needs the columns from the first
// word that any row >= i may meet to the last that any row <= i may meet. Left of the band each row adds one deletion,
// right of it each column adds one insertion; following the choices above through those regions gives the same number of
// substitutions as following them through the whole table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "edit.hpp"
#include "ingest.hpp"

namespace parakh {

inline bool overlap(const Interval &a, const Interval &b) { return a.begin < b.end && a.end > b.begin; }

// For each reference word, the columns (left, right] of its row; both edges only ever grow.
class TimeBand {
  public:
    TimeBand(const Stream &reference, const Stream &hypothesis) : reference_(reference), hypothesis_(hypothesis) {}

    void advance(int row) {
        const int columns = hypothesis_.size();
        while (left < columns && hypothesis_.time[left].end <= reference_.earliest[row]) ++left;
        latest_ = std::max(latest_, reference_.time[row].end);
        while (right < columns && hypothesis_.earliest[right] < latest_) ++right;
        right = std::max(right, left);
    }

    int left = 0, right = 0;

  private:
    double latest_ = -std::numeric_limits<double>::infinity();  // greatest end of the reference words so far
    const Stream &reference_, &hypothesis_;
};

// Notes nothing: for counts alone.
struct NoRecord {
    void start_row(int, int) {}
    void cell(std::uint8_t) {}
};

// Notes the choice in every visited cell, for walking back.
struct Record {
    struct Row {
        int left, right;
        std::size_t offset;
    };
    void start_row(int left, int right) { rows.push_back({left, right, choices.size()}); }
    void cell(std::uint8_t choice) { choices.push_back(choice); }

    std::vector<Row> rows;
    std::vector<std::uint8_t> choices;
};

// A cell holds cost, choice and substitutions in one number, so that the least number is the preferred predecessor.
namespace cell {
constexpr int kCostBit = 34, kChoiceBit = 32;
constexpr std::int64_t kCost = std::int64_t{1} << kCostBit;
constexpr std::int64_t kDeletion = std::int64_t{1} << kChoiceBit, kDiagonal = std::int64_t{2} << kChoiceBit;
constexpr std::int64_t kChoice = std::int64_t{3} << kChoiceBit;
}  // namespace cell

template <class Recorder>
Counts timed_sweep(const Stream &reference, const Stream &hypothesis, Recorder &record) {
    const int columns = hypothesis.size();
    std::vector<std::int64_t> row(columns + 1);
    TimeBand band(reference, hypothesis);
    int reached = 0;  // row[0..reached] is filled; beyond it only insertions follow
    const auto reach = [&](int to) {
        for (; reached < to; ++reached) row[reached + 1] = row[reached] + cell::kCost;
    };
    for (int i = 0; i < reference.size(); ++i) {
        band.advance(i);
        reach(band.right);
        record.start_row(band.left, band.right);
        const Interval time = reference.time[i];
        const std::int32_t word = reference.word[i];
        std::int64_t diagonal = row[band.left];
        std::int64_t before = row[band.left] += cell::kCost;
        for (int j = band.left; j < band.right; ++j) {
            const std::int64_t above = row[j + 1];
            std::int64_t best = std::min(before, above + cell::kDeletion) + cell::kCost;
            if (overlap(time, hypothesis.time[j])) {
                const std::int64_t change = hypothesis.word[j] == word ? 0 : cell::kCost + 1;
                best = std::min(best, diagonal + change + cell::kDiagonal);
            }
            record.cell(static_cast<std::uint8_t>((best & cell::kChoice) >> cell::kChoiceBit));
            row[j + 1] = before = best & ~cell::kChoice;
            diagonal = above;
        }
    }
    reach(columns);
    return {static_cast<int>(row[columns] >> cell::kCostBit), static_cast<int>(row[columns] & 0xFFFFFFFF)};
}

inline Counts timed_counts(const Stream &reference, const Stream &hypothesis) {
    NoRecord record;
    return timed_sweep(reference, hypothesis, record);
}

// The steps of the alignment that timed_counts() counts, in order.
inline std::vector<Step> timed_steps(const Stream &reference, const Stream &hypothesis) {
    Record record;
    timed_sweep(reference, hypothesis, record);
    std::vector<Step> steps;
    int i = reference.size(), j = hypothesis.size();
    while (i > 0 || j > 0) {
        std::uint8_t choice = 0;
        if (i > 0 && j <= record.rows[i - 1].right) {
            const auto &row = record.rows[i - 1];
            choice = j == row.left ? 1 : record.choices[row.offset + (j - row.left - 1)];
        }
        const Step step{choice == 0 ? kNone : i - 1, choice == 1 ? kNone : j - 1};
        steps.push_back(step);
        if (step.reference != kNone) --i;
        if (step.hypothesis != kNone) --j;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
}

}  // namespace parakh
