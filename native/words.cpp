#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_words(nb::module_ &m) { (void)m; }
