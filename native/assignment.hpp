// Optimal one-to-one assignment of rows to columns.
#pragma once

#include <vector>

namespace parakh {

// The column of each row (-1 for a row without one) that minimises the summed cost; `cost` is row-major.
// Every cost is finite. Among equally cheap assignments the choice is the one scipy.optimize.linear_sum_assignment makes.
std::vector<int> solve(const double *cost, int rows, int cols);

}  // namespace parakh
