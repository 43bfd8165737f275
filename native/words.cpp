// Word errors of a session with several speakers: every pair of streams is compared, speakers are assigned one to one so
// that the errors are fewest, and the errors of the assigned pairs are counted.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assignment.hpp"
#include "bound.hpp"
#include "edit.hpp"
#include "forms.hpp"
#include "ingest.hpp"
#include "sequence.hpp"
#include "timed.hpp"
#include "utterances.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

// What is compared, and how it is placed in time; time does not matter without a collar.
struct Rules {
    std::optional<double> collar;
    std::string reference_timing, hypothesis_timing;
    Unit unit;

    std::optional<Placement> said() const { return place(reference_timing, 0); }
    std::optional<Placement> heard() const { return place(hypothesis_timing, collar.value_or(0)); }

  private:
    std::optional<Placement> place(const std::string &timing, double widened) const {
        return collar ? std::optional(placement_named(timing, widened)) : std::nullopt;
    }
};

// The alignment that also counts characters whoever speaks.
std::vector<Step> sequence_steps(const std::vector<Symbol> &reference, const std::vector<Symbol> &hypothesis, int alphabet) {
    const Stretch first{reference.data(), static_cast<int>(reference.size())};
    return SequenceAlignment(first, {hypothesis.data(), static_cast<int>(hypothesis.size())}, alphabet).take_steps();
}

Counts sequence_counts(const std::vector<Symbol> &reference, const std::vector<Symbol> &hypothesis, int alphabet) {
    Counts counts;
    for (const Step &step : sequence_steps(reference, hypothesis, alphabet)) {
        const bool both = step.reference != kNone && step.hypothesis != kNone;
        if (both && reference[step.reference] == hypothesis[step.hypothesis]) continue;
        ++counts.errors;
        counts.substitutions += both;
    }
    return counts;
}

using Taken = std::vector<std::pair<std::int32_t, std::int32_t>>;

class Session {
  public:
    Session(nb::sequence reference_segments, nb::sequence hypothesis_segments, const Rules &rules)
        : timed_(rules.collar), unit_(rules.unit) {
        reference_ = read_streams(reference_segments, vocabulary_, rules.said(), true, unit_);
        hypothesis_ = read_streams(hypothesis_segments, vocabulary_, rules.heard(), false, unit_);
        speakers_ = static_cast<int>(std::max(reference_.size(), hypothesis_.size()));
        if (unit_ == Unit::character) drop_first_spaces();
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
        if (unit_ == Unit::character) {
            const auto [one, other] = pair(r, h);
            return sequence_counts(one.word, other.word, vocabulary_.size());
        }
        return {counts_[index(r, h)].errors, tables_[index(r, h)]->substitutions()};
    }

    std::vector<Step> steps(int r, int h) {
        const auto [one, other] = pair(r, h);
        if (timed_) return timed_steps(one, other);
        if (unit_ == Unit::character) return sequence_steps(one.word, other.word, vocabulary_.size());
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

    // The speakers assigned to each other.
    nb::list named(const std::vector<int> &assigned) const {
        nb::list names;
        for (int r = 0; r < speakers_; ++r) {
            const auto [one, other] = pair(r, assigned[r]);
            if (one.speaker && other.speaker) names.append(nb::make_tuple(nb::borrow(one.speaker), nb::borrow(other.speaker)));
        }
        return names;
    }

    // Of each reference segment with several forms: its index and the form it is counted in.
    Taken taken(const std::vector<int> &assigned) const {
        Taken all;
        for (int r = 0; r < speakers_; ++r) {
            const Taken &some = pair(r, assigned[r]).first.taken;
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

    const std::vector<Stream> &reference() const { return reference_; }
    const std::vector<Stream> &hypothesis() const { return hypothesis_; }

  private:
    std::size_t index(int r, int h) const { return static_cast<std::size_t>(r) * speakers_ + h; }

    const Stream &stream(const std::vector<Stream> &side, int k) const {
        return k < static_cast<int>(side.size()) ? side[k] : nobody_;
    }

    // Every word of a text begins with its space, and only a stream as a whole does not. Forms are chosen before.
    void drop_first_spaces() {
        const auto has_choices = [](const Stream &stream) { return !stream.choices.empty(); };
        if (std::any_of(reference_.begin(), reference_.end(), has_choices)) whole_hypothesis_ = hypothesis_;
        for (auto *side : {&reference_, &hypothesis_}) {
            for (Stream &stream : *side) stream.drop_first();
        }
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
        // Most pairs of characters are in every text of a language.
        const int run = unit_ == Unit::word ? 2 : 4;
        std::vector<Neighbours> heard;
        for (int h = 0; h < speakers_; ++h) heard.emplace_back(stream(hypothesis_, h).word, bucket_bits, run);
        for (int r = 0; r < speakers_; ++r) {
            const Stream &one = stream(reference_, r);
            if (one.choices.empty()) {
                const Neighbours said(one.word, bucket_bits, run);
                for (int h = 0; h < speakers_; ++h) counts_[index(r, h)].errors = said.least_errors(heard[h]);
                continue;
            }
            Neighbours certain({}, bucket_bits, run);
            for (const auto &stretch : certain_stretches(one, unit_)) certain.add(stretch);
            for (int h = 0; h < speakers_; ++h) counts_[index(r, h)].errors = certain.least_missing(heard[h]);
        }
    }

    void count(int r, int h) {
        const std::size_t at = index(r, h);
        if (!stream(reference_, r).choices.empty()) {
            const Stream &heard = stream(whole_hypothesis_.empty() ? hypothesis_ : whole_hypothesis_, h);
            chosen_[at] = std::make_unique<Stream>(cheapest_forms(stream(reference_, r), heard));
            if (unit_ == Unit::character) chosen_[at]->drop_first();
        }
        const auto [one, other] = pair(r, h);
        if (timed_) {
            counts_[at] = timed_counts(one, other);
        } else if (unit_ == Unit::character) {
            counts_[at].errors = EditTable(one.word, other.word, *matches_).errors();
        } else {
            tables_[at] = std::make_unique<EditTable>(one.word, other.word, *matches_);
            counts_[at].errors = tables_[at]->errors();
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
    const Unit unit_;
    const Stream nobody_;
    int speakers_;
    Vocabulary vocabulary_;
    std::vector<Stream> reference_, hypothesis_;
    std::vector<Stream> whole_hypothesis_;       // of characters where forms are to be chosen: with the first spaces
    std::vector<std::unique_ptr<Stream>> chosen_;  // of counted pairs whose reference accepts several forms
    std::optional<EditTable::Matches> matches_;
    std::vector<std::unique_ptr<EditTable>> tables_;  // of counted pairs, when time does not matter
    std::vector<Counts> counts_;                    // of counted pairs; of the others the floor under their errors
    std::vector<bool> counted_;
};

// Sums over the speakers of a side, the least first, so that the order of the speakers changes no digit.
double sum_of(const std::vector<Stream> &streams, double SelfOverlap::*seconds) {
    std::vector<double> parts;
    for (const Stream &stream : streams) parts.push_back(stream.self_overlap.*seconds);
    std::sort(parts.begin(), parts.end());
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

nb::dict count_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, const std::string &reference_timing,
                     const std::string &hypothesis_timing, bool characters) {
    Session session(reference, hypothesis, {collar, reference_timing, hypothesis_timing, characters ? Unit::character : Unit::word});
    Counts sum;
    int said = 0, heard = 0;
    Taken taken;
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
        taken = session.taken(assigned);
    }
    nb::dict out;
    out["errors"] = sum.errors;
    out["substitutions"] = sum.substitutions;
    out["length"] = said;
    out["hypothesis_length"] = heard;
    out["reference_speakers"] = session.reference().size();
    out["hypothesis_speakers"] = session.hypothesis().size();
    out["reference_self_overlap"] = sum_of(session.reference(), &SelfOverlap::overlap);
    out["reference_total_time"] = sum_of(session.reference(), &SelfOverlap::end);
    out["hypothesis_self_overlap"] = sum_of(session.hypothesis(), &SelfOverlap::overlap);
    out["hypothesis_total_time"] = sum_of(session.hypothesis(), &SelfOverlap::end);
    out["alternatives"] = taken.size();
    out["other_forms"] = std::count_if(taken.begin(), taken.end(), [](const auto &one) { return one.second > 0; });
    return out;
}

Taken take_forms(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, const std::string &reference_timing,
                 const std::string &hypothesis_timing, bool characters) {
    Session session(reference, hypothesis, {collar, reference_timing, hypothesis_timing, characters ? Unit::character : Unit::word});
    nb::gil_scoped_release release;
    return session.taken(session.assign());
}

nb::list assigned_speakers(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar,
                           const std::string &reference_timing, const std::string &hypothesis_timing, bool characters) {
    Session session(reference, hypothesis, {collar, reference_timing, hypothesis_timing, characters ? Unit::character : Unit::word});
    std::vector<int> assigned;
    {
        nb::gil_scoped_release release;
        assigned = session.assign();
    }
    return session.named(assigned);
}

// Rows of places for each reference speaker, and for hypothesis speakers left over.
nb::list align_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, const std::string &reference_timing,
                     const std::string &hypothesis_timing, bool characters) {
    Session session(reference, hypothesis, {collar, reference_timing, hypothesis_timing, characters ? Unit::character : Unit::word});
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
        out.append(place_rows(steps[r], one, other));
    }
    return out;
}

// All speakers of a side as one stream; rows of places, and the form taken of each segment with several.
nb::tuple align_stream(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, const std::string &reference_timing,
                       const std::string &hypothesis_timing) {
    const Rules rules{collar.value(), reference_timing, hypothesis_timing, Unit::word};
    Vocabulary vocabulary;
    std::vector<Stream> said = read_streams(reference, vocabulary, rules.said(), true, rules.unit, true);
    std::vector<Stream> heard = read_streams(hypothesis, vocabulary, rules.heard(), false, rules.unit, true);
    for (auto *side : {&said, &heard}) side->resize(1);
    std::vector<Step> steps;
    {
        nb::gil_scoped_release release;
        if (!said[0].choices.empty()) said[0] = cheapest_forms(said[0], heard[0]);
        steps = timed_steps(said[0], heard[0]);
    }
    return nb::make_tuple(place_rows(steps, said[0], heard[0]), said[0].taken);
}

using Units = std::vector<std::int32_t>;

std::vector<int> choose_forms(const std::vector<std::vector<Units>> &segments, const Units &hypothesis) {
    nb::gil_scoped_release release;
    Segments accepted;
    for (const auto &segment : segments) {
        accepted.emplace_back();
        for (const Units &units : segment) accepted.back().push_back({units, {}});
    }
    return choose(accepted, {hypothesis, {}});
}

}  // namespace
}  // namespace parakh

void bind_words(nb::module_ &m) {
    const auto def = [&m](const char *name, auto function, auto... further) {
        m.def(name, function, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none(), nb::arg("reference_timing"),
              nb::arg("hypothesis_timing"), further...);
    };
    def("count_words", &parakh::count_words, nb::arg("characters"));
    def("take_forms", &parakh::take_forms, nb::arg("characters"));
    def("assigned_speakers", &parakh::assigned_speakers, nb::arg("characters"));
    def("align_words", &parakh::align_words, nb::arg("characters"));
    def("align_stream", &parakh::align_stream);
    m.def("choose_forms", &parakh::choose_forms, nb::arg("segments"), nb::arg("hypothesis"));
}
