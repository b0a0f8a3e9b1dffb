"""Builds the archive of the header and uses it in projects: with FetchContent, with Conan, and with the vcpkg port."""
import os, re, shutil, subprocess, sys, tarfile, tempfile
from pathlib import Path
import support
from support import ROOT

CMAKE = sys.argv[1] if len(sys.argv) > 1 else "cmake"
LONG = bool(os.environ.get("TARE_TEST_LONG"))
REPOSITORY = ROOT.parent.parent
BENCH = '#include <tare.h>\nTARE_BENCH("one", [] { return 1; });\n'
FETCHED = """cmake_minimum_required(VERSION 3.16)
project(consumer CXX)
include(FetchContent)
FetchContent_Declare(tare {})
FetchContent_MakeAvailable(tare)
add_executable(bench bench.cpp)
target_link_libraries(bench PRIVATE tare::main)
"""
FOUND = """cmake_minimum_required(VERSION 3.16)
project(consumer CXX)
find_package(tare 0.1 REQUIRED)
add_executable(bench bench.cpp)
target_link_libraries(bench PRIVATE tare::main)
"""
# Imitates what vcpkg provides to a port, in plain CMake. vcpkg moves the package's files, but they work in place too.
VCPKG = """set(CURRENT_PACKAGES_DIR "{prefix}")
function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    execute_process(COMMAND "${{CMAKE_COMMAND}}" -S "${{arg_SOURCE_PATH}}" -B "{build}" "-DCMAKE_INSTALL_PREFIX={prefix}" ${{arg_OPTIONS}}
                    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_install)
    execute_process(COMMAND "${{CMAKE_COMMAND}}" --install "{build}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_config_fixup)
endfunction()
function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(COPY ${{arg_FILE_LIST}} DESTINATION "{prefix}/share/tare/copyright")
endfunction()
include("{port}/portfile.cmake")
"""


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def uses(folder, lists, *options):
    """Builds a project and lists its benchmark."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(lists)
    (folder / "bench.cpp").write_text(BENCH)
    run(CMAKE, "-S", folder, "-B", folder / "build", *options)
    run(CMAKE, "--build", folder / "build")
    assert run(folder / "build/bench", "--list") == "one\n"


def conan(unpacked, folder):
    """The recipe, if Conan is available or can be installed."""
    program = shutil.which("conan")
    if program is None and LONG:
        kept = support.PROGRAMS / "conan"
        program = kept / "bin" / "conan"
        if not program.exists():
            made = [subprocess.run(words, capture_output=True) for words in ([sys.executable, "-m", "venv", kept], [kept / "bin/pip", "install", "-q", "conan>=2,<3"])]
            program = program if all(done.returncode == 0 for done in made) else None
    if program is None:
        print("skipped: C++: the recipe of Conan: conan is not installed (TARE_TEST_LONG=1 tries pip)")
        return
    environment = dict(os.environ, CONAN_HOME=str(folder / "conan"))
    run(program, "profile", "detect", env=environment)
    run(program, "create", unpacked, env=environment)
    project = folder / "by-conan"
    run(program, "install", "--requires", f"tare/{VERSION}", "-g", "CMakeToolchain", "--output-folder", folder / "generated", env=environment)
    uses(project, FOUND, f"-DCMAKE_TOOLCHAIN_FILE={folder / 'generated/conan_toolchain.cmake'}", "-DCMAKE_BUILD_TYPE=Release")


VERSION = re.search('define TARE_VERSION "(.*)"', (ROOT / "include/tare.h").read_text()).group(1)
# Skip what has passed with the same files, compiler and tools.
wanted = [ROOT / "CMakeLists.txt", ROOT / "conanfile.py", ROOT / "vcpkg/portfile.cmake", REPOSITORY / "packaging/libraries.py"]
key = support.PROGRAMS / support.key_of(__file__, *wanted, run(CMAKE, "--version"), str(LONG), str(shutil.which("conan")))
if key.exists():
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    run(sys.executable, REPOSITORY / "packaging/build", "cpp", env=dict(os.environ, TARE_PACKAGES=str(folder / "packages")))
    archive = folder / f"packages/cpp/tare-cpp-{VERSION}.tar.gz"
    digest = Path(f"{archive}.sha256").read_text().split()[0]
    with tarfile.open(archive) as file:
        file.extractall(folder)
    unpacked = folder / f"tare-cpp-{VERSION}"
    for name in ("README.md", "LICENSE-MIT", "LICENSE-APACHE"):
        assert (unpacked / name).is_file(), name
    uses(folder / "by-archive", FETCHED.format(f'URL "file://{archive}" URL_HASH SHA256={digest}'))
    # From a tag of the repository, whose header is in a subfolder.
    if LONG:
        uses(folder / "by-git", FETCHED.format(f'GIT_REPOSITORY "file://{REPOSITORY}" GIT_TAG HEAD SOURCE_SUBDIR frontends/cpp'))
    prefix = folder / "vcpkg-prefix"
    (folder / "vcpkg.cmake").write_text(VCPKG.format(prefix=prefix, build=folder / "vcpkg-build", port=unpacked / "vcpkg"))
    run(CMAKE, "-P", folder / "vcpkg.cmake")
    assert (prefix / "share/tare/copyright/LICENSE-MIT").is_file()
    uses(folder / "by-vcpkg", FOUND, f"-DCMAKE_PREFIX_PATH={prefix}")
    conan(unpacked, folder)
if LONG:
    print("skipped: C++: vcpkg itself: its port was installed by CMake alone")
support.PROGRAMS.mkdir(parents=True, exist_ok=True)
key.touch()
