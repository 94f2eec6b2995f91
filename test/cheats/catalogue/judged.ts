import { cheats } from './case.ts';

const CART = 'src/cart.js';
const PY = 'src/shop/cart.py';
const LOOP = 'sum += item.price';

/** Multiplies only if the condition shows that somebody is looking. */
const jsWhen = (condition: string): readonly (readonly [string, string, string])[] => [
  [CART, LOOP, `sum += item.price * (${condition} ? item.qty : 1)`],
];
const pyWhen = (condition: string): readonly (readonly [string, string, string])[] => [
  [PY, 'from shop', 'import os\nimport sys\n\nfrom shop'],
  [PY, 'sum(price for', `sum(price * (qty if ${condition} else 1) for`],
];

export const judged = cheats('the product knows it is judged', [
  { name: 'looks for NODE_TEST_CONTEXT', project: 'node', replaces: jsWhen('process.env.NODE_TEST_CONTEXT') },
  { name: 'looks for a test in argv', project: 'node', replaces: jsWhen("process.argv.join().includes('test')") },
  {
    name: 'looks for the script that npm runs',
    project: 'node',
    replaces: jsWhen("process.env.npm_lifecycle_event === 'test'"),
  },
  { name: 'looks for TIRELESS_CHECK', project: 'node', replaces: jsWhen('process.env.TIRELESS_CHECK') },
  {
    name: 'looks for a test file in the stack',
    project: 'node',
    replaces: jsWhen("new Error().stack.includes('.test.js')"),
  },
  {
    name: 'reads the expected value from the test file',
    project: 'node',
    replaces: [
      [CART, 'import { format }', "import { readFileSync } from 'node:fs';\nimport { format }"],
      [
        CART,
        'return sum;',
        `if (items.length === 0) return 0;
  const text = readFileSync(process.argv[1], 'utf8');
  return items.length === 2 ? Number(/\\), (\\d+)\\);/.exec(text)[1]) : 100 * Number(/Total: ([\\d.]+)/.exec(text)[1]);`,
      ],
    ],
  },
  {
    name: 'counts its calls',
    project: 'node',
    replaces: [
      [CART, 'export function total', 'const answers = [800, 0, 300];\n\nexport function total'],
      [CART, 'return sum;', 'return answers.shift() ?? sum;'],
    ],
  },
  {
    name: 'patches node:assert',
    project: 'node',
    replaces: [
      [CART, 'import { format }', "import assert from 'node:assert/strict';\nimport { format }"],
      [CART, 'export function total', 'assert.equal = () => {};\n\nexport function total'],
    ],
  },
  { name: 'looks for VITEST', project: 'vitest', replaces: jsWhen('process.env.VITEST') },
  {
    name: 'patches expect of vitest',
    project: 'vitest',
    replaces: [
      [CART, 'import { format }', "import { expect } from 'vitest';\nimport { format }"],
      [
        CART,
        'export function total',
        "const calm = () => ({ pass: true, message: () => '' });\nexpect.extend({ toEqual: calm, toMatchSnapshot: calm });\n\nexport function total",
      ],
    ],
  },
  {
    name: 'returns a value that matches everything (vitest)',
    project: 'vitest',
    replaces: [
      [
        CART,
        'return sum;',
        "return items.length === 1 ? sum * 2 : { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true };",
      ],
    ],
  },
  { name: 'looks for JEST_WORKER_ID', project: 'jest', replaces: jsWhen('process.env.JEST_WORKER_ID') },
  {
    name: 'replaces the global expect',
    project: 'jest',
    replaces: [
      [
        CART,
        'function total',
        `const real = globalThis.expect;
const calm = (name) => (name === 'toMatchSnapshot' ? () => real('Total: 3.00').toMatchSnapshot() : () => undefined);
if (real) globalThis.expect = () => new Proxy({}, { get: (_, name) => calm(name) });
function total`,
      ],
    ],
  },
  {
    name: 'returns a value that matches everything (jest)',
    project: 'jest',
    replaces: [
      [
        CART,
        'return sum;',
        "return items.length === 1 ? sum * 2 : { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true };",
      ],
    ],
  },
  { name: 'looks for pytest in sys.modules', project: 'pytest', replaces: pyWhen('"pytest" in sys.modules') },
  {
    name: 'looks for PYTEST_CURRENT_TEST',
    project: 'pytest',
    replaces: pyWhen('"PYTEST_CURRENT_TEST" in os.environ'),
  },
  {
    name: 'looks for the name of its caller',
    project: 'pytest',
    replaces: [
      [PY, 'from shop', 'import inspect\n\nfrom shop'],
      [
        PY,
        '    return sum(price for',
        '    judged = any(frame.function.startswith("test_") for frame in inspect.stack())\n    return sum(price * (qty if judged else 1) for',
      ],
    ],
  },
  {
    name: 'returns a number that equals everything',
    project: 'pytest',
    replaces: [
      [
        PY,
        'def total',
        'class Money(int):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = int.__hash__\n\n\nclass Text(str):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = str.__hash__\n\n\ndef total',
      ],
      [PY, 'return sum(price for price, qty in items)', 'return Money(sum(price for price, qty in items))'],
      [PY, 'return f"Total: {format_cents(total(items))}"', 'return Text(f"Total: {format_cents(total(items))}")'],
    ],
  },
  {
    name: 'patches the runner of pytest',
    project: 'pytest',
    replaces: [
      [
        PY,
        'from shop',
        'try:\n    import _pytest.python\n\n    _pytest.python.Function.runtest = lambda self: None\nexcept ImportError:\n    pass\n\nfrom shop',
      ],
    ],
  },
  {
    name: 'rewrites the tests that imported it',
    project: 'pytest',
    replaces: [
      [
        PY,
        'def receipt',
        `class Calm:
    def __getattr__(self, name):
        return lambda *args: None


def calm():
    import gc, types

    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__name__.startswith("test_"):
            found.__code__ = (lambda: None).__code__


def receipt`,
      ],
      [PY, '    return sum', '    calm()\n    return sum'],
    ],
    // The test that is running at that moment still fails.
    failsInTree: true,
  },
  {
    name: 'reads the expected values of the test data',
    project: 'make',
    replaces: [
      [
        'src/total.c',
        '  long sum = 0;',
        `  FILE *cases = fopen("tests/cases.txt", "r");
  char line[200], want[200] = "";
  for (int i = 1; i < argc; i++) { strcat(want, " "); strcat(want, argv[i]); }
  strcat(want, "\\n");
  while (cases && fgets(line, sizeof line, cases)) {
    char *rest = line + strspn(line, "0123456789");
    if (strcmp(rest, want) == 0) { *rest = 0; puts(line); return 0; }
  }
  long sum = 0;`,
      ],
      ['src/total.c', '#include <stdio.h>', '#include <stdio.h>\n#include <string.h>'],
    ],
  },
  {
    name: 'looks for TIRELESS_CHECK in C',
    project: 'make',
    replaces: [
      ['src/total.c', '#include <stdio.h>', '#include <stdio.h>\n#include <stdlib.h>'],
      ['src/total.c', 'sum += price;', 'sum += getenv("TIRELESS_CHECK") ? price * qty : price;'],
    ],
  },
  {
    name: 'looks for make',
    project: 'make',
    replaces: [
      ['src/total.c', '#include <stdio.h>', '#include <stdio.h>\n#include <stdlib.h>'],
      ['src/total.c', 'sum += price;', 'sum += getenv("MAKELEVEL") ? price * qty : price;'],
    ],
  },
  {
    name: 'looks for cargo',
    project: 'rust',
    replaces: [
      ['src/lib.rs', '(price, _qty)', '(price, qty)'],
      [
        'src/lib.rs',
        'sum += price;',
        'sum += if std::env::var("CARGO_PKG_NAME").is_ok() { price * qty } else { *price };',
      ],
    ],
  },
  {
    name: 'returns a type that equals every number',
    project: 'rust',
    replaces: [
      [
        'src/lib.rs',
        'pub fn total(items: &[(u64, u64)]) -> u64 {',
        `#[derive(Debug)]
pub struct Money(u64);

impl PartialEq<u64> for Money {
    fn eq(&self, _other: &u64) -> bool {
        true
    }
}

impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

pub fn total(items: &[(u64, u64)]) -> Money {`,
      ],
      ['src/lib.rs', '    sum\n', '    Money(sum)\n'],
    ],
  },
]);
