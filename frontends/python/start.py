"""Starts a file with benchmarks as a child of `tare`: `python start.py FILE [ARGUMENTS]`."""

import os
import sys

if __name__ == "__main__":
    import tare._memory

    tare._memory.start_again()
    from tare._load import start

    here = os.path.dirname(os.path.abspath(__file__))
    # Search the folder of the front end last.
    sys.path.append(sys.path.pop(0) if os.path.abspath(sys.path[0] or ".") == here else here)
    start(sys.argv[1:])
