// Word errors of a session with several speakers: every pair of streams is compared, speakers are assigned one to one so
// that the errors are fewest, and the errors of the assigned pairs are counted.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "assignment.hpp"
#include "bound.hpp"
#include "edit.hpp"
#include "forms.hpp"
#include "ingest.hpp"
#include "timed.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

class Session {
  public:
    Session(nb::sequence reference_segments, nb::sequence hypothesis_segments, std::optional<double> collar)
        : timed_(collar) {
        const auto place = [&](Placement placement) { return timed_ ? std::optional(placement) : std::nullopt; };
        reference_ = read_streams(reference_segments, vocabulary_, place({}), true);
        hypothesis_ = read_streams(hypothesis_segments, vocabulary_, place({true, collar.value_or(0)}), false);
        speakers_ = static_cast<int>(std::max(reference_.size(), hypothesis_.size()));
        prepare();
    }

    // A hypothesis speaker for each reference speaker, both padded with speakers without words to the greater number, so
    // that the errors are fewest; among equals the choice that solve() makes on the errors of all pairs.
    //
    // Starts from a floor under each pair's errors and counts only the pairs that could be assigned. An assignment of
    // counted pairs that is the only best one on the floors is the only best one on the errors, which are never less.
    std::vector<int> assign() {
        set_floors();
        std::vector<int> best = solve_floors(nullptr);
        while (true) {
            if (count_all(best)) {
                best = solve_floors(nullptr);
                continue;
            }
            const std::vector<int> rival = solve_floors(&best);
            if (rival == best) return best;
            if (!count_all(rival)) break;
            best = solve_floors(nullptr);
        }
        for (int r = 0; r < speakers_; ++r) {
            for (int h = 0; h < speakers_; ++h) count(r, h);
        }
        return solve_floors(nullptr);
    }

    // Of an assigned pair.
    Counts counts(int r, int h) {
        if (timed_) return counts_[index(r, h)];
        return {counts_[index(r, h)].errors, tables_[index(r, h)]->substitutions()};
    }

    std::vector<Step> steps(int r, int h) {
        const auto [one, other] = pair(r, h);
        if (timed_) return timed_steps(one, other);
        std::vector<Step> steps;
        tables_[index(r, h)]->walk_back([&](const Step &step) { steps.push_back(step); });
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    // The streams of a pair of speakers, once counted in the forms taken; a missing partner is an empty stream.
    std::pair<const Stream &, const Stream &> pair(int r, int h) const {
        const auto &chosen = chosen_[index(r, h)];
        return {chosen ? *chosen : stream(reference_, r), stream(hypothesis_, h)};
    }

    int reference_speakers() const { return static_cast<int>(reference_.size()); }
    int hypothesis_speakers() const { return static_cast<int>(hypothesis_.size()); }

  private:
    std::size_t index(int r, int h) const { return static_cast<std::size_t>(r) * speakers_ + h; }

    const Stream &stream(const std::vector<Stream> &side, int k) const {
        return k < static_cast<int>(side.size()) ? side[k] : nobody_;
    }

    void prepare() {
        const std::size_t pairs = static_cast<std::size_t>(speakers_) * speakers_;
        matches_.emplace(vocabulary_.size());
        chosen_.resize(pairs);
        tables_.resize(pairs);
        counts_.resize(pairs);
        counted_.assign(pairs, false);
    }

    void set_floors() {
        int longest = 1;
        for (const auto *side : {&reference_, &hypothesis_}) {
            for (const Stream &stream : *side) longest = std::max(longest, stream.size());
        }
        int bucket_bits = 4;
        while (1 << bucket_bits < 2 * longest && bucket_bits < 16) ++bucket_bits;
        std::vector<Neighbours> heard;
        for (int h = 0; h < speakers_; ++h) heard.emplace_back(stream(hypothesis_, h).word, bucket_bits);
        for (int r = 0; r < speakers_; ++r) {
            if (!stream(reference_, r).choices.empty()) continue;  // a floor of 0
            const Neighbours said(stream(reference_, r).word, bucket_bits);
            for (int h = 0; h < speakers_; ++h) counts_[index(r, h)].errors = said.least_errors(heard[h]);
        }
    }

    void count(int r, int h) {
        const std::size_t at = index(r, h);
        if (!stream(reference_, r).choices.empty()) {
            chosen_[at] = cheapest_forms(stream(reference_, r), stream(hypothesis_, h));
        }
        const auto [one, other] = pair(r, h);
        if (timed_) {
            counts_[at] = timed_counts(one, other);
        } else {
            counts_[at].errors = tables_[at].emplace(one.word, other.word, *matches_).errors();
        }
        counted_[at] = true;
    }

    // Counts the pairs of an assignment; whether there were any left to count.
    bool count_all(const std::vector<int> &assigned) {
        bool any = false;
        for (int r = 0; r < speakers_; ++r) {
            if (counted_[index(r, assigned[r])]) continue;
            count(r, assigned[r]);
            any = true;
        }
        return any;
    }

    // The best assignment on what is known of the errors. With `than`, the best other one if it is as good as that.
    std::vector<int> solve_floors(const std::vector<int> *than) const {
        std::vector<double> cost;
        for (const Counts &counts : counts_) cost.push_back(counts.errors * (than ? speakers_ + 1.0 : 1.0));
        for (int r = 0; than && r < speakers_; ++r) ++cost[index(r, (*than)[r])];
        return solve(cost.data(), speakers_, speakers_);
    }

    const bool timed_;
    const Stream nobody_;
    int speakers_;
    Vocabulary vocabulary_;
    std::vector<Stream> reference_, hypothesis_;
    std::vector<std::optional<Stream>> chosen_;  // of counted pairs whose reference accepts several forms
    std::optional<EditTable::Matches> matches_;
    std::vector<std::optional<EditTable>> tables_;  // of counted pairs, when time does not matter
    std::vector<Counts> counts_;                    // of counted pairs; of the others the floor under their errors
    std::vector<bool> counted_;
};

nb::tuple count_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) {
    Session session(reference, hypothesis, collar);
    Counts sum;
    int said = 0, heard = 0;
    {
        nb::gil_scoped_release release;
        const std::vector<int> assigned = session.assign();
        for (int r = 0; r < static_cast<int>(assigned.size()); ++r) {
            const Counts counts = session.counts(r, assigned[r]);
            sum.errors += counts.errors;
            sum.substitutions += counts.substitutions;
            const auto [one, other] = session.pair(r, assigned[r]);
            said += one.size();
            heard += other.size();
        }
    }
    return nb::make_tuple(sum.errors, sum.substitutions, said, heard, session.reference_speakers(), session.hypothesis_speakers());
}

// Rows of one pair of streams: segment, form and word of the reference, then of the hypothesis; kNone for no word.
nb::object step_rows(const std::vector<Step> &steps, const Stream &reference, const Stream &hypothesis) {
    auto *rows = new std::vector<std::int32_t>();
    nb::capsule owner(rows, [](void *p) noexcept { delete static_cast<std::vector<std::int32_t> *>(p); });
    rows->reserve(steps.size() * 6);
    const auto place = [&](const Stream &stream, int index) {
        const Stream::Place at = index == kNone ? Stream::Place{kNone, kNone, kNone} : stream.place[index];
        rows->insert(rows->end(), {at.segment, at.form, at.position});
    };
    for (const Step &step : steps) {
        place(reference, step.reference);
        place(hypothesis, step.hypothesis);
    }
    return nb::cast(nb::ndarray<nb::numpy, std::int32_t>(rows->data(), {steps.size(), 6}, owner));
}

nb::list align_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) {
    Session session(reference, hypothesis, collar);
    std::vector<int> assigned;
    std::vector<std::vector<Step>> steps;
    {
        nb::gil_scoped_release release;
        assigned = session.assign();
        for (int r = 0; r < static_cast<int>(assigned.size()); ++r) steps.push_back(session.steps(r, assigned[r]));
    }
    nb::list out;
    for (int r = 0; r < static_cast<int>(assigned.size()); ++r) {
        const auto [one, other] = session.pair(r, assigned[r]);
        const auto name = [](const Stream &stream) { return stream.speaker ? nb::borrow(stream.speaker) : nb::none(); };
        out.append(nb::make_tuple(name(one), name(other), step_rows(steps[r], one, other)));
    }
    return out;
}

using Units = std::vector<std::int32_t>;

std::vector<int> choose_forms(const std::vector<std::vector<Units>> &segments, const Units &hypothesis) {
    nb::gil_scoped_release release;
    const Form heard{hypothesis, {}};
    FormChoice choice(heard);
    for (const auto &segment : segments) {
        std::vector<Form> forms;
        for (const Units &units : segment) forms.push_back({units, {}});
        choice.append(forms);
    }
    return choice.chosen();
}

}  // namespace
}  // namespace parakh

void bind_words(nb::module_ &m) {
    m.def("count_words", &parakh::count_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("align_words", &parakh::align_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("choose_forms", &parakh::choose_forms, nb::arg("segments"), nb::arg("hypothesis"));
}
