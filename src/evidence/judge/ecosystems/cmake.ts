import type { Ecosystem } from '../ecosystem.ts';

const CODE = '{c,cc,cpp,cxx,h,hh,hpp,m,mm}';

/** C and C++: cmake, ctest, meson. */
export const CMAKE: Ecosystem = {
  name: 'cmake',
  files: [
    {
      glob: `**/{*_test,*_tests,*_unittest,test_*,*Test,*Tests}.${CODE}`,
      role: 'test',
      except: ['**/{src,include}/test_*'],
    },
    { glob: `**/{test,tests}.${CODE}`, role: 'test' },
    { glob: '**/{unittest,unittests,gtest,googletest}/**', role: 'test', except: ['**/*.py', '**/*.{txt,md}'] },
    {
      glob: '**/{CMakeLists.txt,*.cmake,CMakePresets.json,CMakeUserPresets.json}',
      role: 'config',
      when: ['cmake', 'ctest', 'ninja'],
    },
    { glob: '**/{CTestConfig.cmake,CTestCustom.cmake,DartConfiguration.tcl,.ctest}', role: 'config' },
    { glob: '**/{meson.build,meson.options,meson_options.txt}', role: 'config', when: ['meson', 'ninja'] },
    { glob: '**/{.clang-tidy,.clang-format,.gcovr.cfg,gcovr.cfg,.lcovrc,.valgrindrc}', role: 'config' },
    {
      glob: '**/{BUILD,BUILD.bazel,WORKSPACE,WORKSPACE.bazel,MODULE.bazel,.bazelrc}',
      role: 'config',
      when: ['bazel', 'bazelisk'],
    },
  ],
  parts: [],
  home: ['.ctestrc', '.gdbinit', '.lcovrc', '.valgrindrc', '.bazelrc', '.config/meson/**', '.cmake/**'],
  above: ['.bazelrc', '{WORKSPACE,WORKSPACE.bazel,MODULE.bazel}', '.clang-{format,tidy}'],
  environment: [
    'CTEST_*',
    'CMAKE_*',
    'CC',
    'CXX',
    'CFLAGS',
    'CXXFLAGS',
    'CPPFLAGS',
    'LDFLAGS',
    'CPATH',
    'C_INCLUDE_PATH',
    'CPLUS_INCLUDE_PATH',
    'LIBRARY_PATH',
    'GTEST_*',
    'ASAN_OPTIONS',
    'UBSAN_OPTIONS',
    'TSAN_OPTIONS',
    'MESON_*',
    'BAZEL_*',
    'GCC_*',
    'COMPILER_PATH',
  ],
  dependencies: [],
  generated: [
    '**/CMakeFiles/**',
    '**/CMakeCache.txt',
    '**/Testing/{Temporary,TAG}',
    '**/{CTestTestfile.cmake,cmake_install.cmake,.ninja_log,.ninja_deps,LastTest.log}',
    '**/*.{gcda,gcno,gcov}',
    '**/{meson-logs,meson-private,meson-info}/**',
    '**/bazel-{bin,out,testlogs}/**',
  ],
  interpreters: [],
  runners: [],
  wrappers: [],
};
