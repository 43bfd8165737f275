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
        reference = read_streams(reference_segments, vocabulary_, timed_ ? std::optional(Placement{}) : std::nullopt);
        hypothesis = read_streams(hypothesis_segments, vocabulary_, timed_ ? std::optional(Placement{true, *collar}) : std::nullopt);
    }

    // A hypothesis speaker for each reference speaker, both padded with speakers without words to the greater number, so
    // that the errors are fewest; among equals the choice that solve() makes on the errors of all pairs.
    //
    // Starts from a floor under each pair's errors and counts only the pairs that could be assigned. An assignment of
    // counted pairs that is the only best one on the floors is the only best one on the errors, which are never less.
    std::vector<int> assign() {
        prepare();
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

    // The streams of a pair of speakers; a missing partner is an empty stream.
    std::pair<const Stream &, const Stream &> pair(int r, int h) const {
        return {r < static_cast<int>(reference.size()) ? reference[r] : nobody_,
                h < static_cast<int>(hypothesis.size()) ? hypothesis[h] : nobody_};
    }

    std::vector<Stream> reference, hypothesis;

  private:
    std::size_t index(int r, int h) const { return static_cast<std::size_t>(r) * speakers_ + h; }

    void prepare() {
        speakers_ = static_cast<int>(std::max(reference.size(), hypothesis.size()));
        const std::size_t pairs = static_cast<std::size_t>(speakers_) * speakers_;
        matches_.emplace(vocabulary_.size());
        tables_.resize(pairs);
        counts_.resize(pairs);
        counted_.assign(pairs, false);

        int longest = 1;
        for (const auto *side : {&reference, &hypothesis}) {
            for (const Stream &stream : *side) longest = std::max(longest, stream.size());
        }
        int bucket_bits = 4;
        while (1 << bucket_bits < 2 * longest && bucket_bits < 16) ++bucket_bits;
        std::vector<Neighbours> said, heard;
        for (int k = 0; k < speakers_; ++k) {
            said.emplace_back(pair(k, k).first.word, bucket_bits);
            heard.emplace_back(pair(k, k).second.word, bucket_bits);
        }
        for (int r = 0; r < speakers_; ++r) {
            for (int h = 0; h < speakers_; ++h) counts_[index(r, h)].errors = said[r].least_errors(heard[h]);
        }
    }

    void count(int r, int h) {
        const std::size_t at = index(r, h);
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
    int speakers_ = 0;
    Vocabulary vocabulary_;
    std::optional<EditTable::Matches> matches_;
    std::vector<std::optional<EditTable>> tables_;  // of counted pairs, when time does not matter
    std::vector<Counts> counts_;                    // of counted pairs; of the others the floor under their errors
    std::vector<bool> counted_;
};

int total_words(const std::vector<Stream> &streams) {
    int sum = 0;
    for (const Stream &stream : streams) sum += stream.size();
    return sum;
}

nb::tuple count_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) {
    Session session(reference, hypothesis, collar);
    Counts sum;
    {
        nb::gil_scoped_release release;
        const std::vector<int> assigned = session.assign();
        for (int r = 0; r < static_cast<int>(assigned.size()); ++r) {
            const Counts counts = session.counts(r, assigned[r]);
            sum.errors += counts.errors;
            sum.substitutions += counts.substitutions;
        }
    }
    return nb::make_tuple(sum.errors, sum.substitutions, total_words(session.reference), total_words(session.hypothesis),
                          session.reference.size(), session.hypothesis.size());
}

// Rows (reference segment, word in it, hypothesis segment, word in it) of one pair of streams; kNone for no word.
nb::object step_rows(const std::vector<Step> &steps, const Stream &reference, const Stream &hypothesis) {
    auto *rows = new std::vector<std::int32_t>();
    nb::capsule owner(rows, [](void *p) noexcept { delete static_cast<std::vector<std::int32_t> *>(p); });
    rows->reserve(steps.size() * 4);
    const auto place = [&](const Stream &stream, int index) {
        rows->push_back(index == kNone ? kNone : stream.segment[index]);
        rows->push_back(index == kNone ? kNone : stream.position[index]);
    };
    for (const Step &step : steps) {
        place(reference, step.reference);
        place(hypothesis, step.hypothesis);
    }
    return nb::cast(nb::ndarray<nb::numpy, std::int32_t>(rows->data(), {steps.size(), 4}, owner));
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

nb::bytes number_text(nb::sequence texts, Vocabulary &vocabulary) {
    std::vector<std::int32_t> numbers;
    for (nb::handle text : texts) {
        split_words(text.ptr(), vocabulary, [&](std::int32_t number, int) { numbers.push_back(number); });
    }
    return nb::bytes(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(std::int32_t));
}

nb::tuple number_words(nb::sequence reference, nb::sequence hypothesis) {
    Vocabulary vocabulary;
    nb::bytes first = number_text(reference, vocabulary);
    return nb::make_tuple(first, number_text(hypothesis, vocabulary));
}

std::vector<int> choose_forms(const std::vector<std::vector<FormChoice::Units>> &segments, const FormChoice::Units &hypothesis) {
    nb::gil_scoped_release release;
    FormChoice choice(hypothesis);
    for (const auto &forms : segments) choice.append(forms);
    return choice.chosen();
}

}  // namespace
}  // namespace parakh

void bind_words(nb::module_ &m) {
    m.def("count_words", &parakh::count_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("align_words", &parakh::align_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("choose_forms", &parakh::choose_forms, nb::arg("segments"), nb::arg("hypothesis"));
    m.def("number_words", &parakh::number_words, nb::arg("reference"), nb::arg("hypothesis"));
}
