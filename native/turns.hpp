// The turns of one side of a recording as sorted, disjoint intervals, and cutting them to regions.
#pragma once

#include <nanobind/nanobind.h>

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

inline nb::object attribute(PyObject *object, const nb::object &name) {
    PyObject *value = PyObject_GetAttr(object, name.ptr());
    if (value == nullptr) throw nb::python_error();
    return nb::steal(value);
}

inline double seconds(PyObject *segment, const nb::object &name) {
    const double value = PyFloat_AsDouble(attribute(segment, name).ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
    if (!std::isfinite(value)) throw std::invalid_argument("a time is not finite");
    return value;
}

inline std::string_view text(const nb::object &value) {
    Py_ssize_t length = 0;
    const char *data = PyUnicode_AsUTF8AndSize(value.ptr(), &length);
    if (data == nullptr) throw nb::python_error();
    return {data, static_cast<std::size_t>(length)};
}

// Reads the segments' speakers and times; the only place here that touches Python objects.
inline Turns read_turns(const nb::object &segments) {
    const nb::object name = nb::steal(PyUnicode_InternFromString("speaker"));
    const nb::object from = nb::steal(PyUnicode_InternFromString("start_time"));
    const nb::object to = nb::steal(PyUnicode_InternFromString("end_time"));
    const nb::object items = nb::steal(PySequence_Fast(segments.ptr(), "expected a sequence of segments"));
    if (!items.is_valid()) throw nb::python_error();

    Turns side;
    std::unordered_map<std::string, std::size_t> index;
    for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(items.ptr()); ++k) {
        PyObject *segment = PySequence_Fast_GET_ITEM(items.ptr(), k);
        const Interval turn{seconds(segment, from), seconds(segment, to)};
        const nb::object label = attribute(segment, name);
        const std::string_view speaker = text(label);
        if (turn.end < turn.start) throw std::invalid_argument("a turn ends before it starts");
        if (turn.end == turn.start) continue;
        const auto found = index.try_emplace(std::string(speaker), side.names.size());
        if (found.second) {
            side.names.emplace_back(speaker);
            side.speakers.emplace_back();
        }
        side.speakers[found.first->second].push_back(turn);
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
