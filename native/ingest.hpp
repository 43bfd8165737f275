// From Python segments to streams of numbered words with their pseudo-times. The only part that touches Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace parakh {

namespace nb = nanobind;

// White space as `str.split()` knows it; most scripts lie in the range that is settled by one comparison.
inline bool is_space(Py_UCS4 c) {
    if (c > 0xA0 && c < 0x1680) return false;
    return Py_UNICODE_ISSPACE(c);
}

// Numbers words in order of first appearance; two words are one when their code points are the same.
class Vocabulary {
  public:
    Vocabulary() : slots_(4096, kEmpty) {}

    int size() const { return static_cast<int>(entries_.size()); }

    template <class Point>
    std::int32_t number(const Point *word, std::size_t length) {
        std::uint64_t hash = 0xCBF29CE484222325u;
        for (std::size_t k = 0; k < length; ++k) hash = (hash ^ word[k]) * 0x100000001B3u;
        hash ^= hash >> 29;
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = hash & mask;
        for (; slots_[slot] != kEmpty; slot = (slot + 1) & mask) {
            const Entry &entry = entries_[slots_[slot]];
            if (entry.hash == hash && entry.length == length && std::equal(word, word + length, &text_[entry.offset])) {
                return slots_[slot];
            }
        }
        slots_[slot] = size();
        entries_.push_back({hash, text_.size(), length});
        text_.insert(text_.end(), word, word + length);
        if (entries_.size() * 2 > slots_.size()) grow();
        return size() - 1;
    }

  private:
    static constexpr std::int32_t kEmpty = -1;
    struct Entry {
        std::uint64_t hash;
        std::size_t offset, length;
    };

    void grow() {
        slots_.assign(slots_.size() * 2, kEmpty);
        for (std::int32_t id = 0; id < size(); ++id) {
            std::size_t slot = entries_[id].hash & (slots_.size() - 1);
            while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = id;
        }
    }

    std::vector<std::int32_t> slots_;
    std::vector<Entry> entries_;
    std::vector<char32_t> text_;
};

// Calls each(first code point, code points) for every word of a string.
template <class Point, class Each>
void split_points(const Point *text, Py_ssize_t size, Each each) {
    Py_ssize_t at = 0;
    while (true) {
        while (at < size && is_space(text[at])) ++at;
        if (at == size) return;
        const Py_ssize_t first = at;
        while (at < size && !is_space(text[at])) ++at;
        each(text + first, static_cast<std::size_t>(at - first));
    }
}

template <class Each>
void split_text(PyObject *text, Each each) {
    if (!PyUnicode_Check(text)) throw std::invalid_argument("words are not a string");
    const Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: return split_points(PyUnicode_1BYTE_DATA(text), size, each);
        case PyUnicode_2BYTE_KIND: return split_points(PyUnicode_2BYTE_DATA(text), size, each);
        default: return split_points(PyUnicode_4BYTE_DATA(text), size, each);
    }
}

// Calls each(number, code points) for every word of a string.
template <class Each>
void split_words(PyObject *text, Vocabulary &vocabulary, Each each) {
    split_text(text, [&](const auto *word, std::size_t length) { each(vocabulary.number(word, length), static_cast<int>(length)); });
}

// What is aligned: the words of a text, or its code points with a space before every word.
enum class Unit { word, character };

// Calls each(number, code points) for every word of a string, or for every code point of it, white space as above.
template <class Each>
void split_into(Unit unit, PyObject *text, Vocabulary &vocabulary, Each each) {
    if (unit == Unit::word) return split_words(text, vocabulary, each);
    split_text(text, [&](const auto *word, std::size_t length) {
        each(vocabulary.number(U" ", 1), 1);
        for (std::size_t k = 0; k < length; ++k) each(vocabulary.number(word + k, 1), 1);
    });
}

struct Interval {
    double begin, end;
};

// How long a speaker's segments lie in earlier ones of the same speaker, and the end of the last, in seconds.
struct SelfOverlap {
    double overlap = 0, end = 0;

    // Segments come in the order of their begins.
    void add(Interval segment) {
        if (end > segment.begin) overlap += std::min(end, segment.end) - segment.begin;
        end = std::max(end, segment.end);
    }
};

// One accepted transcript of a segment.
struct Form {
    std::vector<std::int32_t> word;  // vocabulary numbers
    std::vector<Interval> time;      // seconds; empty unless the words are placed in time
};

// The words of one speaker in order, each with its time and the place it was read from.
struct Stream : Form {
    nb::handle speaker;            // borrowed from the segments
    std::vector<double> earliest;  // least begin of each word and all after it
    struct Place {
        std::int32_t segment, form, position;
    };
    std::vector<Place> place;
    // Where a segment of the session accepts several forms: all forms of each segment of this speaker, with its index. The
    // words above are then those of the first forms.
    std::vector<std::pair<std::int32_t, std::vector<Form>>> choices;
    std::vector<std::pair<std::int32_t, std::int32_t>> taken;  // of each segment with several forms: its index, the form chosen
    SelfOverlap self_overlap;                                  // of segments with times

    int size() const { return static_cast<int>(word.size()); }

    void append(const Form &form, std::int32_t segment, std::int32_t number) {
        for (std::size_t k = 0; k < form.word.size(); ++k) place.push_back({segment, number, static_cast<std::int32_t>(k)});
        word.insert(word.end(), form.word.begin(), form.word.end());
        time.insert(time.end(), form.time.begin(), form.time.end());
    }

    void drop_first() {
        if (word.empty()) return;
        word.erase(word.begin());
        place.erase(place.begin());
        if (time.empty()) return;
        time.erase(time.begin());
        earliest.erase(earliest.begin());
    }

    void note_earliest() {
        earliest.resize(time.size());
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = time.size(); k-- > 0;) earliest[k] = least = std::min(least, time[k].begin);
    }
};

// What a word holds of its segment's time: by its code points, the same as each other word, or all of it; or the segment is
// a word already.
enum class Share { characters, words, segment, given };

// How words are placed in time: each holds its share (reference), or stands at the centre of it (hypothesis), and is then
// widened by the collar on both sides.
struct Placement {
    bool centred = false;
    double collar = 0;
    Share share = Share::characters;

    // `length` holds the code points of each word of a segment.
    void place(Interval segment, const std::vector<int> &length, std::vector<Interval> &out) const {
        const bool whole = length.size() < 2 || share == Share::segment || share == Share::given;
        const double parts = share == Share::words ? length.size() : std::accumulate(length.begin(), length.end(), 0);
        const double part = (segment.end - segment.begin) / parts;
        int passed = 0;
        for (const int code_points : length) {
            Interval held = segment;
            if (!whole) {
                held.begin = segment.begin + part * passed;
                passed += share == Share::words ? 1 : code_points;
                held.end = segment.begin + part * passed;
            }
            if (centred) {
                // Of equal shares the centre is half a share from the begin: the same but for rounding, and equal to meeteval.
                held.begin = held.end = !whole && share == Share::words ? held.begin + part / 2 : (held.end + held.begin) / 2;
            }
            out.push_back({held.begin - collar, held.end + collar});
        }
    }
};

// The placement that meeteval calls so, which is one of the names in parakh.metrics._times.
inline Placement placement_named(const std::string &name, double collar) {
    const auto begins = [&](const char *with) { return name.rfind(with, 0) == 0; };
    const bool points = name.size() > 7 && name.compare(name.size() - 7, 7, "_points") == 0;
    const Share share = begins("character_based") ? Share::characters
                        : begins("equidistant")   ? Share::words
                        : begins("full_segment")  ? Share::segment
                                                  : Share::given;
    return {points, collar, share};
}

struct RawSegment {
    nb::object words, speaker;
    nb::tuple forms;
    Interval time{0, 0};
    bool timed = false;
};

inline std::vector<RawSegment> read_segments(nb::sequence segments) {
    const nb::str words("words"), speaker("speaker"), forms("forms"), start("start_time"), end("end_time");
    std::vector<RawSegment> out;
    out.reserve(nb::len(segments));
    for (nb::handle segment : segments) {
        RawSegment raw{nb::getattr(segment, words), nb::getattr(segment, speaker),
                       nb::cast<nb::tuple>(nb::getattr(segment, forms))};
        if (raw.speaker.is_none()) throw std::invalid_argument("a segment has no speaker");
        const nb::object first = nb::getattr(segment, start), last = nb::getattr(segment, end);
        raw.timed = !first.is_none() && !last.is_none();
        if (raw.timed) {
            raw.time = {nb::cast<double>(first), nb::cast<double>(last)};
            const bool proper = std::isfinite(raw.time.begin) && std::isfinite(raw.time.end);
            if (!proper || raw.time.end < raw.time.begin) throw std::invalid_argument("a segment ends before it starts");
        }
        out.push_back(std::move(raw));
    }
    return out;
}

// Order by start time, file order among equals; file order throughout when a segment has no times.
inline std::vector<int> time_order(const std::vector<RawSegment> &segments, bool timed) {
    std::vector<int> order(segments.size());
    std::iota(order.begin(), order.end(), 0);
    const auto earlier = [&](int a, int b) { return segments[a].time.begin < segments[b].time.begin; };
    if (timed) std::stable_sort(order.begin(), order.end(), earlier);
    return order;
}

// Reads transcripts; keeps its working memory between them.
class FormReader {
  public:
    FormReader(Vocabulary &vocabulary, std::optional<Placement> placement, Unit unit = Unit::word)
        : vocabulary_(vocabulary), placement_(placement), unit_(unit), space_(vocabulary.number(U" ", 1)) {}

    const Form &read(nb::handle words, Interval time) {
        form_.word.clear();
        form_.time.clear();
        length_.clear();
        split_into(unit_, words.ptr(), vocabulary_, [&](std::int32_t number, int code_points) {
            form_.word.push_back(number);
            length_.push_back(code_points);
        });
        if (placement_ && placement_->share == Share::given && words_read() > 1) {
            throw std::invalid_argument("a segment that should be one word has several");
        }
        if (placement_) placement_->place(time, length_, form_.time);
        return form_;
    }

  private:
    std::ptrdiff_t words_read() const {
        const auto &read = form_.word;
        return unit_ == Unit::word ? static_cast<std::ptrdiff_t>(read.size()) : std::count(read.begin(), read.end(), space_);
    }

    Vocabulary &vocabulary_;
    const std::optional<Placement> placement_;
    const Unit unit_;
    const std::int32_t space_;
    Form form_;
    std::vector<int> length_;
};

// One stream a speaker, in the order in which the speakers first appear; a speaker without words has an empty stream. With
// `together` one stream of all speakers. Only a reference may be said in several forms.
inline std::vector<Stream> read_streams(nb::sequence segments, Vocabulary &vocabulary, std::optional<Placement> placement,
                                        bool several_forms, Unit unit = Unit::word, bool together = false) {
    const std::vector<RawSegment> raw = read_segments(segments);
    const bool timed = std::all_of(raw.begin(), raw.end(), [](const RawSegment &one) { return one.timed; });
    if (placement && !timed) throw std::invalid_argument("a segment has no times");
    const auto has_forms = [](const RawSegment &one) { return one.forms.size() > 0; };
    const bool branches = several_forms && std::any_of(raw.begin(), raw.end(), has_forms);

    std::vector<Stream> streams;
    nb::dict index_of;
    FormReader reader(vocabulary, placement, unit);
    for (const int index : time_order(raw, timed)) {
        const RawSegment &segment = raw[index];
        const nb::object speaker = together ? nb::none() : segment.speaker;
        nb::object known = index_of.get(speaker, nb::none());
        if (known.is_none()) {
            index_of[speaker] = known = nb::int_(streams.size());
            streams.emplace_back().speaker = speaker;
        }
        Stream &stream = streams[PyLong_AsSize_t(known.ptr())];
        stream.append(reader.read(segment.words, segment.time), index, 0);
        if (timed) stream.self_overlap.add(segment.time);
        if (!branches) continue;
        stream.choices.push_back({index, {reader.read(segment.words, segment.time)}});
        for (nb::handle form : segment.forms) stream.choices.back().second.push_back(reader.read(form, segment.time));
    }
    for (Stream &stream : streams) stream.note_earliest();
    return streams;
}

}  // namespace parakh
