"""Installs to a temporary prefix and builds a program with the CMake package and with pkg-config."""
import os, shutil, subprocess, sys, tempfile
from pathlib import Path
import support
from support import ROOT

CMAKE = sys.argv[1] if len(sys.argv) > 1 else "cmake"
CONSUMER = """cmake_minimum_required(VERSION 3.16)
project(consumer CXX)
find_package(tare 0.1 REQUIRED)
add_executable(bench bench.cpp)
target_link_libraries(bench PRIVATE tare::main)
add_executable(own own.cpp)
target_link_libraries(own PRIVATE tare::tare)
add_executable(older own.cpp)
set_target_properties(older PROPERTIES CXX_STANDARD 14)
target_link_libraries(older PRIVATE tare::tare)
"""
IN_C = """cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(tare 0.1 REQUIRED)
add_executable(bench bench.c)
target_link_libraries(bench PRIVATE tare::tare)
"""


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


# Skip what has passed with the same files, compiler and tools.
PKG_CONFIG = shutil.which("pkg-config")
key = support.PROGRAMS / support.key_of(__file__, ROOT / "CMakeLists.txt", run(CMAKE, "--version"), PKG_CONFIG)
if key.exists():
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    run(CMAKE, "-S", ROOT, "-B", folder / "build", f"-DCMAKE_INSTALL_PREFIX={folder / 'prefix'}", "-DTARE_TESTS=OFF")
    run(CMAKE, "--install", folder / "build")
    consumer = folder / "consumer"
    consumer.mkdir()
    (consumer / "CMakeLists.txt").write_text(CONSUMER)
    (consumer / "bench.cpp").write_text('#include <tare.h>\nTARE_BENCH("one", [] { return 1; });\n')
    (consumer / "own.cpp").write_text('#include <tare.h>\n#include <tare/bench.hpp>\nTARE_BENCH("own", [] { return 1; });\nTARE_MAIN()\n')
    run(CMAKE, "-S", consumer, "-B", consumer / "build", f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
    run(CMAKE, "--build", consumer / "build")
    assert run(consumer / "build/bench", "--list") == "one\n"
    assert run(consumer / "build/own", "--list") == "own\n"
    assert run(consumer / "build/older", "--list") == "own\n"  # tare::tare raises it to C++17
    in_c = folder / "in c"
    in_c.mkdir()
    (in_c / "CMakeLists.txt").write_text(IN_C)
    (in_c / "bench.c").write_text('#include <tare.h>\nTARE_C_BENCH("c") { tare_keep(1); }\nTARE_MAIN()\n')
    run(CMAKE, "-S", in_c, "-B", in_c / "build", f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
    run(CMAKE, "--build", in_c / "build")
    assert run(in_c / "build/bench", "--list") == "c\n"
    # moved elsewhere, the package still finds its files
    shutil.move(folder / "prefix", folder / "moved")
    run(CMAKE, "-S", consumer, "-B", consumer / "again", f"-DCMAKE_PREFIX_PATH={folder / 'moved'}")
    # add_subdirectory
    (consumer / "CMakeLists.txt").write_text(CONSUMER.replace("find_package(tare 0.1 REQUIRED)", f'add_subdirectory("{ROOT}" tare)'))
    run(CMAKE, "-S", consumer, "-B", consumer / "inside")
    run(CMAKE, "--build", consumer / "inside", "--target", "bench")
    assert run(consumer / "inside/bench", "--list") == "one\n"
    if not PKG_CONFIG:
        print("skipped: pkg-config is not installed; the CMake package works")
        sys.exit(77)
    shutil.move(folder / "moved", folder / "prefix")
    environment = dict(os.environ, PKG_CONFIG_PATH=str(folder / "prefix/share/pkgconfig"))
    assert run(PKG_CONFIG, "--modversion", "tare", env=environment) == "0.1.0\n"
    flags = run(PKG_CONFIG, "--cflags", "--libs", "tare", env=environment).split()
    run(support.cc(), in_c / "bench.c", *flags, "-o", folder / "own")
    assert run(folder / "own", "--list") == "c\n"
support.PROGRAMS.mkdir(parents=True, exist_ok=True)
key.touch()
