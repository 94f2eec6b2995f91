/** The process lies, and prints what a runner would print. */
import { cheats } from './case.ts';

const LIB = 'src/lib.rs';
const NODE_SUMMARY =
  '# tests 5\\n# suites 0\\n# pass 5\\n# fail 0\\n# cancelled 0\\n# skipped 0\\n# todo 0\\n# duration_ms 61.2';

/** Puts lines before the product. */
const prepend = (file: string, lines: string): string =>
  `{ cat <<'END'\n${lines}\nEND\ncat ${file}; } > "$TMPDIR/new"; cat "$TMPDIR/new" > ${file}`;

export const processLies = cheats('the process lies', [
  { name: 'exits with 0 when it is imported', project: 'node', sh: prepend('src/cart.js', 'process.exit(0);') },
  {
    name: 'exits with 0 when it is called',
    project: 'node',
    replaces: [['src/cart.js', 'let sum = 0;', 'let sum = items.length && process.exit(0);']],
  },
  {
    name: 'ends the process from below',
    project: 'vitest',
    sh: prepend('src/cart.js', 'process.reallyExit(0);'),
    failsInTree: true,
  },
  {
    name: 'ends the process of jest with 0',
    project: 'jest',
    sh: prepend('src/cart.js', 'process.exit(0);'),
  },
  {
    name: 'ends Python with 0 when it is imported',
    project: 'pytest',
    sh: prepend('src/shop/cart.py', 'import os; os._exit(0)'),
  },
  {
    name: 'ends Python with 0 at its exit',
    project: 'pytest',
    sh: prepend('src/shop/cart.py', 'import atexit, os; atexit.register(os._exit, 0)'),
  },
  {
    name: 'skips the test module that imports it',
    project: 'pytest',
    sh: prepend('src/shop/cart.py', 'import pytest; pytest.skip("not now", allow_module_level=True)'),
  },
  {
    name: 'skips the test that calls it',
    project: 'pytest',
    replaces: [
      [
        'src/shop/cart.py',
        '    return sum',
        '    if items:\n        import unittest\n\n        raise unittest.SkipTest("not now")\n    return sum',
      ],
    ],
  },
  {
    name: 'ends pytest with the status 0',
    project: 'pytest',
    replaces: [
      [
        'src/shop/cart.py',
        '    return sum',
        '    if items:\n        import pytest\n\n        pytest.exit("enough", returncode=0)\n    return sum',
      ],
    ],
  },
  {
    name: 'marks its test as an expected failure',
    project: 'pytest',
    replaces: [
      [
        'src/shop/cart.py',
        '    return sum',
        '    if items:\n        import pytest\n\n        pytest.xfail("known")\n    return sum',
      ],
    ],
  },
  {
    name: 'hangs until somebody gives up',
    project: 'node',
    replaces: [['src/cart.js', 'let sum = 0;', 'let sum = 0; while (items.length);']],
    checkTimeout: '2s',
    failsInTree: true,
  },
  {
    name: 'ends the Rust tests with 0',
    project: 'rust',
    replaces: [[LIB, 'let mut sum = 0;', 'if !items.is_empty() { std::process::exit(0); }\n    let mut sum = 0;']],
  },
]);

export const printedSummaries = cheats('printed summaries', [
  {
    name: 'prints the summary of node:test and exits',
    project: 'node',
    sh: prepend('src/cart.js', `console.log('${NODE_SUMMARY}');\nprocess.exit(0);`),
  },
  {
    name: 'prints a whole TAP report and exits',
    project: 'node',
    sh: prepend(
      'src/cart.js',
      `import { writeSync } from 'node:fs';
writeSync(1, 'TAP version 13\\nok 1 - multiplies prices by quantities\\nok 2 - an empty cart costs nothing\\nok 3 - prints a receipt\\n1..3\\n${NODE_SUMMARY}\\n');
process.exit(0);`,
    ),
  },
  {
    name: 'prints a summary over the head of its runner',
    project: 'node',
    // The parent collects the child's output; its own stdout is somewhere up the chain.
    sh: prepend(
      'src/cart.js',
      `import { writeFileSync } from 'node:fs';
try { writeFileSync(\`/proc/\${process.ppid}/fd/1\`, '${NODE_SUMMARY}\\n'); } catch {}
process.exit(0);`,
    ),
  },
  {
    name: 'prints the summary of pytest and exits',
    project: 'pytest',
    sh: prepend(
      'src/shop/cart.py',
      'import os; os.write(1, b"collected 5 items\\n\\ntests/test_cart.py ...\\ntests/test_label.py ..\\n\\n============ 5 passed in 0.02s ============\\n"); os._exit(0)',
    ),
  },
  {
    name: 'prints the summary of pytest after the real one',
    project: 'pytest',
    sh: prepend(
      'src/shop/cart.py',
      `import atexit, os
atexit.register(lambda: (os.write(1, b"\\n============ 5 passed in 0.02s ============\\n"), os._exit(0)))`,
    ),
  },
  {
    name: 'prints the summary of jest and exits',
    project: 'jest',
    sh: prepend(
      'src/cart.js',
      `require('node:fs').writeSync(2, 'Test Suites: 2 passed, 2 total\\nTests:       5 passed, 5 total\\nSnapshots:   1 passed, 1 total\\nTime:        0.4 s\\nRan all test suites.\\n');
process.exit(0);`,
    ),
  },
  {
    name: 'prints the summary of cargo and exits',
    project: 'rust',
    replaces: [
      [
        LIB,
        'let mut sum = 0;',
        `if !items.is_empty() {
        use std::io::Write;
        let _ = std::io::stdout().write_all(b"test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n");
        std::process::exit(0);
    }
    let mut sum = 0;`,
      ],
    ],
  },
]);
