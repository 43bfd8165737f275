#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_assignment(nb::module_ &m) { (void)m; }
