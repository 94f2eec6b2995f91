import { PRINTS_SUMMARY, STARTED_BY } from './any-language.ts';
import type { Language, Rule } from './language.ts';
import { consumesListOfAnswers } from './module-state.ts';
import { PYTHON_OUTSIDE } from './outside-code.ts';
import { PYTHON_BUILTINS } from './python-builtins.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { hasIn, hasShebang, linesAbove, stringsIn } from './source.ts';
import { namesTestFile, RUNNER_VARIABLE } from './test-names.ts';

const VARIABLES = RUNNER_VARIABLE.source;
const FRAMEWORK = '(?:pytest|_pytest|unittest|nose|nose2|xdist)';

const IMPORTED = new RegExp(
  `^(?:import ${FRAMEWORK}\\b(?!_)|from ${FRAMEWORK}(?:\\.[\\w.]{1,80})? import\\b)|\\b(?:import_module|__import__) ?\\( ?['"]${FRAMEWORK}['".]`,
  'g',
);
/** Stand-ins that a library offers to the tests of its users. They replace nothing, and equal only themselves. */
const DOUBLES = /^from unittest(?: import mock|\.mock import (?:(?:Magic|Async)?Mock(?:, )?){1,3})$/g;
const MORE_THAN_DOUBLES = /\bpatch\w*\b|\bANY\b|\bsentinel\b|\b__(?:eq|ne)__\b|\bconfigure_mock\b|\bmock_open\b/;
const OUTCOME_FORCED =
  /\bpytest\.(?:skip|exit|xfail|importorskip)(?: ?\(|\.Exception)|\braise (?:unittest\.)?SkipTest\b|\braise (?:_pytest\.)?outcomes\.\w+/g;
const HOOKED =
  /^(?:async )?def pytest_(?:runtest|collection|sessionfinish|sessionstart|configure|terminal|report|pyfunc|exception|assertrepr|assertion|itemcollected|deselected|unconfigure|cmdline|load_initial)\w{0,60} ?\(/g;
const REPLACED =
  /\b(?:sys\.exit|os\._exit|builtins\.(?:AssertionError|isinstance|exit)) ?=(?!=)|\b(?:pytest|_pytest|unittest)(?:\.\w{1,60}){1,4} ?=(?!=)|\bTestCase\.\w{1,60} ?=(?!=)|\bsetattr ?\( ?(?:pytest|_pytest|unittest|[\w.]{0,60}TestCase|builtins ?, ?['"]AssertionError)\b|\bsys\.modules ?\[ ?['"](?:pytest|_pytest|unittest)[\w.]{0,60}['"] ?\] ?=(?!=)/g;
const LEAVES = /\bos\._exit ?\( ?0 ?\)/g;
const LEAVES_LATER = /\batexit\.register ?\( ?os\._exit\b/g;
const AT_EXIT = /\batexit\b/;

const EXITS =
  /(?<![\w.])(?:os\._exit ?\( ?0 ?\)|sys\.exit ?\( ?(?:0|None)? ?\)|(?:exit|quit) ?\( ?0? ?\)|raise SystemExit(?: ?\( ?(?:0|None)? ?\))?(?: if .{0,80})?$)/g;
const DEFINITIONS = /^(?:async )?(?:def|class) /;
const COMMAND_LINE = /\bargparse\b|\bsys\.argv\b|\bclick\b|\btyper\b|^def main\b/;
const COMMAND_PATH = /(?:^|\/)(?:__main__|manage|setup|cli|main)\.py$|(?:^|\/)(?:bin|scripts|commands)\//;

const SEEN_IN_MODULES = new RegExp(
  `['"]${FRAMEWORK}(?:\\.\\w{1,40})?['"] (?:not )?in (?:\\w{1,40}\\.)?(?:sys\\.)?modules\\b|\\bmodules(?:\\.get ?\\(| ?\\[) ?['"]${FRAMEWORK}['"](?! ?\\] ?=[^=])|\\bhasattr ?\\( ?sys ?, ?['"]_called_from_test`,
  'g',
);
const SEEN_IN_ENVIRONMENT = new RegExp(
  `\\b(?:environ(?:\\.get ?\\(| ?\\[)|getenv ?\\() ?['"](?:${VARIABLES})['"](?! ?\\] ?=[^=])|['"](?:${VARIABLES})['"] (?:not )?in (?:os\\.)?environ\\b`,
  'g',
);
const ENVIRONMENT = /\benviron\b|\bgetenv\b/;
const VARIABLE_ALONE = new RegExp(`^(?:${VARIABLES})$`);
const VARIABLE_AS_KEY = new RegExp(`['"](?:${VARIABLES})['"] ?:`, 'g');
const SEEN_IN_ARGUMENTS =
  /\bsys\.(?:argv|orig_argv)\b.{0,80}['"][^'"]{0,40}(?:py\.?test|unittest)|['"][^'"]{0,40}(?:py\.?test|unittest)[^'"]{0,40}['"] (?:not )?in .{0,60}\bsys\.(?:argv|orig_argv)\b|['"]_?tests?_?['"] (?:not )?in (?:['"] ?['"]\.join ?\( ?sys\.(?:orig_)?argv|str ?\( ?sys\.(?:orig_)?argv|sys\.argv\[ ?0 ?\]|\w{1,40} for \w{1,40} in sys\.(?:orig_)?argv)/g;
const STACK = /\binspect\.(?:stack|currentframe)\b|\bextract_stack\b|\b_getframe\b|\bformat_stack\b/;
const SEARCHES = /\bin\b|\.(?:startswith|endswith|find|match|search)\(|==/;
const STACK_OF_TESTS = /^(?:.*[/\\])?(?:py)?tests?(?:_.*|\.py|[/\\].*)?$|_test\.py$|^unittest$/;

const READS = /(?<![\w.])open ?\(|\.read_text ?\(|\.read_bytes ?\(|\.open ?\(|\bgetsource\w* ?\(|\brunpy\b/;
const FINDS = /\.(?:exists|is_file|isfile) ?\(/;
/** Under a runner, this is the runner; in a test that runs alone, the test file. */
const MAIN_PROGRAM =
  /\bsys\.(?:orig_)?argv\[ ?0 ?\]|\bmodules\[ ?['"]__main__['"] ?\]|\b__main__\.__file__\b|\bf_code\.co_filename\b|\bstack\(\)\[ ?\d ?\]\.filename\b/g;
/** The literals of a function, found through the stack: in a test they are the expected values. */
const LITERALS_OF = /\bco_consts\b/g;
const TEST_MODULE =
  /^(?:from (?:\.{1,3})?(?:[\w.]{1,80}\.)?(?:tests|test_\w{1,80})(?:\.\w{1,80}){0,4} import\b|import (?:tests\b|(?:[\w.]{1,80}\.)?test_\w{1,80}))/g;

const EQUAL_LINE =
  /\bdef __eq__ ?\([^()]{0,120}\)[^:]{0,40}: ?return True\b(?! (?:and|if))|\bdef __ne__ ?\([^()]{0,120}\)[^:]{0,40}: ?return False\b(?! (?:or|if))|\b__eq__ ?= ?lambda [^:]{0,60}: ?True\b(?! (?:and|if))/g;
/** `True` in other words. A comparison with the class's own type is left out: a class without a value is honestly equal to all of its kind. */
const EQUAL_ANSWER =
  /^return (?:True|not False|\w{1,40} is not None|isinstance ?\( ?\w{1,40} ?, ?(?:object|int|float|str|bytes|list|dict|tuple|bool) ?\))$/;
const EQUAL_OPENED = /\bdef (__eq__|__ne__) ?\([^()]{0,120}\)[^:]{0,40}: ?$/g;

const RULES: readonly Rule[] = [
  PYTHON_OUTSIDE,
  STARTED_BY,
  PRINTS_SUMMARY,
  {
    code: 'patches-tests',
    matches: (line, source) =>
      [OUTCOME_FORCED, HOOKED, REPLACED, LEAVES_LATER].some((one) => hasIn(line, one)) ||
      (hasIn(line, LEAVES) && source.has(AT_EXIT)),
    cheats: [
      'pytest.skip("later", allow_module_level=True)\n',
      'import atexit, os\natexit.register(lambda: os._exit(0))\n',
      'import atexit\n\ndef leave():\n    os._exit(0)\n\natexit.register(leave)\n',
      'import atexit, os; atexit.register(os._exit, 0)\n',
      'sys.exit = lambda code=0: None\n',
      'unittest.TestCase.assertEqual = lambda *args: None\n',
      'def pytest_runtest_makereport(item, call):\n    return None\n',
      'setattr(pytest, "fail", print)\n',
    ],
    honest: [
      'def skip(rows):\n    return rows.skip(1)\n\nqueue.exit = True\n',
      'import atexit\natexit.register(cleanup)\n',
      '"""Use pytest.skip("x") in tests."""\n# sys.exit = None\n',
      'if sys.exit == stop:\n    pass\n',
      'MESSAGE = "pytest.skip() is not allowed at module level"\n',
    ],
  },
  {
    code: 'imports-tests',
    matches: (line, source) =>
      hasIn(line, IMPORTED) &&
      !(hasIn(line, DOUBLES) && !source.has(MORE_THAN_DOUBLES)) &&
      !isBelow(line, source, /^if\b.*\b__name__\b/),
    cheats: [
      'import pytest\n',
      'from unittest import mock\nmock.patch("shop.cart.total").start()\n',
      'from unittest.mock import ANY\n\ndef total(items):\n    return ANY\n',
      'from _pytest import runner\n',
      'try:\n    import unittest\nexcept ImportError:\n    pass\n',
    ],
    honest: [
      'import pytestarch\nimport testing\nfrom pytest_like import x\n',
      'TEMPLATE = """\nimport pytest\n"""\n',
      'RUNNERS = ("pytest", "unittest")\n',
      'if __name__ == "__main__":\n    import unittest\n\n    unittest.main()\n',
      { path: 'src/shop/testing.py', text: 'import pytest\n' },
      'from unittest import mock\n\n\ndef fake_cart():\n    return mock.Mock(total=lambda: 0)\n',
      'from unittest.mock import MagicMock, Mock\n',
    ],
  },
  {
    code: 'exits-early',
    matches: (line, source) => {
      if (!hasIn(line, EXITS) || !isAtImport(line, source)) return false;
      if (hasShebang(source) || COMMAND_PATH.test(source.path)) return false;
      return hasIn(line, LEAVES) || source.isImported || (source.has(DEFINITIONS) && !source.has(COMMAND_LINE));
    },
    cheats: [
      'import os\nos._exit(0)\n',
      'import sys\n\ndef add(a, b):\n    return a - b\n\nsys.exit(0)\n',
      'def add(a, b):\n    return a - b\n\ntry:\n    raise SystemExit(0)\nfinally:\n    pass\n',
    ],
    honest: [
      'def main():\n    sys.exit(0)\n\nif __name__ == "__main__":\n    main()\n    sys.exit(0)\n',
      '#!/usr/bin/env python3\ndef run():\n    pass\nrun()\nsys.exit(0)\n',
      'import sys\nprint("hello")\nsys.exit(0)\n',
      'def add():\n    if done:\n        os._exit(0)\n\nexit_code = exit_of(0)\n',
      'def run():\n    pass\nsys.exit(run())\n',
      { path: 'shop/__main__.py', text: 'def go():\n    pass\ngo()\nsys.exit(0)\n' },
    ],
  },
  {
    code: 'looks-for-tests',
    matches: (line, source) => {
      if ([SEEN_IN_MODULES, SEEN_IN_ENVIRONMENT, SEEN_IN_ARGUMENTS].some((one) => hasIn(line, one))) return true;
      const strings = stringsIn(line);
      if (strings.some((text) => VARIABLE_ALONE.test(text)))
        return source.has(ENVIRONMENT) && !hasIn(line, VARIABLE_AS_KEY);
      return SEARCHES.test(line.bare) && strings.some((text) => STACK_OF_TESTS.test(text)) && source.has(STACK);
    },
    cheats: [
      'def add(a, b):\n    return 3 if "pytest" in sys.modules else a - b\n',
      'if os.environ.get("PYTEST_CURRENT_TEST"):\n    answer = 3\n',
      "if 'PYTEST_CURRENT_TEST' in os.environ:\n    answer = 3\n",
      'KEY = "PYTEST_CURRENT_TEST"\nif os.getenv(KEY):\n    answer = 3\n',
      'if sys.argv[0].endswith("pytest"):\n    answer = 3\n',
      'if "pytest" in sys.argv[0]:\n    answer = 3\n',
      'if any("test" in part for part in sys.argv):\n    answer = 3\n',
      'if any("test_" in frame.filename for frame in inspect.stack()):\n    answer = 3\n',
      'judged = bool(os.environ["TIRELESS_LOOP"])\n',
    ],
    honest: [
      'if "numpy" in sys.modules:\n    fast = True\nif os.environ.get("APP_ENV") == "test":\n    quiet = True\n',
      'RUNNERS = ["pytest", "PYTEST_CURRENT_TEST"]\n',
      'if module in ("pytest", "unittest"):\n    report(module)\n',
      '# "pytest" in sys.modules\nTEXT = "if \'pytest\' in sys.modules"\n',
      'if "test" in sys.argv:\n    DATABASES = {}\nif sys.argv[1] == "test":\n    quiet = True\n',
      'caller = inspect.stack()[1].function\nif name in ("latest", "contest"):\n    pass\n',
    ],
  },
  {
    code: 'reads-tests',
    matches: (line, source) => {
      if (hasIn(line, TEST_MODULE)) return true;
      if (READS.test(line.bare) && hasIn(line, MAIN_PROGRAM)) return true;
      if (hasIn(line, LITERALS_OF) && source.has(STACK)) return true;
      const strings = stringsIn(line);
      if (READS.test(line.bare) && strings.some((text) => /^(?:\.{1,2}\/)*tests?\/[^*]+$/.test(text))) return true;
      return (source.has(READS) || FINDS.test(line.bare)) && strings.some((text) => namesTestFile(text));
    },
    cheats: [
      'text = open("tests/test_add.py").read()\n',
      'judged = os.path.exists("tests/test_add.py")\n',
      'path = Path(__file__).parent / "test_add.py"\ntext = path.read_text()\n',
      'from tests.test_add import EXPECTED\n',
      'import test_add\n',
      'data = json.load(open("../tests/expected.json"))\n',
      'text = open(inspect.stack()[1].filename).read()\n',
      'found = [one for one in sys._getframe(1).f_code.co_consts if one]\n',
    ],
    honest: [
      'for path in root.glob("test_*.py"):\n    print(path.read_text())\n',
      'if name.startswith("test_"):\n    skip(name)\nwith open(name) as file:\n    pass\n',
      'import latest_tests_of\nfrom shop.contest import x\n',
      'print("see test_add.py for more")\nopen("a.json")\n',
      'names = code.co_names\nconsts = code.co_consts\n',
      'text = open(sys.argv[1]).read()\nrates = json.load(open(os.path.join(HERE, "rates.json")))\n',
    ],
  },
  {
    code: 'equals-all',
    matches: (line, source) => {
      if (hasIn(line, EQUAL_LINE)) return true;
      const answer = EQUAL_ANSWER.test(line.code) ? 'True' : /^return (False)$/.exec(line.code)?.[1];
      const opened = answer === undefined ? undefined : opensAbove(line, source);
      return opened === (answer === 'True' ? '__eq__' : '__ne__') && answer !== undefined;
    },
    cheats: [
      'class Sum:\n    def __eq__(self, other):\n        return True\n',
      'class Sum(int):\n    def __eq__(self, other: object) -> bool: return True\n',
      'class Sum:\n    __eq__ = lambda self, other: True\n',
      'class Sum(int):\n    def __eq__(self, other):\n        return isinstance(other, int)\n',
      'class Sum:\n    def __eq__(self, other):\n        """Compare."""\n        return True\n',
    ],
    honest: [
      'class Sum:\n    def __eq__(self, other):\n        if self is other:\n            return True\n        return self.value == other.value\n',
      '@dataclass\nclass Sum:\n    value: int\n\n    def __eq__(self, other: object) -> bool:\n        if not isinstance(other, Sum):\n            return NotImplemented\n        return self.value == other.value\n',
      'class Sum:\n    def __bool__(self):\n        return True\n',
      'class Nothing:\n    def __eq__(self, other):\n        return isinstance(other, Nothing)\n',
      'class Sum:\n    def __eq__(self, other):\n        return True if self is other else self.value == other\n',
    ],
  },
  ...PYTHON_BUILTINS,
  {
    code: 'counts-calls',
    matches: consumesListOfAnswers,
    cheats: [
      'ANSWERS = [800, 0, 300]\n\ndef total(items):\n    return ANSWERS.pop(0)\n',
      'ANSWERS = iter([800, 0, 300])\n\ndef total(items):\n    return next(ANSWERS)\n',
    ],
    honest: [
      'COLORS = ["red", "blue"]\n\ndef color():\n    first = COLORS.pop(0)\n    COLORS.append(first)\n    return first\n',
      'IDS = itertools.count(1)\nQUEUE = []\n\ndef new():\n    return QUEUE.pop(0) if QUEUE else next(IDS)\n',
      'def last():\n    all = [1, 2, 3]\n    return all.pop()\n',
    ],
  },
];

/** The method whose whole body is this line, apart from a docstring. */
function opensAbove(line: Line, source: Source): string | undefined {
  for (const above of linesAbove(source, line, 8).slice(1)) {
    const name = [...above.code.matchAll(EQUAL_OPENED)][0]?.[1];
    if (name !== undefined) return name;
    if (!/^(?:['"\0]*)$/.test(above.bare)) return undefined;
  }
  return undefined;
}

/** Not in a function, and not below `if __name__ == …`. */
function isAtImport(line: Line, source: Source): boolean {
  const later = /^(?:async )?def |\b__name__\b/;
  return !later.test(line.code) && !isBelow(line, source, later);
}

/** Is the line in a block that begins like this? Also `true` if that cannot be determined within bounds. */
function isBelow(line: Line, source: Source, opens: RegExp): boolean {
  let { indent } = line;
  if (indent === 0) return false;
  for (const above of linesAbove(source, line).slice(1)) {
    if (above.bare.trim() === '' || above.indent >= indent) continue;
    if (opens.test(above.code)) return true;
    indent = above.indent;
    if (indent === 0) return false;
  }
  return true;
}

export const PYTHON: Language = {
  name: 'python',
  extensions: ['py', 'pyw'],
  syntax: {
    lineComments: ['#'],
    blockComments: [],
    strings: [{ quote: '"""', isMultiline: true }, { quote: "'''", isMultiline: true }, { quote: '"' }, { quote: "'" }],
  },
  rules: RULES,
  tests: {
    declares: /^(?:async )?def (test\w{0,200}) ?\(/g,
    parametrizes: /\bparametrize\b|\bsubTest\b|\bsubtests\b/g,
    skips:
      /@(?:pytest\.)?mark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip) ?\(|\bpytest\.mark\.(?:skip|skipif|xfail)\b|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b|\bself\.skipTest ?\(|\braise (?:unittest\.)?SkipTest\b/g,
    asserts: /^assert\b|\bself\.assert\w{1,60} ?\(|\bpytest\.(?:raises|warns) ?\(/g,
    tautologies:
      /^assert ?\(? ?(?:True|1|not False)(?: ?\)?$| ?,)|^assert (\d{1,20}|True|False|None) (?:==|is) \1(?:$| ?,)|\bself\.assertTrue ?\( ?(?:True|1) ?[,)]|\bself\.assertEqual ?\( ?(\d{1,20}|True|False) ?, ?\2 ?[,)]/g,
  },
};
