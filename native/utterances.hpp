// The segments of a session one by one, to be given to the streams of the other side, and what was made of them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "edit.hpp"
#include "ingest.hpp"

namespace parakh {

// A segment as it is given to a stream: who said it, and its accepted forms, at least one.
struct Utterance {
    std::int32_t segment, speaker;  // index of the segment; of its speaker, in the order in which they first appear
    std::vector<Form> forms;
};

// In time order. Only a reference may be said in several forms.
inline std::vector<Utterance> read_utterances(nb::sequence segments, Vocabulary &vocabulary, std::optional<Placement> placement,
                                              bool several_forms) {
    const std::vector<RawSegment> raw = read_segments(segments);
    const bool timed = std::all_of(raw.begin(), raw.end(), [](const RawSegment &one) { return one.timed; });
    if (placement && !timed) throw std::invalid_argument("a segment has no times");
    std::vector<Utterance> utterances;
    nb::dict speakers;
    FormReader reader(vocabulary, placement);
    for (const int index : time_order(raw, timed)) {
        const RawSegment &segment = raw[index];
        if (!speakers.contains(segment.speaker)) speakers[segment.speaker] = nb::int_(nb::len(speakers));
        const auto speaker = nb::cast<std::int32_t>(speakers[segment.speaker]);
        utterances.push_back({index, speaker, {reader.read(segment.words, segment.time)}});
        if (!several_forms) continue;
        for (nb::handle form : segment.forms) utterances.back().forms.push_back(reader.read(form, segment.time));
    }
    return utterances;
}

inline int speaker_count(const std::vector<Utterance> &utterances) {
    int count = 0;
    for (const Utterance &utterance : utterances) count = std::max(count, utterance.speaker + 1);
    return count;
}

// Utterances, by their places in the sequence, one behind the other as one stream.
inline Stream joined(const std::vector<Utterance> &utterances, const std::vector<int> &order) {
    Stream stream;
    bool several = false;
    for (const int k : order) {
        stream.append(utterances[k].forms[0], utterances[k].segment, 0);
        stream.choices.push_back({utterances[k].segment, utterances[k].forms});
        several |= utterances[k].forms.size() > 1;
    }
    if (!several) stream.choices.clear();
    stream.note_earliest();
    return stream;
}

// The steps of the alignment of two streams, whenever their words were said.
inline std::vector<Step> edit_steps(const Stream &reference, const Stream &hypothesis, EditTable::Matches &matches) {
    EditTable table(reference.word, hypothesis.word, matches);
    table.errors();
    std::vector<Step> steps;
    table.walk_back([&](const Step &step) { steps.push_back(step); });
    std::reverse(steps.begin(), steps.end());
    return steps;
}

// A row for each step: segment, form and word of the reference, then of the hypothesis; kNone for no word.
inline nb::object place_rows(const std::vector<Step> &steps, const Stream &reference, const Stream &hypothesis) {
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

}  // namespace parakh
