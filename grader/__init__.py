"""For instructors: release, collect, grade, feedback and report, on nbgrader's own converters."""
