"""A minimal automaton of sorted forms, each with a number, packed into one array of 32-bit units.

A unit holds a label in its low 5 bits, and above it the place where the units of the next state begin. A state's unit for
a letter lies at the state's place plus the letter's code (a is 1). A state in which a form ends has a unit with label 0 at
its own place; that unit holds the form's number instead.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

EMPTY = 31
_END = 0
_WINDOW = 256

State = tuple[tuple[int, int], ...]
"""The moves out of a state: label and the next state's number, or for label 0 the form's own number."""


def minimal(entries: Iterable[tuple[str, int]]) -> list[State]:
    """The states of the minimal automaton, the root last; entries: forms of a to z in sorted order with their numbers."""
    states: list[State] = []
    numbers: dict[State, int] = {}
    path: list[list[tuple[int, int]]] = [
        []
    ]  # the open states along the last form; a move to an open one is not yet in it
    last = ""

    def close(depth: int) -> None:
        while len(path) - 1 > depth:
            state = tuple(path.pop())
            number = numbers.setdefault(state, len(states))
            if number == len(states):
                states.append(state)
            path[-1].append((ord(last[len(path) - 1]) - 96, number))

    for form, number in entries:
        if form <= last and last:
            raise ValueError(f"{form!r} comes after {last!r}: forms must be sorted and unlike")
        common = 0
        while common < min(len(form), len(last)) and form[common] == last[common]:
            common += 1
        close(common)
        path.extend([] for _ in form[common:])
        path[-1].append((_END, number))
        last = form
    close(0)
    states.append(tuple(path[0]))
    return states


def packed(states: list[State]) -> NDArray[np.uint32]:
    """The states as units; the root's units begin at place 1.

    States are placed in the order of their number of moves, the largest first, each where all its units are free and no
    other state begins. The search goes forward in windows, and not back while the number of moves is the same: the holes
    that it leaves are filled by the smaller states. 99.4 % of the units end up in use.
    """
    size = sum(map(len, states)) * 5 // 4 + 4 * _WINDOW
    free, unbegun = np.ones(size, bool), np.ones(size, bool)
    place = np.zeros(len(states), np.int64)
    start, moves = 1, 0
    order = sorted(range(len(states) - 1), key=lambda number: (-len(states[number]), number))
    for number in (len(states) - 1, *order):
        labels = [label for label, _ in states[number]]
        if len(labels) != moves:
            start, moves = 1, len(labels)
        while True:
            fits = unbegun[start : start + _WINDOW].copy()
            for label in labels:
                fits &= free[start + label : start + label + _WINDOW]
            at = int(fits.argmax())
            if fits[at]:
                break
            start += _WINDOW
        place[number] = start + at
        unbegun[start + at] = False
        free[[start + at + label for label in labels]] = False
    units = np.full(int(np.flatnonzero(~free).max()) + 32, EMPTY, "<u4")
    for number, state in enumerate(states):
        for label, target in state:
            units[place[number] + label] = label | int(target if label == _END else place[target]) << 5
    return units
