// Figures that compare two diarizations as clusterings of time, as sums that add over recordings.
#include "sweep.hpp"
#include "turns.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace nb = nanobind;

namespace {

using namespace parakh::diarization;

// Numbers sets of speakers: nobody is 0, then the speakers alone, then sets of several as they come.
class Labels {
  public:
    explicit Labels(int speakers) : speakers_(speakers) {}

    int of(const std::vector<int> &speaking) {
        if (speaking.empty()) return 0;
        if (speaking.size() == 1) return 1 + speaking[0];
        several_ = speaking;
        std::sort(several_.begin(), several_.end());
        return sets_.try_emplace(several_, 1 + speakers_ + static_cast<int>(sets_.size())).first->second;
    }

  private:
    int speakers_;
    std::vector<int> several_;
    std::map<std::vector<int>, int> sets_;
};

// Frames by label of either side: n_ij, n_i and n_j.
struct Table {
    struct Cell {
        int reference, hypothesis;
        double frames;
    };
    std::vector<Cell> cells;
    std::unordered_map<int, double> reference, hypothesis;
};

Table contingency(const Turns &reference, const Turns &hypothesis, const Spans &regions, double step) {
    const Intervals inside = unite(regions);
    const Frames frames(step, inside.empty() ? 0 : inside.back().end);
    const Sweep sweep(frames.of(crop(reference, inside).speakers), frames.of(crop(hypothesis, inside).speakers), frames.of(inside));
    Labels ref(sweep.references()), hyp(sweep.hypotheses());
    std::unordered_map<std::uint64_t, double> count;
    sweep.run([&](const Moment &now) {
        const std::uint64_t row = ref.of(now.reference), column = hyp.of(now.hypothesis);
        count[row << 32 | column] += now.duration();
    });
    Table table;
    for (const auto &[key, both] : count) {
        const int row = static_cast<int>(key >> 32), column = static_cast<int>(key & 0xFFFFFFFFu);
        table.cells.push_back({row, column, both});
        table.reference[row] += both;
        table.hypothesis[column] += both;
    }
    return table;
}

// Adds the terms from the smallest up: the same terms give the same sum, in whatever order they were met.
double ordered_sum(std::vector<double> terms) {
    std::sort(terms.begin(), terms.end());
    double sum = 0;
    for (const double term : terms) sum += term;
    return sum;
}

template <class Counts, class Term> double sum_of(const Counts &counts, Term term) {
    std::vector<double> terms;
    for (const auto &one : counts) terms.push_back(term(one));
    return ordered_sum(std::move(terms));
}

nb::dict clustering(const Turns &reference, const Turns &hypothesis, const Spans &regions, double step) {
    Table table;
    {
        nb::gil_scoped_release release;
        table = contingency(reference, hypothesis, regions, step);
    }
    const auto information = [](const auto &one) { return one.second * std::log2(one.second); };
    const auto square = [](const auto &one) { return one.second * one.second; };
    nb::dict sums;
    sums["frames"] = static_cast<long long>(sum_of(table.cells, [](const auto &cell) { return cell.frames; }));
    sums["reference_labels"] = static_cast<int>(table.reference.size());
    sums["hypothesis_labels"] = static_cast<int>(table.hypothesis.size());
    sums["reference_bits"] = sum_of(table.reference, information);
    sums["hypothesis_bits"] = sum_of(table.hypothesis, information);
    sums["joint_bits"] = sum_of(table.cells, [](const auto &cell) { return cell.frames * std::log2(cell.frames); });
    sums["reference_squares"] = sum_of(table.reference, square);
    sums["hypothesis_squares"] = sum_of(table.hypothesis, square);
    sums["reference_agreement"] =
        sum_of(table.cells, [&](const auto &cell) { return cell.frames * cell.frames / table.reference[cell.reference]; });
    sums["hypothesis_agreement"] =
        sum_of(table.cells, [&](const auto &cell) { return cell.frames * cell.frames / table.hypothesis[cell.hypothesis]; });
    return sums;
}

nb::dict purity(const Turns &reference, const Turns &hypothesis, const Spans &regions) {
    double reference_best = 0, hypothesis_best = 0, reference_time = 0, hypothesis_time = 0;
    {
        nb::gil_scoped_release release;
        const Intervals inside = unite(regions);
        const std::vector<Intervals> ref = crop(reference, inside).speakers, hyp = crop(hypothesis, inside).speakers;
        // Lengths are added up with the shared time, so that a speaker alone in a partner's time shares exactly all of its own.
        std::vector<double> together(ref.size() * hyp.size(), 0), rows(ref.size(), 0), columns(hyp.size(), 0);
        std::vector<double> ref_length(ref.size(), 0), hyp_length(hyp.size(), 0);
        Sweep(ref, hyp, inside).run([&](const Moment &now) {
            for (const int r : now.reference) ref_length[r] += now.duration();
            for (const int h : now.hypothesis) hyp_length[h] += now.duration();
            for (const int r : now.reference)
                for (const int h : now.hypothesis) together[r * hyp.size() + h] += now.duration();
        });
        for (std::size_t k = 0; k < together.size(); ++k) {
            double &row = rows[k / hyp.size()], &column = columns[k % hyp.size()];
            row = std::max(row, together[k]);
            column = std::max(column, together[k]);
        }
        reference_best = ordered_sum(rows);
        hypothesis_best = ordered_sum(columns);
        reference_time = ordered_sum(ref_length);
        hypothesis_time = ordered_sum(hyp_length);
    }
    nb::dict seconds;
    seconds["reference_best"] = reference_best;
    seconds["hypothesis_best"] = hypothesis_best;
    seconds["reference_time"] = reference_time;
    seconds["hypothesis_time"] = hypothesis_time;
    return seconds;
}

// How many speakers have a turn inside the regions.
int speakers(const Turns &side, const Spans &regions) {
    nb::gil_scoped_release release;
    return static_cast<int>(crop(side, unite(regions)).speakers.size());
}

}  // namespace

void bind_clustering(nb::module_ &m) {
    m.def("clustering", &clustering, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"), nb::arg("step"),
          "Sums over the frames' contingency table, by name; a label is the set of speakers of a frame.");
    m.def("purity", &purity, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"),
          "Seconds of each speaker, and those shared with the best partner, by side.");
    m.def("speakers", &speakers, nb::arg("side"), nb::arg("regions"), "How many speakers have a turn inside the regions.");
}
