// A session whose utterances are given to the streams of the other side greedily.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "assignment.hpp"
#include "edit.hpp"
#include "forms.hpp"
#include "greedy.hpp"
#include "utterances.hpp"

namespace parakh {

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
        // Without streams, all utterances go to one without words.
        std::vector<std::vector<int>> orders(std::max<std::size_t>(1, streams_.size()));
        for (std::size_t k = 0; k < utterances_.size(); ++k) orders[streams_.empty() ? 0 : assigned_[k]].push_back(static_cast<int>(k));
        give(orders);
    }

    // Gives each stream its utterances, by their places, in the order in which they are to be joined.
    void give(const std::vector<std::vector<int>> &orders) {
        given_.clear();
        for (const auto &order : orders) given_.push_back(joined(utterances_, order));
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

    const std::vector<Utterance> &utterances() const { return utterances_; }
    const std::vector<Stream> &streams() const { return streams_; }
    const std::vector<int> &assigned() const { return assigned_; }  // the stream of each utterance; empty without streams

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
        std::vector<std::vector<int>> orders(speaker_count(utterances_));
        for (std::size_t k = 0; k < utterances_.size(); ++k) orders[utterances_[k].speaker].push_back(static_cast<int>(k));
        std::vector<Stream> speakers;
        for (const auto &order : orders) speakers.push_back(joined(utterances_, order));
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

}  // namespace parakh
