// Word errors of a session whose utterances are given to the streams of the other side greedily: those of the reference to
// hypothesis streams (ORC), or those of the hypothesis to reference speakers (diarization-invariant).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "assignment.hpp"
#include "edit.hpp"
#include "forms.hpp"
#include "greedy.hpp"
#include "utterances.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

class GreedySession {
  public:
    // `invariant`: the utterances are those of the hypothesis. The collar widens the words of the streams.
    GreedySession(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, bool invariant)
        : timed_(collar), invariant_(invariant) {
        const auto place = [&](Placement placement) { return timed_ ? std::optional(placement) : std::nullopt; };
        const double wide = collar.value_or(0);
        utterances_ = read_utterances(invariant ? hypothesis : reference, vocabulary_, place({invariant, 0}), !invariant);
        streams_ = read_streams(invariant ? reference : hypothesis, vocabulary_, place({!invariant, wide}), invariant);
    }

    void assign() {
        matches_.emplace(vocabulary_.size());
        if (!streams_.empty()) improve(start());
        for (std::size_t k = 0; k < streams_.size(); ++k) {
            given_.push_back(gathered(utterances_, [&](int at) { return assigned_[at] == static_cast<int>(k); }));
        }
        if (streams_.empty()) given_.push_back(gathered(utterances_, [](int) { return true; }));
        streams_.resize(given_.size());
        for (std::size_t k = 0; k < streams_.size(); ++k) choose_forms(given_[k], streams_[k]);
    }

    int pairs() const { return static_cast<int>(given_.size()); }

    Counts counts(int k) {
        if (timed_) return timed_counts(given_[k], streams_[k]);
        EditTable table(given_[k].word, streams_[k].word, *matches_);
        const int errors = table.errors();
        return {errors, table.substitutions()};
    }

    std::vector<Step> steps(int k) { return timed_ ? timed_steps(given_[k], streams_[k]) : edit_steps(given_[k], streams_[k], *matches_); }

    const Stream &reference(int k) const { return invariant_ ? streams_[k] : given_[k]; }
    const Stream &hypothesis(int k) const { return invariant_ ? given_[k] : streams_[k]; }
    bool invariant() const { return invariant_; }

    // The speaker of the stream of each utterance, by the index of its segment; None without streams.
    nb::list stream_names() const {
        std::vector<nb::object> names(utterances_.size(), nb::none());
        for (std::size_t k = 0; k < assigned_.size(); ++k) names[utterances_[k].segment] = nb::borrow(streams_[assigned_[k]].speaker);
        nb::list out;
        for (const nb::object &name : names) out.append(name);
        return out;
    }

  private:
    // All utterances of a speaker go to one stream: speakers are assigned to streams one to one with fewest errors, and who is
    // left over to the stream with which they have fewest, the first of equals.
    std::vector<int> start() {
        std::vector<Stream> speakers;
        for (int k = 0; k < speaker_count(utterances_); ++k) {
            speakers.push_back(gathered(utterances_, [&](int at) { return utterances_[at].speaker == k; }));
        }
        const int said = static_cast<int>(speakers.size()), streams = static_cast<int>(streams_.size()), size = std::max(said, streams);
        speakers.resize(size);
        std::vector<Stream> heard = streams_;
        heard.resize(size);
        std::vector<double> errors;
        for (const Stream &speaker : speakers) {
            for (const Stream &stream : heard) errors.push_back(pair_errors(speaker, stream));
        }
        std::vector<int> chosen = solve(errors.data(), size, size);
        chosen.resize(said);
        for (int speaker = 0; speaker < said; ++speaker) {
            const auto row = errors.begin() + static_cast<std::ptrdiff_t>(speaker) * size;
            if (chosen[speaker] >= streams) chosen[speaker] = static_cast<int>(std::min_element(row, row + streams) - row);
            else if (branches(streams_[chosen[speaker]])) heard[chosen[speaker]] = cheapest_forms(streams_[chosen[speaker]], speakers[speaker]);
        }
        heard.resize(streams);
        fixed_ = std::move(heard);
        return chosen;
    }

    void improve(const std::vector<int> &speakers) {
        for (const Utterance &utterance : utterances_) assigned_.push_back(speakers[utterance.speaker]);
        const int streams = static_cast<int>(streams_.size());
        const auto several = [](const Utterance &one) { return one.forms.size() > 1; };
        if (timed_ || std::any_of(utterances_.begin(), utterances_.end(), several)) {
            assigned_ = Greedy(BandColumns(utterances_, fixed_, timed_), assigned_, streams).run();
        } else {
            assigned_ = Greedy(BitColumns(utterances_, fixed_, vocabulary_.size()), assigned_, streams).run();
        }
    }

    static bool branches(const Stream &stream) { return !stream.choices.empty(); }

    // Puts both sides in the forms with fewest errors; only one of them has several.
    static void choose_forms(Stream &given, Stream &stream) {
        if (branches(given)) given = cheapest_forms(given, stream);
        if (branches(stream)) stream = cheapest_forms(stream, given);
    }

    int pair_errors(Stream given, Stream stream) {
        choose_forms(given, stream);
        if (timed_) return timed_counts(given, stream).errors;
        return EditTable(given.word, stream.word, *matches_).errors();
    }

    const bool timed_, invariant_;
    Vocabulary vocabulary_;
    std::vector<Utterance> utterances_;
    std::vector<Stream> streams_, fixed_, given_;  // as read; in the forms searched with; the utterances each was given
    std::vector<int> assigned_;                    // the stream of each utterance
    std::optional<EditTable::Matches> matches_;
};

nb::tuple greedy_counts(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, bool invariant) {
    GreedySession session(reference, hypothesis, collar, invariant);
    Counts sum;
    int said = 0, heard = 0;
    {
        nb::gil_scoped_release release;
        session.assign();
        for (int k = 0; k < session.pairs(); ++k) {
            const Counts counts = session.counts(k);
            sum.errors += counts.errors;
            sum.substitutions += counts.substitutions;
            said += session.reference(k).size();
            heard += session.hypothesis(k).size();
        }
    }
    return nb::make_tuple(sum.errors, sum.substitutions, said, heard);
}

nb::tuple greedy_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, bool invariant) {
    GreedySession session(reference, hypothesis, collar, invariant);
    std::vector<std::vector<Step>> steps;
    {
        nb::gil_scoped_release release;
        session.assign();
        for (int k = 0; k < session.pairs(); ++k) {
            steps.push_back(session.steps(k));
            if (!invariant) continue;
            for (Step &step : steps.back()) std::swap(step.reference, step.hypothesis);
        }
    }
    nb::list out;
    for (int k = 0; k < session.pairs(); ++k) out.append(place_rows(steps[k], session.reference(k), session.hypothesis(k)));
    return nb::make_tuple(session.stream_names(), out);
}

}  // namespace
}  // namespace parakh

void bind_greedy(nb::module_ &m) {
    m.def("greedy_counts", &parakh::greedy_counts, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none(), nb::arg("invariant"));
    m.def("greedy_words", &parakh::greedy_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none(), nb::arg("invariant"));
}
