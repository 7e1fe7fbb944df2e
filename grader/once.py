"""What nbgrader does again for each of a submission's nine steps, done once for a class.

It opens the gradebook nine times, each time with a new engine that compiles the same SQL again,
looks for each table and asks for the course; it checks its schema of a cell's metadata again before
it checks a cell, and nbconvert checks the whole notebook after each step, besides when it is read
and written: more than half of the time that recording takes. Inside `with once():` all that is
spared; nbgrader itself stays as it is.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import jsonschema  # type: ignore[import-untyped]
from nbconvert.exporters import Exporter
from nbgrader import api
from nbgrader.nbgraderformat import common
from sqlalchemy.orm import scoped_session

OPEN = api.Gradebook.__init__


@lru_cache(2)  # a class at a time, whose nbgrader uses two courses; both close their connections
def opened(url: str, course: str) -> api.Gradebook:
    """A gradebook that has its tables and its course."""
    book = api.Gradebook.__new__(api.Gradebook)
    OPEN(book, url, course)
    return book


def open_again(self: Any, db_url: str, course_id: str = "default_course",
               authenticator: Any = None) -> None:
    """Open a gradebook with the engine of the first, and a session of its own."""
    first = opened(db_url, course_id)
    self.engine, self.db = first.engine, scoped_session(first.db.session_factory)
    self.course_id, self.authenticator = course_id, authenticator


@lru_cache(8)
def validator(schema: str) -> Any:
    """A schema that has been checked. Raises jsonschema.SchemaError."""
    whole = json.loads(schema)
    kind = jsonschema.validators.validator_for(whole)
    kind.check_schema(whole)
    return kind(whole)


def validate(instance: Any, schema: dict[str, Any]) -> None:
    """`jsonschema.validate`. Raises jsonschema.ValidationError."""
    errors = validator(json.dumps(schema)).iter_errors(instance)
    if error := jsonschema.exceptions.best_match(errors):
        raise error


@contextmanager
def once() -> Iterator[None]:
    """Let nbgrader's gradebook and its checks use what was made and found before."""
    with patch.object(api.Gradebook, "__init__", open_again), \
            patch.object(Exporter, "_validate_preprocessor", lambda *of: None), \
            patch.object(common, "jsonschema", SimpleNamespace(validate=validate)):
        yield
