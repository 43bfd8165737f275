// The cheapest choice among several accepted forms of each segment of a reference: an edit distance whose rows branch
// where a segment has several forms and meet again at its end. Only a band of its table is visited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "edit.hpp"
#include "ingest.hpp"
#include "timed.hpp"

namespace parakh {

// The columns of a table that the rows of a segment need, from the one left of the first word to the last word. Left of them
// each row adds one deletion, right of them each column one insertion.
struct Window {
    int left, right;
};

class FormChoice {
  public:
    // Words may meet where their times overlap, or anywhere when they have none.
    explicit FormChoice(const Form &hypothesis) : hypothesis_(hypothesis), state_(hypothesis.word.size() + 1) {}

    void append(const std::vector<Form> &forms) { append(forms, {0, columns()}); }

    // Appends a segment; a single form leaves nothing to choose. Windows only ever move to the right.
    void append(const std::vector<Form> &forms, Window window) {
        reach(window.right);
        if (forms.size() == 1) return advance(&state_[window.left], forms[0], window);
        const std::vector<Cell> start(state_.begin() + window.left, state_.begin() + window.right + 1);
        std::vector<Cell> best;
        std::vector<std::int32_t> choice(start.size(), 0);
        for (std::size_t form = 0; form < forms.size(); ++form) {
            std::vector<Cell> row = start;
            advance(row.data(), forms[form], window);
            if (form == 0) best = row;
            for (std::size_t k = 0; k < row.size(); ++k) {
                if (cost(row[k]) < cost(best[k])) best[k] = row[k], choice[k] = static_cast<std::int32_t>(form);
            }
        }
        branches_.push_back({window.left, std::move(choice), {}});
        for (std::size_t k = 0; k < best.size(); ++k) {
            branches_.back().origin.push_back(origin(best[k]));
            state_[window.left + k] = cost(best[k]) * kCost + window.left + static_cast<Cell>(k);
        }
    }

    // The form taken of each segment that has several, in order; the form given first among equally cheap ones.
    std::vector<int> chosen() {
        reach(columns());
        std::vector<int> forms;
        int column = origin(state_.back());
        for (auto branch = branches_.rbegin(); branch != branches_.rend(); ++branch) {
            forms.push_back(branch->choice[column - branch->left]);
            column = branch->origin[column - branch->left];
        }
        std::reverse(forms.begin(), forms.end());
        return forms;
    }

  private:
    // The cost of a cell, and below it the column in which the path to it left the previous segment with several forms.
    using Cell = std::int64_t;
    static constexpr Cell kCost = Cell{1} << 32;
    static std::int32_t cost(Cell cell) { return static_cast<std::int32_t>(cell >> 32); }
    static std::int32_t origin(Cell cell) { return static_cast<std::int32_t>(cell & (kCost - 1)); }

    struct Branch {
        int left;
        std::vector<std::int32_t> choice, origin;
    };

    int columns() const { return static_cast<int>(hypothesis_.word.size()); }

    void reach(int to) {
        for (; reached_ < to; ++reached_) state_[reached_ + 1] = state_[reached_] + kCost;
    }

    // `row` starts at the left end of the window.
    void advance(Cell *row, const Form &reference, Window window) const {
        const bool timed = !reference.time.empty();
        for (std::size_t i = 0; i < reference.word.size(); ++i) {
            const std::int32_t said = reference.word[i];
            Cell diagonal = row[0], before = row[0] += kCost;
            for (int j = 1; j <= window.right - window.left; ++j) {
                const Cell above = row[j];
                const int word = window.left + j - 1;
                const bool meet = !timed || overlap(reference.time[i], hypothesis_.time[word]);
                const Cell change = !meet ? 2 * kCost : hypothesis_.word[word] != said ? kCost : 0;
                row[j] = before = std::min(std::min(above + kCost, diagonal + change), before + kCost);
                diagonal = above;
            }
        }
    }

    const Form &hypothesis_;
    std::vector<Cell> state_;  // filled up to `reached_`; beyond it only insertions follow
    int reached_ = 0;
    std::vector<Branch> branches_;
};

using Segments = std::vector<std::vector<Form>>;  // the accepted forms of each

// Where words have times: what the words of a segment, in any of its forms, may meet.
inline std::vector<Window> timed_windows(const Segments &segments, const Form &hypothesis) {
    const double never = std::numeric_limits<double>::infinity();
    const int columns = static_cast<int>(hypothesis.word.size());
    std::vector<Interval> hull;  // from the first begin in this or a later segment to the last end in this or an earlier one
    for (const auto &forms : segments) {
        hull.push_back({never, hull.empty() ? -never : hull.back().end});
        for (const Form &form : forms) {
            for (const Interval &time : form.time) hull.back() = {std::min(hull.back().begin, time.begin), std::max(hull.back().end, time.end)};
        }
    }
    for (std::size_t k = hull.size(); k-- > 1;) hull[k - 1].begin = std::min(hull[k - 1].begin, hull[k].begin);
    std::vector<double> earliest(columns);
    for (int j = columns; j-- > 0;) earliest[j] = std::min(hypothesis.time[j].begin, j + 1 < columns ? earliest[j + 1] : never);

    std::vector<Window> windows;
    Window window{0, 0};
    for (const Interval &segment : hull) {
        while (window.left < columns && hypothesis.time[window.left].end <= segment.begin) ++window.left;
        while (window.right < columns && earliest[window.right] < segment.end) ++window.right;
        window.right = std::max(window.right, window.left);
        windows.push_back(window);
    }
    return windows;
}

// Where words have none: what a path may cross that costs no more than taking every first form.
inline std::vector<Window> window_by_cost(const Segments &segments, const Form &hypothesis) {
    const int columns = static_cast<int>(hypothesis.word.size());
    std::vector<std::int32_t> first;
    std::vector<std::pair<int, int>> lengths;  // of the shortest and the longest form
    int least = 0, most = 0;
    for (const auto &forms : segments) {
        const auto shorter = [](const Form &a, const Form &b) { return a.word.size() < b.word.size(); };
        const auto [shortest, longest] = std::minmax_element(forms.begin(), forms.end(), shorter);
        lengths.push_back({static_cast<int>(shortest->word.size()), static_cast<int>(longest->word.size())});
        least += lengths.back().first;
        most += lengths.back().second;
        first.insert(first.end(), forms[0].word.begin(), forms[0].word.end());
    }
    std::int32_t greatest = 0;
    for (const std::int32_t word : first) greatest = std::max(greatest, word);
    for (const std::int32_t word : hypothesis.word) greatest = std::max(greatest, word);
    EditTable::Matches matches(greatest + 1);
    const int errors = EditTable(first, hypothesis.word, matches).errors();
    // A path that is some columns ahead of its row has paid for them, and pays again for not ending so far ahead.
    const int ahead = std::max(0, (errors + columns - least) / 2), behind = std::max(0, (errors - columns + most) / 2);

    std::vector<Window> windows;
    int before = 0, after = 0;
    for (const auto &[shortest, longest] : lengths) {
        after += longest;
        windows.push_back({std::clamp(before - behind, 0, columns), std::clamp(after + ahead, 0, columns)});
        before += shortest;
    }
    return windows;
}

// The form to take of each segment that has several, in order, so that the errors are fewest.
inline std::vector<int> choose(const Segments &segments, const Form &hypothesis) {
    bool timed = false;
    for (const auto &forms : segments) {
        for (const Form &form : forms) timed |= !form.time.empty();
    }
    const std::vector<Window> windows = timed ? timed_windows(segments, hypothesis) : window_by_cost(segments, hypothesis);
    FormChoice choice(hypothesis);
    for (std::size_t k = 0; k < segments.size(); ++k) choice.append(segments[k], windows[k]);
    return choice.chosen();
}

// The reference stream in the forms that give the fewest errors against a hypothesis.
inline Stream cheapest_forms(const Stream &reference, const Stream &hypothesis) {
    Segments segments;
    for (const auto &[segment, forms] : reference.choices) segments.push_back(forms);
    const std::vector<int> chosen = choose(segments, hypothesis);
    auto next = chosen.begin();
    Stream stream;
    stream.speaker = reference.speaker;
    for (const auto &[segment, forms] : reference.choices) {
        const int number = forms.size() > 1 ? *next++ : 0;
        if (forms.size() > 1) stream.taken.push_back({segment, number});
        stream.append(forms[number], segment, number);
    }
    stream.note_earliest();
    return stream;
}

// The words of neighbouring segments with one form, as far as neither end can change with the forms of others.
inline std::vector<std::vector<std::int32_t>> certain_stretches(const Stream &reference, Unit unit) {
    std::vector<std::vector<std::int32_t>> stretches(1);
    for (const auto &[segment, forms] : reference.choices) {
        if (forms.size() > 1) {
            stretches.emplace_back();
        } else {
            stretches.back().insert(stretches.back().end(), forms[0].word.begin(), forms[0].word.end());
        }
    }
    // The first space of a text of characters is left out of it.
    for (auto &stretch : stretches) {
        if (unit == Unit::character && !stretch.empty()) stretch.erase(stretch.begin());
    }
    return stretches;
}

}  // namespace parakh
