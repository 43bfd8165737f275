// Shortest augmenting paths for the rectangular assignment problem: D. F. Crouse, "On implementing 2D rectangular
// assignment algorithms", IEEE Transactions on Aerospace and Electronic Systems 52(4), 2016. O(rows^2 * cols), rows <= cols.
#include "assignment.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nb = nanobind;

namespace parakh {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kFree = -1;

// Assigns one row after the other; the prices keep every reduced cost >= 0 and that of an assigned pair = 0.
class Solver {
  public:
    Solver(std::vector<double> cost, int rows, int cols)
        : cost_(std::move(cost)), cols_(cols), row_price_(rows), col_price_(cols), row_to_col_(rows, kFree), col_to_row_(cols, kFree) {}

    std::vector<int> run() {
        for (int row = 0; row < static_cast<int>(row_to_col_.size()); ++row) augment(row);
        return row_to_col_;
    }

  private:
    // Dijkstra from `row` over alternating paths to the nearest free column; then prices and pairs are brought up to date.
    void augment(int row) {
        distance_.assign(cols_, kInfinity);
        parent_.assign(cols_, kFree);
        open_.resize(cols_);
        // Columns are tried from the last to the first: with that, a constant matrix gives the identity.
        for (int k = 0; k < cols_; ++k) open_[k] = cols_ - 1 - k;
        settled_.clear();

        double length = 0;
        int current = row;
        int column = kFree;
        do {
            column = settle_nearest(current, length);
            length = distance_[column];
            current = col_to_row_[column];
        } while (current != kFree);

        update_prices(row, length);
        flip(row, column);
    }

    // Relaxes the edges of `row`, whose distance is `length`, and settles the nearest open column; of equals, a free one.
    int settle_nearest(int row, double length) {
        const double *cost = cost_.data() + static_cast<std::size_t>(row) * cols_;
        double nearest = kInfinity;
        std::size_t at = 0;
        for (std::size_t k = 0; k < open_.size(); ++k) {
            const int col = open_[k];
            const double through = length + cost[col] - row_price_[row] - col_price_[col];
            if (through < distance_[col]) {
                distance_[col] = through;
                parent_[col] = row;
            }
            if (distance_[col] < nearest || (distance_[col] == nearest && col_to_row_[col] == kFree)) {
                nearest = distance_[col];
                at = k;
            }
        }
        const int column = open_[at];
        settled_.push_back(column);
        open_[at] = open_.back();
        open_.pop_back();
        return column;
    }

    void update_prices(int row, double length) {
        row_price_[row] += length;
        for (const int col : settled_) {
            const double slack = length - distance_[col];
            if (col_to_row_[col] != kFree) row_price_[col_to_row_[col]] += slack;
            col_price_[col] -= slack;
        }
    }

    // Walks the path back from `column` to `row`, pairing each column with the row that reached it.
    void flip(int row, int column) {
        int owner = kFree;
        do {
            owner = parent_[column];
            col_to_row_[column] = owner;
            std::swap(row_to_col_[owner], column);
        } while (owner != row);
    }

    std::vector<double> cost_;
    int cols_;
    std::vector<double> row_price_, col_price_, distance_;
    std::vector<int> row_to_col_, col_to_row_, parent_, open_, settled_;
};

}  // namespace

std::vector<int> solve(const double *cost, int rows, int cols) {
    if (rows == 0 || cols == 0) return std::vector<int>(rows, kFree);
    const std::size_t size = static_cast<std::size_t>(rows) * cols;
    for (std::size_t k = 0; k < size; ++k)
        if (!std::isfinite(cost[k])) throw std::invalid_argument("every cost must be finite");
    if (rows <= cols) return Solver(std::vector<double>(cost, cost + size), rows, cols).run();

    std::vector<double> transposed(size);
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
            transposed[static_cast<std::size_t>(col) * rows + row] = cost[static_cast<std::size_t>(row) * cols + col];
    const std::vector<int> row_of = Solver(std::move(transposed), cols, rows).run();
    std::vector<int> column_of(rows, kFree);
    for (int col = 0; col < cols; ++col) column_of[row_of[col]] = col;
    return column_of;
}

}  // namespace parakh

namespace {

using Cost = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::pair<std::vector<int>, std::vector<int>> assignment(const Cost &cost) {
    std::vector<int> columns;
    {
        nb::gil_scoped_release release;
        columns = parakh::solve(cost.data(), static_cast<int>(cost.shape(0)), static_cast<int>(cost.shape(1)));
    }
    std::pair<std::vector<int>, std::vector<int>> pairs;
    for (std::size_t row = 0; row < columns.size(); ++row) {
        if (columns[row] < 0) continue;
        pairs.first.push_back(static_cast<int>(row));
        pairs.second.push_back(columns[row]);
    }
    return pairs;
}

}  // namespace

void bind_assignment(nb::module_ &m) {
    m.def("assignment", &assignment, nb::arg("cost"),
          "Rows and columns of the cheapest one-to-one assignment, by row; ties as in scipy.optimize.linear_sum_assignment.");
}
