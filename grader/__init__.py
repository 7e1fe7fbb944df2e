"""For instructors: release, collect, grade, feedback and report, on nbgrader's own converters."""

import os
import sys

# jsonschema tries to import it and does without; it builds a grammar of URIs for 1.7 s, and the
# schema of notebooks has no URI in it. It has to be said before anything imports nbformat.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
# tensors here are tiny: a second thread only waits for the first
os.environ.setdefault("OMP_NUM_THREADS", "1")
