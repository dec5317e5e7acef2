"""The program `batt`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the program with the arguments of this process, and ends with its status."""
    if sys.argv[1:2] == ["ray"]:
        from batt._ray_command import main as ray

        sys.exit(ray(sys.argv[2:]))
    from batt import _native

    sys.exit(_native.main(["batt", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
