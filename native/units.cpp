// Alignment of two streams of units in which runs of units may also meet as a whole.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "units.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

template <class Number, int dimensions>
using Array = nb::ndarray<const Number, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
using Keys = Array<std::int32_t, 1>;
using Classes = Array<std::int8_t, 1>;
using Times = std::optional<Array<double, 2>>;
using Rows = Array<std::int32_t, 2>;

constexpr int kMostUnits = 1 << 29;  // of either side: anti-diagonals are numbered by 32 bits

[[noreturn]] void refuse(const char *what, std::size_t row, const char *why) {
    throw std::invalid_argument(std::string(what) + ", row " + std::to_string(row) + ": " + why);
}

UnitSide read_side(const Keys &keys, const Classes &classes, const char *what) {
    if (keys.size() != classes.size()) throw std::invalid_argument(std::string(what) + ": as many classes as keys are needed");
    if (keys.size() > kMostUnits) throw std::invalid_argument(std::string(what) + ": too many units");
    UnitSide side;
    side.key.assign(keys.data(), keys.data() + keys.size());
    side.kind.assign(classes.data(), classes.data() + classes.size());
    return side;
}

std::vector<Span> read_spans(const Rows &rows, std::size_t units, const char *what) {
    if (rows.shape(1) != 4) throw std::invalid_argument(std::string(what) + ": rows of 4 numbers are needed");
    std::vector<Span> spans(rows.shape(0));
    for (std::size_t row = 0; row < spans.size(); ++row) {
        const std::int32_t *at = rows.data() + 4 * row;
        if (at[0] < 0 || at[0] >= at[1] || at[1] > static_cast<std::int64_t>(units)) refuse(what, row, "needs 0 <= start < stop <= units");
        if (at[3] < 0) refuse(what, row, "a cost is never negative");
        spans[row] = {at[0], at[1], at[2], at[3], static_cast<std::int32_t>(row)};
    }
    return spans;
}

std::vector<Block> read_blocks(const Rows &rows, int reference, int hypothesis) {
    if (rows.shape(1) != 5) throw std::invalid_argument("blocks: rows of 5 numbers are needed");
    std::vector<Block> blocks(rows.shape(0));
    for (std::size_t row = 0; row < blocks.size(); ++row) {
        const std::int32_t *at = rows.data() + 5 * row;
        const bool inside = 0 <= at[0] && at[0] <= at[1] && at[1] <= reference && 0 <= at[2] && at[2] <= at[3] && at[3] <= hypothesis;
        if (!inside) refuse("blocks", row, "needs 0 <= start <= stop <= units on either side");
        if (at[0] == at[1] && at[2] == at[3]) refuse("blocks", row, "both sides are empty");
        if (at[4] < 0) refuse("blocks", row, "a cost is never negative");
        blocks[row] = {{at[0], at[1], at[2], at[3]}, at[4]};
    }
    return blocks;
}

void check_times(const Times &times, std::size_t units, const char *what) {
    if (times->shape(0) != units || times->shape(1) != 2) throw std::invalid_argument(std::string(what) + ": a begin and an end per unit are needed");
    for (std::size_t row = 0; row < units; ++row) {
        if (!(times->data()[2 * row] <= times->data()[2 * row + 1])) refuse(what, row, "needs begin <= end");
    }
}

// Times by their rank among those of both sides: whether one is before another stays the same.
void rank_times(const Times &reference, const Times &hypothesis, UnitStreams &streams) {
    std::vector<double> all(reference->data(), reference->data() + reference->size());
    all.insert(all.end(), hypothesis->data(), hypothesis->data() + hypothesis->size());
    std::sort(all.begin(), all.end());
    const auto rank = [&](double time) { return static_cast<std::int32_t>(std::lower_bound(all.begin(), all.end(), time) - all.begin()); };
    const auto fill = [&](const Times &times, UnitSide &side) {
        for (std::size_t unit = 0; unit < times->shape(0); ++unit) {
            side.begin.push_back(rank(times->data()[2 * unit]));
            side.end.push_back(rank(times->data()[2 * unit + 1]));
        }
    };
    fill(reference, streams.reference);
    fill(hypothesis, streams.hypothesis);
}

UnitStreams read_streams(const Keys &reference, const Keys &hypothesis, const Classes &reference_classes, const Classes &hypothesis_classes,
                         const Times &reference_times, const Times &hypothesis_times, const Rows &reference_spans,
                         const Rows &hypothesis_spans, const Rows &blocks) {
    if (reference_times.has_value() != hypothesis_times.has_value()) throw std::invalid_argument("times are needed on both sides or on neither");
    UnitStreams streams{read_side(reference, reference_classes, "reference"), read_side(hypothesis, hypothesis_classes, "hypothesis"),
                        read_blocks(blocks, static_cast<int>(reference.size()), static_cast<int>(hypothesis.size())),
                        reference_times.has_value()};
    streams.reference.spans = read_spans(reference_spans, reference.size(), "reference_spans");
    streams.hypothesis.spans = read_spans(hypothesis_spans, hypothesis.size(), "hypothesis_spans");
    if (streams.timed) {
        check_times(reference_times, reference.size(), "reference_times");
        check_times(hypothesis_times, hypothesis.size(), "hypothesis_times");
        rank_times(reference_times, hypothesis_times, streams);
    }
    UnitSide &side = streams.hypothesis;
    for (auto *numbers : {&side.key, &side.kind, &side.begin, &side.end}) std::reverse(numbers->begin(), numbers->end());
    return streams;
}

// Rows i0, i1, j0, j1, a, b.
nb::object align_units(Keys reference, Keys hypothesis, Classes reference_classes, Classes hypothesis_classes, Times reference_times,
                       Times hypothesis_times, Rows reference_spans, Rows hypothesis_spans, Rows blocks, std::size_t most_cells) {
    auto *rows = new std::vector<std::int32_t>();
    nb::capsule owner(rows, [](void *p) noexcept { delete static_cast<std::vector<std::int32_t> *>(p); });
    {
        nb::gil_scoped_release release;
        const UnitStreams streams = read_streams(reference, hypothesis, reference_classes, hypothesis_classes, reference_times,
                                                 hypothesis_times, reference_spans, hypothesis_spans, blocks);
        for (const UnitStep &step : align(streams, most_cells)) {
            rows->insert(rows->end(), {step.box.i0, step.box.i1, step.box.j0, step.box.j1, step.a, step.b});
        }
    }
    return nb::cast(nb::ndarray<nb::numpy, std::int32_t>(rows->data(), {rows->size() / 6, 6}, owner));
}

}  // namespace
}  // namespace parakh

void bind_units(nb::module_ &m) {
    m.def("align_units", &parakh::align_units, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("reference_classes"),
          nb::arg("hypothesis_classes"), nb::arg("reference_times").none(), nb::arg("hypothesis_times").none(),
          nb::arg("reference_spans"), nb::arg("hypothesis_spans"), nb::arg("blocks"), nb::arg("most_cells") = std::size_t{1} << 21);
}
