"""Tables of text."""


def table(title, head, rows):
    """Prints a table: the first column to the left, the others to the right, each as wide as it must be."""
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    print(f"\n{title}\n")
    for line in lines:
        cells = [cell.ljust(width) if column == 0 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(line, widths))]
        print("  " + "  ".join(cells).rstrip())


def short(value):
    """A number with three significant digits or more."""
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"
