#!/usr/bin/env python3
"""Spoils the constants of a file of programs, to see what a search mends.

    bench/scramble.py SOLVERS.py --changes 1 --seed 1 > scrambled.py

Each function `solve_*` or `verify_*` gets so many changes, each at another place and each to another name of the same kind:

  number     ZERO .. TEN, NEG_ONE, NEG_TWO: colours, counts and ranks, which arc-dsl writes with the same names
  colour     BLACK .. BURGUNDY, rank F0 .. L10, kind R0 .. R7, angle A0 .. A7: the names of the typed dialect
  truth      T and F, such as the switches of `objects`
  direction  UP, DOWN, LEFT, RIGHT, UP_RIGHT, DOWN_LEFT, UNITY, NEG_UNITY
  size       ORIGIN, ZERO_BY_TWO, TWO_BY_ZERO, TWO_BY_TWO, THREE_BY_THREE
  turn       hmirror, vmirror, dmirror, cmirror, rot90, rot180, rot270 as the calls that they are
             (mirrors become mirrors and rotations rotations, so that patches stay patches)

Everything else stays as it is, byte for byte. A function with fewer places than changes has all of them changed; one without any is left
out and counted on stderr. The same file, number of changes and seed give the same bytes with any Python from 3.8 on.
"""

import argparse
import ast
import hashlib
import sys

KINDS = {
    'number': ['NEG_TWO', 'NEG_ONE', 'ZERO', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE', 'TEN'],
    'colour': ['BLACK', 'BLUE', 'RED', 'GREEN', 'YELLOW', 'GRAY', 'MAGENTA', 'ORANGE', 'CYAN', 'BURGUNDY'],
    'rank': [f'F{n}' for n in range(10)] + [f'L{n}' for n in range(1, 11)],
    'kind': [f'R{n}' for n in range(8)],
    'angle': [f'A{n}' for n in range(8)],
    'truth': ['T', 'F'],
    'direction': ['UP', 'DOWN', 'LEFT', 'RIGHT', 'UP_RIGHT', 'DOWN_LEFT', 'UNITY', 'NEG_UNITY'],
    'size': ['ORIGIN', 'ZERO_BY_TWO', 'TWO_BY_ZERO', 'TWO_BY_TWO', 'THREE_BY_THREE'],
    'mirror': ['hmirror', 'vmirror', 'dmirror', 'cmirror'],
    'rotation': ['rot90', 'rot180', 'rot270'],
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}


class Numbers:
    """Numbers that depend on nothing but a text: the ones of the `random` module may change between versions."""

    def __init__(self, text):
        self.text = text
        self.count = 0

    def below(self, bound):
        self.count += 1
        digest = hashlib.sha256(f'{self.text}:{self.count}'.encode()).digest()
        return int.from_bytes(digest[:8], 'big') % bound


def places(function):
    """The names in a function that can change, in the order of the text."""
    found = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in KIND_OF]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def scrambled(lines, function, changes, seed):
    """The lines of a function with some names changed, and how many; `None` if there is nothing to change."""
    left = places(function)
    if not left:
        return None, 0
    numbers = Numbers(f'{seed}:{function.name}')
    chosen = []
    while left and len(chosen) < changes:
        chosen.append(left.pop(numbers.below(len(left))))
    first = function.lineno - 1
    text = [line.encode() for line in lines[first:function.end_lineno]]
    # From right to left, so that the columns of what is still to come hold.
    for node in sorted(chosen, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        others = [name for name in KINDS[KIND_OF[node.id]] if name != node.id]
        line = text[node.lineno - 1 - first]
        new = others[numbers.below(len(others))].encode()
        text[node.lineno - 1 - first] = line[:node.col_offset] + new + line[node.end_col_offset:]
    return [line.decode() for line in text], len(chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('solvers', help='a file of programs')
    parser.add_argument('--changes', type=int, default=1, help='changes in each program (default: 1)')
    parser.add_argument('--seed', type=int, default=1, help='which changes (default: 1)')
    options = parser.parse_args()
    if options.changes < 1:
        parser.error('--changes must be at least 1')
    with open(options.solvers, encoding='utf-8', newline='') as file:
        source = file.read()
    # Only what ends a line for the parser too.
    lines = [line + '\n' for line in source.split('\n')]
    out = ['from dsl import *\n', 'from constants import *\n']
    kept = left_out = made = 0
    for function in ast.parse(source, options.solvers).body:
        if not isinstance(function, ast.FunctionDef) or not function.name.startswith(('solve_', 'verify_')):
            continue
        text, count = scrambled(lines, function, options.changes, options.seed)
        if text is None:
            left_out += 1
            continue
        kept += 1
        made += count
        out += ['\n', '\n', *text]
        if not out[-1].endswith('\n'):
            out.append('\n')
    sys.stdout.write(''.join(out))
    print(f'{kept} programs with {made} changes; {left_out} have nothing to change and are left out', file=sys.stderr)


if __name__ == '__main__':
    main()
