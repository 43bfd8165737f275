// The cheapest choice among several accepted forms of each segment of a reference: an edit distance whose rows branch
// where a segment has several forms and meet again at its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "ingest.hpp"
#include "timed.hpp"

namespace parakh {

class FormChoice {
  public:
    // Words may meet where their times overlap, or anywhere when they have none.
    explicit FormChoice(const Form &hypothesis) : hypothesis_(hypothesis), state_(hypothesis.word.size() + 1) {
        for (int j = 0; j <= columns(); ++j) state_[j] = {j, j};
    }

    // Appends a segment; a single form leaves nothing to choose.
    void append(const std::vector<Form> &forms) {
        if (forms.size() == 1) return advance(state_, forms[0]);
        std::vector<Cell> best;
        std::vector<std::int32_t> choice(state_.size(), 0);
        for (std::size_t form = 0; form < forms.size(); ++form) {
            std::vector<Cell> row = state_;
            advance(row, forms[form]);
            if (form == 0) best = row;
            for (int j = 0; j <= columns(); ++j) {
                if (row[j].cost < best[j].cost) best[j] = row[j], choice[j] = static_cast<std::int32_t>(form);
            }
        }
        branches_.push_back({std::move(choice), {}});
        for (int j = 0; j <= columns(); ++j) {
            branches_.back().origin.push_back(best[j].origin);
            state_[j] = {best[j].cost, j};
        }
    }

    // The form taken of each segment that has several, in order; the form given first among equally cheap ones.
    std::vector<int> chosen() const {
        std::vector<int> forms;
        int column = state_.back().origin;
        for (auto branch = branches_.rbegin(); branch != branches_.rend(); ++branch) {
            forms.push_back(branch->choice[column]);
            column = branch->origin[column];
        }
        std::reverse(forms.begin(), forms.end());
        return forms;
    }

  private:
    // `origin` is the column in which the path to a cell left the previous segment with several forms.
    struct Cell {
        std::int32_t cost, origin;
    };
    struct Branch {
        std::vector<std::int32_t> choice, origin;
    };

    int columns() const { return static_cast<int>(hypothesis_.word.size()); }

    void advance(std::vector<Cell> &row, const Form &reference) const {
        const bool timed = !reference.time.empty();
        for (std::size_t i = 0; i < reference.word.size(); ++i) {
            Cell diagonal = row[0];
            ++row[0].cost;
            for (int j = 1; j <= columns(); ++j) {
                const Cell above = row[j];
                Cell best = above.cost < row[j - 1].cost ? above : row[j - 1];
                ++best.cost;
                diagonal.cost += hypothesis_.word[j - 1] != reference.word[i];
                const bool meet = !timed || overlap(reference.time[i], hypothesis_.time[j - 1]);
                row[j] = meet && diagonal.cost < best.cost ? diagonal : best;
                diagonal = above;
            }
        }
    }

    const Form &hypothesis_;
    std::vector<Cell> state_;
    std::vector<Branch> branches_;
};

// The reference stream in the forms that give the fewest errors against a hypothesis.
inline Stream cheapest_forms(const Stream &reference, const Stream &hypothesis) {
    FormChoice choice(hypothesis);
    for (const auto &[segment, forms] : reference.choices) choice.append(forms);
    const std::vector<int> chosen = choice.chosen();
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

}  // namespace parakh
