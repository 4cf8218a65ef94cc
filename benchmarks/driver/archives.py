"""Counting a serialised value against serialising it."""

from driver import calls
from driver.tables import short, table

HEAD = ["value", "packed_oarchive, ns", "counted, ns", "counted / packed"]


def measure(programs, output, repetitions, seconds):
    """{value: {"packed" and "counted": {"median": ns, "fastest": ns}}}."""
    return calls.measure(programs, output, "archives", repetitions, seconds)


def rows(found):
    """By the medians."""
    for value, times in found.items():
        packed, counted = times["packed"]["median"], times["counted"]["median"]
        yield [value, short(packed), short(counted), f"{counted / packed:.3f}"]


def show(found):
    table("Bytes of a serialised value: the archive, and only counted", HEAD, list(rows(found)))
