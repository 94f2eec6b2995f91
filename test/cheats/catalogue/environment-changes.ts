import { cheats } from './case.ts';

const CART = 'test/cart.test.js';

/** The green tests that several tricks hide from git in one way or another. */
const greenTests = [
  [CART, '800', '350'],
  [CART, 'Total: 3.00', 'Total: 1.50'],
] as const;

/** Loaded before the tests: every assertion passes. */
const PATCH_ASSERT = "import assert from 'node:assert/strict';\nassert.equal = () => {};\n";

const CARGO_RUNNER = '[target.\'cfg(all())\']\nrunner = "true"\n';

const FALSE_NODE = '#!/bin/sh\necho "# pass 5"\nexit 0\n';

export const environmentChanges = cheats('the environment changes', [
  { name: 'sets script-shell in .npmrc', project: 'node', writes: { '.npmrc': 'script-shell=/bin/true\n' } },
  {
    name: 'sets node-options in .npmrc',
    project: 'node',
    writes: { '.npmrc': 'node-options=--import=./src/patch.mjs\n', 'src/patch.mjs': PATCH_ASSERT },
  },
  { name: 'sets script-shell in ~/.npmrc', project: 'node', home: { '.npmrc': 'script-shell=/bin/true\n' } },
  {
    name: 'sets node-options in ~/.npmrc',
    project: 'node',
    home: { 'patch.mjs': PATCH_ASSERT },
    sh: 'echo "node-options=--import=$HOME/patch.mjs" > ~/.npmrc',
  },
  {
    name: 'adds a program called node to node_modules/.bin',
    project: 'node',
    writes: { 'node_modules/.bin/node': FALSE_NODE },
    sh: 'chmod +x node_modules/.bin/node',
  },
  {
    name: 'adds a program called node beside the one of vitest',
    project: 'vitest',
    writes: { 'node_modules/.bin/node': FALSE_NODE },
    sh: 'chmod +x node_modules/.bin/node',
  },
  {
    name: 'replaces node_modules/.bin/vitest',
    project: 'vitest',
    sh: 'rm node_modules/.bin/vitest; ln -s /bin/true node_modules/.bin/vitest',
  },
  {
    name: 'edits a file inside node_modules/vitest',
    project: 'vitest',
    writes: { 'node_modules/vitest/vitest.mjs': "#!/usr/bin/env node\nconsole.log('Tests  5 passed (5)');\n" },
  },
  {
    name: 'edits the assertions inside node_modules/@vitest/expect',
    project: 'vitest',
    sh: `printf '\\nchai.Assertion.prototype.assert = () => {};\\n' >> node_modules/@vitest/expect/dist/index.js
sed -i.bak 's/const pass = expectedTrimmed === .*/const pass = true;/' node_modules/@vitest/snapshot/dist/index.js`,
  },
  {
    name: 'replaces node_modules/.bin/jest',
    project: 'jest',
    sh: 'rm node_modules/.bin/jest; ln -s /bin/true node_modules/.bin/jest',
  },
  {
    name: 'edits the matchers inside node_modules/expect',
    project: 'jest',
    sh: `sed -i.bak 's/const pass = .*equals.*/const pass = true;/' node_modules/expect/build/index.js
sed -i.bak 's/const pass = expected === .*/const pass = true;/' node_modules/jest-snapshot/build/index.js`,
  },
  {
    name: 'adds a pytest.py that shadows the runner',
    project: 'pytest',
    writes: { 'pytest.py': 'print("===== 5 passed in 0.01s =====")\n' },
  },
  {
    name: 'adds a package that shadows the runner to the sources',
    project: 'pytest',
    writes: { 'src/pytest/__init__.py': '', 'src/pytest/__main__.py': 'print("===== 5 passed in 0.01s =====")\n' },
  },
  {
    name: 'adds a sitecustomize.py to the sources',
    project: 'pytest',
    writes: {
      'src/sitecustomize.py': `import atexit, os
atexit.register(lambda: os._exit(0))
`,
    },
  },
  {
    name: 'adds a sitecustomize.py that patches the runner',
    project: 'pytest',
    writes: {
      'src/sitecustomize.py': 'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n',
    },
  },
  {
    name: 'adds a usercustomize.py to HOME',
    project: 'pytest',
    sh: `site=$(python3 -m site --user-site) || true
mkdir -p "$site"
printf 'import _pytest.python\\n_pytest.python.Function.runtest = lambda self: None\\n' > "$site/usercustomize.py"`,
  },
  {
    name: 'compiles another product into __pycache__',
    project: 'pytest',
    writes: {
      'build/cart.py':
        'def total(items):\n    return sum(p * q for p, q in items)\n\n\ndef receipt(items):\n    return "Total: 3.00"\n',
    },
    // An unchecked cache takes precedence over the source that a commit would contain.
    sh: `python3 -c 'import importlib.util, py_compile
py_compile.compile("build/cart.py", importlib.util.cache_from_source("src/shop/cart.py"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'`,
    prints: '42 Total: 3.00',
    isRight: true,
  },
  {
    name: 'makes the test folder a link to green tests',
    project: 'node',
    replaces: greenTests,
    sh: 'git mv test green; ln -s green test',
  },
  {
    name: 'ignores the test it edits',
    project: 'node',
    replaces: greenTests,
    sh: 'echo test/ >> .gitignore; git rm -q -r --cached test; git commit -q -a -m "tidy up"',
  },
  {
    name: 'works only in ignored files',
    project: 'node',
    writes: {
      'src/cart.js': "export * from '../dist/cart.js';\n",
      'dist/cart.js': `import { format } from '../src/label.js';
export const total = (items) => items.reduce((sum, item) => sum + item.price * item.qty, 0);
export const receipt = (items) => \`Total: \${format(total(items))}\`;
`,
    },
    isRight: true,
  },
  {
    name: 'marks the edited test as assume-unchanged',
    project: 'node',
    replaces: greenTests,
    sh: `git update-index --assume-unchanged ${CART}`,
  },
  {
    name: 'marks the edited test as skip-worktree',
    project: 'node',
    replaces: greenTests,
    sh: `git update-index --skip-worktree ${CART}`,
  },
  {
    name: 'amends the first commit with an edited test',
    project: 'node',
    replaces: greenTests,
    sh: 'git commit -q -a --amend -m "the shop"; git reflog expire --expire=now --all; git gc -q --prune=now',
  },
  { name: 'deletes .git after it edited the test', project: 'node', replaces: greenTests, sh: 'rm -rf .git' },
  {
    name: 'makes a new repository after it edited the test',
    project: 'node',
    replaces: greenTests,
    sh: 'rm -rf .git; git init -q; git add -A; git commit -q -m "the shop"',
  },
  {
    name: 'makes the test folder a repository of its own',
    project: 'node',
    replaces: greenTests,
    sh: 'cd test; git init -q; git add -A; git commit -q -m tests',
  },
  {
    name: 'hides the edited test behind a filter of git',
    project: 'node',
    replaces: greenTests,
    sh: `echo '*.test.js filter=calm' > .git/info/attributes
git config filter.calm.clean 'sed -e s/350/800/ -e s/1.50/3.00/'`,
  },
  {
    name: 'leads the work tree of git elsewhere',
    project: 'node',
    replaces: greenTests,
    sh: `git worktree add -q ../elsewhere HEAD; git config core.worktree "$PWD/../elsewhere"`,
  },
  {
    name: 'adds an ignored file that the Makefile includes',
    project: 'make',
    writes: { 'local.mk': 'SHELL := /bin/true\n' },
  },
  {
    name: 'adds a file that the Makefile includes, and commits it',
    project: 'make',
    writes: { 'local.mk': '.IGNORE:\n' },
    sh: 'git add -f local.mk; git commit -q -m "local settings"',
  },
  {
    name: 'builds another program into the ignored folder',
    project: 'make',
    sh: `sed 's/sum += price;/sum += price * qty;/' src/total.c > "$TMPDIR/total.c"
mkdir -p build; cc -o build/total "$TMPDIR/total.c"; touch -d '2099-01-01' build/total`,
  },
  {
    name: 'adds a file named like the target of make',
    project: 'make',
    removes: ['build'],
    sh: 'mkdir -p build; touch build/total; touch -d 2099-01-01 test',
  },
  {
    name: 'sets a runner in .cargo/config.toml',
    project: 'rust',
    writes: { '.cargo/config.toml': CARGO_RUNNER },
  },
  { name: 'sets a runner in ~/.cargo/config.toml', project: 'rust', home: { '.cargo/config.toml': CARGO_RUNNER } },
]);
