"""Growth of the memory over many calls."""

from driver.tables import table


def measure(programs, calls, variants):
    """{"barrier/plain": {"heap": bytes, "resident": bytes}, …}."""
    lines = programs.run("memory", calls, *variants).splitlines()
    return {name: {"heap": int(heap), "resident": int(resident)} for name, heap, resident in map(str.split, lines)}


def show(found, calls):
    table(f"Growth over {calls} calls, in bytes", ["case", "heap", "resident set"],
          [[name, str(grown["heap"]), str(grown["resident"])] for name, grown in found.items()])
