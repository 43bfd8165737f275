// Optimal reference combination: every utterance of the reference goes whole to one stream of the hypothesis, in order, so
// that the errors of all streams together are fewest. Here: what is combined, and the errors of a given combination.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "edit.hpp"
#include "ingest.hpp"
#include "timed.hpp"
#include "utterances.hpp"

namespace parakh::orc {

// Positions of a stream, from first to last: the numbers of words before them.
struct Window {
    int first, last;
    int size() const { return last - first + 1; }
};

// Words of an utterance in its longest form.
inline int longest(const Utterance &utterance) {
    std::size_t most = 0;
    for (const Form &form : utterance.forms) most = std::max(most, form.word.size());
    return static_cast<int>(most);
}

// What becomes of an utterance.
struct Taken {
    int stream = 0, form = 0;
};

// The utterances and the streams of one recording. The words of a stream that an utterance may meet lie between the ends
// of its window there, which only ever move on: words before the window meet no later utterance either, words behind it no
// earlier one. Without times every window is the whole stream.
class Session {
  public:
    Session(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) : timed(collar.has_value()) {
        const auto place = [&](Placement placement) { return timed ? std::optional(placement) : std::nullopt; };
        utterances = read_utterances(reference, vocabulary, place({}), true);
        const auto empty = [](const Utterance &utterance) { return longest(utterance) == 0; };
        utterances.erase(std::remove_if(utterances.begin(), utterances.end(), empty), utterances.end());
        streams = read_streams(hypothesis, vocabulary, place({true, collar.value_or(0)}), false);
        if (timed) keep_heard(hypothesis);
        if (streams.empty()) streams.emplace_back();
        set_windows();
        set_open();
    }

    int utterance_count() const { return static_cast<int>(utterances.size()); }
    int stream_count() const { return static_cast<int>(streams.size()); }

    const Window &window(int u, int k) const { return windows_[static_cast<std::size_t>(u) * streams.size() + k]; }

    // The positions in which a stream may stand before utterance u, words that nothing can meet any more left behind; after
    // the last utterance that is its end.
    Window stand(int u, int k) const {
        if (u == utterance_count()) return {streams[k].size(), streams[k].size()};
        const int first = window(u, k).first;
        return {first, u == 0 ? first : std::max(first, window(u - 1, k).last)};
    }

    // The streams that may take an utterance: those with words that it may meet; if there are none, the last stream.
    const std::vector<int> &open(int u) const { return open_[u]; }

    // The words of the utterances that a stream takes.
    Stream combined(const std::vector<Taken> &taken, int k) const {
        Stream said;
        for (int u = 0; u < utterance_count(); ++u) {
            const Utterance &utterance = utterances[u];
            if (taken[u].stream == k) said.append(utterance.forms[taken[u].form], utterance.segment, taken[u].form);
        }
        said.note_earliest();
        return said;
    }

    // Its errors against the stream, and the steps of the alignment they are counted on.
    Counts counts(const Stream &said, int k) const {
        if (timed) return timed_counts(said, streams[k]);
        EditTable::Matches matches(vocabulary.size());
        EditTable table(said.word, streams[k].word, matches);
        const int errors = table.errors();
        return {errors, table.substitutions()};
    }

    std::vector<Step> steps(const Stream &said, int k) const {
        if (timed) return timed_steps(said, streams[k]);
        EditTable::Matches matches(vocabulary.size());
        return edit_steps(said, streams[k], matches);
    }

    const bool timed;
    Vocabulary vocabulary;
    std::vector<Utterance> utterances;
    std::vector<Stream> streams;

  private:
    // Drops the streams without words and puts the others in the order of their first words' segments.
    void keep_heard(nb::sequence hypothesis) {
        const auto silent = [](const Stream &stream) { return stream.size() == 0; };
        streams.erase(std::remove_if(streams.begin(), streams.end(), silent), streams.end());
        const auto first = [&](const Stream &stream) {
            const std::int32_t segment = stream.place[0].segment;
            return std::pair(nb::cast<double>(nb::getattr(hypothesis[segment], "start_time")), segment);
        };
        std::stable_sort(streams.begin(), streams.end(), [&](const auto &a, const auto &b) { return first(a) < first(b); });
    }

    void set_windows() {
        windows_.resize(utterances.size() * streams.size());
        std::vector<Interval> spans = utterance_spans();
        for (int k = 0; k < stream_count(); ++k) {
            const Stream &stream = streams[k];
            Window window{0, timed ? 0 : stream.size()};
            double latest = 0;  // greatest end of the words before and at `first`
            for (int u = 0; u < utterance_count(); ++u) {
                for (; timed && window.first < stream.size(); ++window.first) {
                    latest = std::max(latest, stream.time[window.first].end);
                    if (latest >= spans[u].begin) break;
                }
                window.last = std::max(window.last, window.first);
                while (window.last < stream.size() && stream.earliest[window.last] < spans[u].end) ++window.last;
                windows_[static_cast<std::size_t>(u) * streams.size() + k] = window;
            }
        }
    }

    // Of each utterance the least begin of its words and all later ones, and the greatest end of its words and all earlier.
    std::vector<Interval> utterance_spans() const {
        std::vector<Interval> spans;
        if (!timed) return std::vector<Interval>(utterances.size());
        double latest = 0;
        for (const Utterance &utterance : utterances) {
            double earliest = std::numeric_limits<double>::infinity();
            for (const Form &form : utterance.forms) {
                for (const Interval &time : form.time) earliest = std::min(earliest, time.begin), latest = std::max(latest, time.end);
            }
            spans.push_back({earliest, latest});
        }
        for (std::size_t u = spans.size(); u-- > 1;) spans[u - 1].begin = std::min(spans[u - 1].begin, spans[u].begin);
        return spans;
    }

    void set_open() {
        for (int u = 0; u < utterance_count(); ++u) {
            std::vector<int> &open = open_.emplace_back();
            for (int k = 0; k < stream_count(); ++k) {
                if (!timed || window(u, k).size() > 1) open.push_back(k);
            }
            if (open.empty()) open.push_back(stream_count() - 1);
        }
    }

    std::vector<Window> windows_;
    std::vector<std::vector<int>> open_;
};

// Edit distances grow by one utterance along one stream. `cost` holds the positions of a window, the first at cost[0]; it
// is replaced by the costs behind the words of the form. An error costs `unit`.
template <bool timed, int unit>
void cross_forward(const Form &said, const Form &heard, Window window, int *cost) {
    const int width = window.size() - 1;
    const std::int32_t *word = heard.word.data() + window.first;
    for (std::size_t i = 0; i < said.word.size(); ++i) {
        int diagonal = cost[0], before = cost[0] += unit;
        for (int j = 0; j < width; ++j) {
            const int above = cost[j + 1];
            int best = std::min(before, above) + unit;
            if (!timed || overlap(said.time[i], heard.time[window.first + j])) {
                best = std::min(best, diagonal + (word[j] == said.word[i] ? 0 : unit));
            }
            cost[j + 1] = before = best;
            diagonal = above;
        }
    }
}

// The same from behind: replaced by the costs from before the words of the form on.
template <bool timed, int unit>
void cross_backward(const Form &said, const Form &heard, Window window, int *cost) {
    const int width = window.size() - 1;
    const std::int32_t *word = heard.word.data() + window.first;
    for (std::size_t i = said.word.size(); i-- > 0;) {
        int diagonal = cost[width], before = cost[width] += unit;
        for (int j = width; j-- > 0;) {
            const int above = cost[j];
            int best = std::min(before, above) + unit;
            if (!timed || overlap(said.time[i], heard.time[window.first + j])) {
                best = std::min(best, diagonal + (word[j] == said.word[i] ? 0 : unit));
            }
            cost[j] = before = best;
            diagonal = above;
        }
    }
}

// The least over the forms of an utterance; `from` is left as it is.
template <bool forward, int unit>
void cross(const Session &session, int u, int k, Window window, const std::vector<int> &from, std::vector<int> &to) {
    const std::vector<Form> &forms = session.utterances[u].forms;
    const auto one = [&](const Form &form, std::vector<int> &cost) {
        const Form &heard = session.streams[k];
        if (session.timed) {
            (forward ? cross_forward<true, unit> : cross_backward<true, unit>)(form, heard, window, cost.data());
        } else {
            (forward ? cross_forward<false, unit> : cross_backward<false, unit>)(form, heard, window, cost.data());
        }
    };
    to = from;
    one(forms[0], to);
    std::vector<int> other;
    for (std::size_t form = 1; form < forms.size(); ++form) {
        other = from;
        one(forms[form], other);
        for (std::size_t j = 0; j < to.size(); ++j) to[j] = std::min(to[j], other[j]);
    }
}

}  // namespace parakh::orc
