"""Cases of the suite: registered by name, run in order, each counted as one test."""

import datetime
import traceback

from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector


class Cases:
    """The cases of one product, in the order in which they were registered."""

    def __init__(self):
        self.all = []

    def __call__(self, name):
        """Registers a function as a case. It fails by raising, or by an answer other than the recorded one."""

        def register(function):
            self.all.append((name, function))
            return function

        return register

    def answers(self):
        """Runs every case and yields its name and its answer as JSON; an error is named by its type alone."""
        for name, function in self.all:
            try:
                yield name, plain(function())
            except Exception as error:  # noqa: BLE001  (any error is an answer)
                yield name, f"error {type(error).__name__}"

    def run(self):
        """Runs every case as a test of its own assertions. Returns how many passed and failed."""
        passed = failed = 0
        for name, function in self.all:
            try:
                function()
                passed += 1
            except Exception:  # noqa: BLE001  (any error fails the case alone)
                failed += 1
                print(f"FAIL  {name}\n{traceback.format_exc(limit=-4)}")
        return passed, failed


def plain(value):
    """A value of the SDKs as JSON that tells its type."""
    if isinstance(value, Vector):
        return f"vector {list(value)}"
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, firestore.DocumentSnapshot):
        return [value.reference.path, plain(value.to_dict())]
    if isinstance(value, firestore.DocumentReference):
        return f"reference {value.path}"
    if isinstance(value, firestore.GeoPoint):
        return f"point {value.latitude} {value.longitude}"
    if isinstance(value, datetime.datetime):
        return f"time {value.isoformat()}"
    if isinstance(value, float):
        return f"double {value!r}"
    if isinstance(value, bytes):
        return f"bytes {value.hex()}"
    return value


def raises(kind, function):
    """Asserts that a function raises an error of a kind, and returns the error."""
    try:
        function()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}")


def equal(is_, wanted):
    """Asserts that two values are equal."""
    assert is_ == wanted, f"{is_!r} instead of {wanted!r}"
