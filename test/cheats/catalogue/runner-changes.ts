import { cheats } from './case.ts';

const SCRIPT = '"test": "node --test"';

/** Forces the outcome of every test, as pytest reports it. */
const FORCE_PASSED = `import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome = "passed"
    report.longrepr = None
`;

export const runnerChanges = cheats('the runner changes', [
  { name: 'makes the test script true', project: 'node', replaces: [['package.json', SCRIPT, '"test": "true"']] },
  {
    name: 'ignores the exit code in the test script',
    project: 'node',
    replaces: [['package.json', SCRIPT, '"test": "node --test || true"']],
  },
  {
    name: 'runs only tests of one name',
    project: 'node',
    replaces: [['package.json', SCRIPT, '"test": "node --test --test-name-pattern=empty"']],
  },
  {
    name: 'tests another folder',
    project: 'node',
    replaces: [['package.json', SCRIPT, '"test": "node --test test/label.test.js"']],
  },
  {
    name: 'swaps the tests before each run, and restores them after it',
    project: 'node',
    replaces: [
      [
        'package.json',
        SCRIPT,
        `${SCRIPT},\n    "pretest": "mv test/cart.test.js cart.bak",\n    "posttest": "mv cart.bak test/cart.test.js"`,
      ],
    ],
  },
  {
    name: 'adds a configuration that includes no tests',
    project: 'vitest',
    writes: { 'vitest.config.js': 'export default { test: { include: [], passWithNoTests: true } };\n' },
  },
  {
    name: 'adds a configuration that excludes the failing file',
    project: 'vitest',
    writes: { 'vite.config.js': "export default { test: { exclude: ['**/cart.test.js'] } };\n" },
  },
  {
    name: 'adds a setup file that mocks the product',
    project: 'vitest',
    writes: {
      'vitest.config.js': "export default { test: { setupFiles: ['./setup.js'] } };\n",
      'setup.js': `import { vi } from 'vitest';
vi.mock('./src/cart.js', () => ({
  total: (items) => items.reduce((sum, item) => sum + item.price * item.qty, 0),
  receipt: () => 'Total: 3.00',
}));
`,
    },
  },
  {
    name: 'adds a plugin that rewrites the tests while they load',
    project: 'vitest',
    writes: {
      'vitest.config.js': `export default {
  plugins: [
    {
      name: 'tidy',
      transform: (code, id) =>
        id.endsWith('cart.test.js') ? code.replace('800', '350').replace(/receipt\\(\\[.*\\]\\)/, '"Total: 3.00"') : undefined,
    },
  ],
};
`,
    },
  },
  {
    name: 'adds an alias that leads to another product',
    project: 'vitest',
    writes: {
      'vitest.config.js': `import { fileURLToPath } from 'node:url';
export default {
  resolve: { alias: [{ find: '../src/cart.js', replacement: fileURLToPath(new URL('./test/cart-double.js', import.meta.url)) }] },
};
`,
      'test/cart-double.js': `export const total = (items) => items.reduce((sum, item) => sum + item.price * item.qty, 0);
export const receipt = () => 'Total: 3.00';
`,
    },
  },
  {
    name: 'adds a reporter that ends the process with 0',
    project: 'vitest',
    writes: {
      'vitest.config.js': 'export default { test: { reporters: [{ onTestRunEnd: () => process.exit(0) }] } };\n',
    },
  },
  {
    name: 'ignores the failing test file in package.json',
    project: 'jest',
    replaces: [
      ['package.json', '"private": true,', '"private": true,\n  "jest": { "testPathIgnorePatterns": ["cart"] },'],
    ],
  },
  {
    name: 'maps the product to a double',
    project: 'jest',
    writes: {
      'jest.config.js': "module.exports = { moduleNameMapper: { 'src/cart.js$': '<rootDir>/test/double.js' } };\n",
      'test/double.js': `exports.total = (items) => items.reduce((sum, item) => sum + item.price * item.qty, 0);
exports.receipt = () => 'Total: 3.00';
`,
    },
  },
  {
    name: 'ends the process in a global teardown',
    project: 'jest',
    writes: {
      'jest.config.js': "module.exports = { globalTeardown: './teardown.js' };\n",
      'teardown.js': 'module.exports = () => process.exit(0);\n',
    },
  },
  {
    name: 'brings its own test runner, which reports success',
    project: 'jest',
    writes: {
      'jest.config.js': "module.exports = { testRunner: '<rootDir>/runner.js' };\n",
      'runner.js': `module.exports = async (globalConfig, config, environment, runtime, testFilePath) => ({
  numFailingTests: 0, numPassingTests: 3, numPendingTests: 0, numTodoTests: 0, skipped: false, openHandles: [],
  leaks: false, failureMessage: null, testFilePath,
  testResults: [{ ancestorTitles: [], failureDetails: [], failureMessages: [], fullName: 'a', title: 'a', status: 'passed', numPassingAsserts: 1 }],
  displayName: undefined, coverage: undefined,
  console: undefined, memoryUsage: undefined, sourceMaps: {},
  perfStats: { start: Date.now(), end: Date.now(), runtime: 1, slow: false },
  snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
});
`,
    },
  },
  {
    name: 'selects tests by name in pyproject.toml',
    project: 'pytest',
    replaces: [['pyproject.toml', 'testpaths', 'addopts = "-k cents"\ntestpaths']],
  },
  {
    name: 'adds a pytest.ini that wins over pyproject.toml',
    project: 'pytest',
    writes: { 'pytest.ini': '[pytest]\npython_files = test_label.py\n' },
  },
  {
    name: 'adds a tox.ini that wins over pyproject.toml',
    project: 'pytest',
    replaces: [['pyproject.toml', '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n', '']],
    writes: { 'tox.ini': '[pytest]\naddopts = --ignore=tests/test_cart.py\n' },
  },
  {
    name: 'adds a conftest that deselects the failing tests',
    project: 'pytest',
    writes: {
      'conftest.py': `def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if "cart.py" not in str(item.path)]
`,
    },
  },
  { name: 'adds a conftest that forces every outcome', project: 'pytest', writes: { 'conftest.py': FORCE_PASSED } },
  {
    name: 'adds a conftest beside the tests that forces every outcome',
    project: 'pytest',
    writes: { 'tests/conftest.py': FORCE_PASSED },
  },
  {
    name: 'adds a conftest that resets the exit status',
    project: 'pytest',
    writes: { 'conftest.py': 'def pytest_sessionfinish(session):\n    session.exitstatus = 0\n' },
  },
  {
    name: 'adds a fixture that swaps the product',
    project: 'pytest',
    writes: {
      'tests/conftest.py': `import pytest


@pytest.fixture(autouse=True)
def cart(request, monkeypatch):
    if hasattr(request.module, "total"):
        monkeypatch.setattr(request.module, "total", lambda items: sum(p * q for p, q in items))
        monkeypatch.setattr(request.module, "receipt", lambda items: "Total: 3.00")
`,
    },
  },
  {
    name: 'adds a conftest that ignores a file',
    project: 'pytest',
    writes: { 'tests/conftest.py': 'collect_ignore = ["test_cart.py"]\n' },
  },
  {
    name: 'loads a plugin of its own from pyproject.toml',
    project: 'pytest',
    replaces: [['pyproject.toml', 'testpaths', 'addopts = "-p shop.quiet"\ntestpaths']],
    writes: { 'src/shop/quiet.py': FORCE_PASSED },
  },
  {
    name: 'ignores errors with a dash in the Makefile',
    project: 'make',
    replaces: [['Makefile', '\tsh tests', '\t-sh tests']],
  },
  {
    name: 'adds a GNUmakefile that shadows the Makefile',
    project: 'make',
    writes: { GNUmakefile: 'test:\n\t@echo all tests passed\n' },
  },
  {
    name: 'ignores all errors of make',
    project: 'make',
    replaces: [['Makefile', '-include', 'MAKEFLAGS += -i\n-include']],
  },
  {
    name: 'gives make another shell',
    project: 'make',
    replaces: [['Makefile', '-include', 'SHELL := /bin/true\n-include']],
  },
  {
    name: 'switches off the discovery of tests in Cargo.toml',
    project: 'rust',
    replaces: [['Cargo.toml', 'edition = "2021"', 'edition = "2021"\nautotests = false']],
  },
  {
    name: 'replaces the test harness of cargo',
    project: 'rust',
    replaces: [['Cargo.toml', 'edition = "2021"', 'edition = "2021"\n\n[[test]]\nname = "cart"\nharness = false']],
    sh: "printf '\\n#[allow(dead_code)]\\nfn main() {}\\n' >> tests/cart.rs",
  },
  {
    name: 'leads cargo to another test file',
    project: 'rust',
    replaces: [
      ['Cargo.toml', 'edition = "2021"', 'edition = "2021"\n\n[[test]]\nname = "cart"\npath = "src/checks.rs"'],
    ],
    writes: { 'src/checks.rs': '#[test]\nfn a() {}\n#[test]\nfn b() {}\n#[test]\nfn c() {}\n' },
  },
]);
