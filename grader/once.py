"""What nbgrader does again for each of a submission's nine steps, done once for a class.

It opens the gradebook nine times, each time with a new engine that compiles the same SQL again and
looks for each table, it checks its schema of a cell's metadata again before it checks a cell, and
nbconvert checks the whole notebook after each step, besides when it is read and written: more than
half of the time that recording takes. Inside `with once():` all that is spared; nbgrader itself
stays as it is.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import jsonschema  # type: ignore[import-untyped]
import sqlalchemy
from nbconvert.exporters import Exporter
from nbgrader import api
from nbgrader.nbgraderformat import common

CREATE_ALL = api.Base.metadata.create_all


@lru_cache(1)  # a class at a time; nbgrader closes its connections when it is done with a gradebook
def engine(url: str, **options: Any) -> Any:
    return sqlalchemy.create_engine(url, **options)


@lru_cache(1)
def tables(bind: Any) -> None:
    """Make the tables that are missing; the first time tells."""
    CREATE_ALL(bind=bind)


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
    with patch.object(api, "create_engine", engine), \
            patch.object(api.Base.metadata, "create_all", tables), \
            patch.object(Exporter, "_validate_preprocessor", lambda *of: None), \
            patch.object(common, "jsonschema", SimpleNamespace(validate=validate)):
        yield
