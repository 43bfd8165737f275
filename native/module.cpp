// The Python module parakh._native: each kernel binds itself in its own file.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_intervals(nb::module_ &m);   // intervals.cpp: diarization and Jaccard error rates
void bind_clustering(nb::module_ &m);  // clustering.cpp: diarizations as clusterings
void bind_assignment(nb::module_ &m);  // assignment.cpp: optimal one-to-one assignment
void bind_words(nb::module_ &m);       // words.cpp: ingest and alignment of word streams
void bind_rouge(nb::module_ &m);       // rouge.cpp: longest common subsequences
void bind_greedy(nb::module_ &m);      // greedy.cpp: utterances given to streams greedily
void bind_sequence(nb::module_ &m);    // sequence.cpp: one stream of words or code points against another
void bind_lines(nb::module_ &m);       // lines.cpp: plain lines of tables to segments
void bind_entries(nb::module_ &m);     // entries.cpp: plain entries of SegLST to segments
void bind_orc(nb::module_ &m);         // orc.cpp: optimal reference combination
void bind_mimo(nb::module_ &m);        // mimo.cpp: utterances of several speakers in any interleaving
void bind_units(nb::module_ &m);       // units.cpp: streams in which runs of units may meet as a whole

NB_MODULE(_native, m) {
    m.doc() = "Kernels of Parakh: plain arrays in, plain numbers out, the GIL released in between.";
    bind_intervals(m);
    bind_clustering(m);
    bind_assignment(m);
    bind_words(m);
    bind_rouge(m);
    bind_greedy(m);
    bind_sequence(m);
    bind_lines(m);
    bind_entries(m);
    bind_orc(m);
    bind_mimo(m);
    bind_units(m);
}
