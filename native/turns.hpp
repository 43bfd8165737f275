// The turns of one side of a recording as sorted, disjoint intervals, and cutting them to regions.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parakh::diarization {

namespace nb = nanobind;

struct Interval {
    double start, end;
    bool operator<(const Interval &other) const { return start < other.start || (start == other.start && end < other.end); }
};
using Intervals = std::vector<Interval>;
using Spans = std::vector<std::pair<double, double>>;

// One side of a recording. Of each speaker, turns that overlap are one; turns that only touch stay two, because the
// boundary between them gets a collar. Turns without duration are no speech and are left out.
struct Turns {
    std::vector<std::string> names;
    std::vector<Intervals> speakers;  // same order as names: of first appearance
    int self_overlaps = 0;            // turns that overlapped an earlier one of their speaker and were joined to it
};

inline Intervals merge_overlaps(Intervals turns, int &joined) {
    if (!std::is_sorted(turns.begin(), turns.end())) std::sort(turns.begin(), turns.end());
    std::size_t last = 0;
    for (std::size_t k = 1; k < turns.size(); ++k) {
        if (turns[k].start < turns[last].end) {
            ++joined;
            turns[last].end = std::max(turns[last].end, turns[k].end);
        } else {
            turns[++last] = turns[k];
        }
    }
    turns.resize(last + 1);
    return turns;
}

// One attribute of many objects. Where their class keeps it in a slot (a dataclass with slots does), it is read in place:
// the look-up by name would take most of the time of a whole scoring.
class Attribute {
  public:
    Attribute(const char *name, PyObject *example) : name_(nb::steal(PyUnicode_InternFromString(name))) {
        if (example == nullptr) return;
        const nb::object descriptor = nb::steal(PyObject_GetAttr(reinterpret_cast<PyObject *>(Py_TYPE(example)), name_.ptr()));
        if (!descriptor.is_valid()) PyErr_Clear();
        if (!descriptor.is_valid() || Py_TYPE(descriptor.ptr()) != &PyMemberDescr_Type) return;
        const auto *member = reinterpret_cast<PyMemberDescrObject *>(descriptor.ptr());
        if (member->d_member->type != T_OBJECT_EX || PyDescr_TYPE(member) != Py_TYPE(example)) return;
        type_ = Py_TYPE(example);
        offset_ = member->d_member->offset;
    }

    nb::object of(PyObject *object) const {
        PyObject *value = nullptr;
        if (Py_TYPE(object) == type_) value = *reinterpret_cast<PyObject **>(reinterpret_cast<char *>(object) + offset_);
        if (value != nullptr) return nb::borrow(value);
        value = PyObject_GetAttr(object, name_.ptr());
        if (value == nullptr) throw nb::python_error();
        return nb::steal(value);
    }

  private:
    nb::object name_;
    PyTypeObject *type_ = nullptr;
    Py_ssize_t offset_ = 0;
};

// Seconds, either way. Frames of 10 ms are counted exactly up to here; timeline.py tells the user of what lies beyond.
constexpr double kLatest = 1e11;

inline double seconds(const nb::object &time) {
    const double value = PyFloat_AsDouble(time.ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
    if (!(std::abs(value) <= kLatest)) throw std::invalid_argument("a time is beyond any recording");
    return value;
}

inline std::string_view text(const nb::object &value) {
    Py_ssize_t length = 0;
    const char *data = PyUnicode_AsUTF8AndSize(value.ptr(), &length);
    if (data == nullptr) throw nb::python_error();
    return {data, static_cast<std::size_t>(length)};
}

// Numbers speakers in order of first appearance. Labels that are the same Python object need no look at their text.
class Speakers {
  public:
    std::size_t number(nb::object label, Turns &side) {
        for (const auto &[known, number] : objects_)
            if (known.ptr() == label.ptr()) return number;
        const auto found = index_.try_emplace(std::string(text(label)), side.names.size());
        const std::size_t number = found.first->second;
        if (found.second) {
            side.names.push_back(found.first->first);
            side.speakers.emplace_back();
        }
        if (objects_.size() < kObjects) objects_.emplace_back(std::move(label), number);
        return number;
    }

  private:
    static constexpr std::size_t kObjects = 16;
    std::vector<std::pair<nb::object, std::size_t>> objects_;
    std::unordered_map<std::string, std::size_t> index_;
};

// Reads the segments' speakers and times; the only place here that touches Python objects.
inline Turns read_turns(const nb::object &segments) {
    const nb::object items = nb::steal(PySequence_Fast(segments.ptr(), "expected a sequence of segments"));
    if (!items.is_valid()) throw nb::python_error();
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.ptr());
    PyObject *example = count > 0 ? PySequence_Fast_GET_ITEM(items.ptr(), 0) : nullptr;
    const Attribute name("speaker", example), from("start_time", example), to("end_time", example);

    Turns side;
    Speakers speakers;
    for (Py_ssize_t k = 0; k < count; ++k) {
        PyObject *segment = PySequence_Fast_GET_ITEM(items.ptr(), k);
        const Interval turn{seconds(from.of(segment)), seconds(to.of(segment))};
        nb::object label = name.of(segment);
        if (turn.end < turn.start) throw std::invalid_argument("a turn ends before it starts");
        if (!PyUnicode_Check(label.ptr())) throw nb::type_error("a speaker is no text");
        if (turn.end > turn.start) side.speakers[speakers.number(std::move(label), side)].push_back(turn);
    }
    for (Intervals &turns : side.speakers) turns = merge_overlaps(std::move(turns), side.self_overlaps);
    return side;
}

inline std::vector<std::pair<double, double>> extent(const Turns &side) {
    Spans hull;
    for (const Intervals &turns : side.speakers) {
        if (hull.empty()) hull.emplace_back(turns.front().start, turns.back().end);
        hull[0].first = std::min(hull[0].first, turns.front().start);
        hull[0].second = std::max(hull[0].second, turns.back().end);
    }
    return hull;
}

inline Intervals unite(const Spans &spans) {
    Intervals sorted;
    for (const auto &span : spans)
        if (span.first < span.second) sorted.push_back({span.first, span.second});
    std::sort(sorted.begin(), sorted.end());
    Intervals united;
    for (const Interval &span : sorted) {
        if (!united.empty() && span.start <= united.back().end)
            united.back().end = std::max(united.back().end, span.end);
        else
            united.push_back(span);
    }
    return united;
}

// The parts of the turns inside the regions; both are sorted and disjoint.
inline Intervals crop(const Intervals &turns, const Intervals &regions) {
    Intervals inside;
    inside.reserve(turns.size());
    std::size_t first = 0;
    for (const Interval &turn : turns) {
        while (first < regions.size() && regions[first].end <= turn.start) ++first;
        for (std::size_t k = first; k < regions.size() && regions[k].start < turn.end; ++k)
            inside.push_back({std::max(turn.start, regions[k].start), std::min(turn.end, regions[k].end)});
    }
    return inside;
}

// The speakers heard inside the regions, ordered by their turns: neither names nor the order of lines in a file can
// change which of several equally good mappings is taken.
struct Side {
    std::vector<Intervals> speakers;
    std::vector<std::size_t> source;  // index of each in Turns
};

inline Side crop(const Turns &turns, const Intervals &regions) {
    std::vector<Intervals> cropped;
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < turns.speakers.size(); ++k) {
        cropped.push_back(crop(turns.speakers[k], regions));
        if (!cropped[k].empty()) order.push_back(k);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cropped[a] < cropped[b]; });
    Side side;
    for (const std::size_t k : order) side.speakers.push_back(std::move(cropped[k]));
    side.source = std::move(order);
    return side;
}

}  // namespace parakh::diarization
