#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_intervals(nb::module_ &m) { (void)m; }
