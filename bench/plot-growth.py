#!/usr/bin/env python3
"""Draws the growth that `batt bench --json FILE` measured as an SVG picture.

    python3 bench/plot-growth.py bench.json growth.svg

Two panels, both axes logarithmic: time against programs, and time against tasks. A dashed line shows linear growth from the first
point. Uses the standard library only.
"""

import json
import math
import sys

WIDTH, HEIGHT, MARGIN = 360, 260, 48


def panel(x0, title, unit, rows, key):
    """One picture: execute time over `key`."""
    points = [(row[key], row["execute_s"]) for row in rows if row["execute_s"] > 0]
    if len(points) < 2:
        return ""
    xs, ys = [math.log10(x) for x, _ in points], [math.log10(y) for _, y in points]
    linear_end = ys[0] + xs[-1] - xs[0]
    left, right = min(xs), max(xs)
    low, high = math.floor(min(ys)), math.ceil(max(ys + [linear_end]))
    across = lambda x: x0 + MARGIN + (x - left) / (right - left) * (WIDTH - MARGIN - 16)
    up = lambda y: HEIGHT - MARGIN - (y - low) / (high - low) * (HEIGHT - MARGIN - 32)
    parts = [f'<text x="{x0 + MARGIN}" y="18" font-weight="bold">{title}</text>']
    for y in range(low, high + 1):
        parts.append(f'<line x1="{across(left):.1f}" y1="{up(y):.1f}" x2="{across(right):.1f}" y2="{up(y):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{x0 + MARGIN - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{10.0 ** y:g} s</text>')
    for (x, y), lx, ly in zip(points, xs, ys):
        parts.append(f'<text x="{across(lx):.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{x}</text>')
        parts.append(f'<circle cx="{across(lx):.1f}" cy="{up(ly):.1f}" r="3.5" fill="#0a6"/>')
        # The first label stands to the right below its point, clear of the axis; the others to the left above.
        (dx, dy, anchor) = (8, 14, "start") if lx == left else (-6, -8, "end")
        parts.append(f'<text x="{across(lx) + dx:.1f}" y="{up(ly) + dy:.1f}" text-anchor="{anchor}" fill="#064">{y:.3g} s</text>')
    line = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in zip(xs, ys))
    parts.append(f'<polyline points="{line}" fill="none" stroke="#0a6" stroke-width="2"/>')
    parts.append(
        f'<line x1="{across(left):.1f}" y1="{up(ys[0]):.1f}" x2="{across(right):.1f}" y2="{up(linear_end):.1f}" '
        'stroke="#999" stroke-dasharray="5 4"/>'
    )
    parts.append(f'<text x="{x0 + WIDTH / 2 + 16}" y="{HEIGHT - 10}" text-anchor="middle">{unit} (dashed: linear)</text>')
    return "\n".join(parts)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        figures = json.load(file)
    pictures = panel(0, "time against programs", "programs", figures["by_programs"], "programs")
    pictures += panel(WIDTH, "time against tasks", "tasks", figures["by_tasks"], "tasks")
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{pictures}\n</svg>\n'
    )
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(svg)


if __name__ == "__main__":
    main()
