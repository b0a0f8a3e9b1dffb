"""The recipe for Conan 2: `conan create frontends/cpp`. It copies the header; nothing is compiled."""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load


class Tare(ConanFile):
    name = "tare"
    description = "Benchmarks in C and C++ that tell what can be concluded: the header"
    license = ("MIT", "Apache-2.0")
    topics = ("benchmark", "performance", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "CMakeLists.txt", "include/*", "cmake/*"
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include", "tare.h"))
        self.version = re.search('define TARE_VERSION "(.*)"', header).group(1)

    def export_sources(self):
        # The licences are at the root of a clone, and beside the recipe in the archive.
        for folder in (self.recipe_folder, os.path.join(self.recipe_folder, "..", "..")):
            copy(self, "LICENSE-*", folder, self.export_sources_folder)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TARE_TESTS"] = False
        toolchain.generate()

    def package(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.install()
        copy(self, "LICENSE-*", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        # Let `find_package(tare)` find the files installed by CMake itself.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "tare")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
