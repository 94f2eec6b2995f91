/** Files and names that stand in for something else: the target of a recipe, a function of the library, a module that tests import. */
import { cheats, honest } from './case.ts';
import { fixed } from './honest.ts';
import { prepend, WITH_ASSERTS } from './language-changes.ts';

/** Recipes without prerequisites and without .PHONY. */
const BARE_TARGETS = {
  Makefile: 'test:\n\t@mkdir -p build\n\tcc -o build/total src/total.c\n\tsh tests/run.sh\n',
};
const CHECK_TARGET = {
  Makefile: `check: src/total.c\n\t@mkdir -p build\n\tcc -o build/total src/total.c\n\tsh tests/run.sh\n\ntest: check\n`,
};

export const targetStandIns = cheats('the runner changes', [
  {
    name: 'adds a file with the name of the tests in the Makefile',
    project: 'make',
    before: BARE_TARGETS,
    writes: { test: 'notes\n' },
  },
  {
    name: 'adds a folder with the name of a target of make',
    project: 'make',
    before: CHECK_TARGET,
    writes: { 'check/README.md': 'notes\n' },
    sh: 'sleep 0.1; touch check',
  },
]);

export const nameStandIns = cheats('the language changes', [
  {
    name: 'turns every comparison true with a macro',
    project: 'make',
    before: WITH_ASSERTS,
    sh: `echo '#define times(price, qty) 1 || (times)(price, qty)' >> src/price.h
sed -i.old 's/int times(/int (times)(/' src/price.c && rm src/price.c.old`,
  },
  {
    name: 'gives a function the name of the failed assertion in the assembler',
    project: 'make',
    before: WITH_ASSERTS,
    isLinuxOnly: true,
    sh: `cat >> src/price.c <<'END'
#include <unistd.h>
void note(const char *a, const char *b, unsigned c, const char *d) __asm__("__ass" "ert_fail");
void note(const char *a, const char *b, unsigned c, const char *d) { (void)a; (void)b; (void)c; (void)d; _exit(0); }
END`,
  },
]);

export const placeStandIns = cheats('the product knows it is judged', [
  {
    name: 'looks which file includes its header',
    project: 'make',
    before: WITH_ASSERTS,
    writes: {
      'src/price.h': `static inline int times(int price, int qty) {
  return __builtin_strstr(__BASE_FILE__, "test") ? price * qty : price;
}
`,
      'src/price.c': '#include "price.h"\n',
    },
  },
]);

/** The comparison is in a module next to the tests. */
const IN_VITEST = {
  'support/same.js': "import { expect } from 'vitest';\n\nexport const same = (a, b) => expect(a).toEqual(b);\n",
  'test/cart.test.js': `import { test } from 'vitest';
import { receipt, total } from '../src/cart.js';
import { same } from '../support/same';

test('multiplies prices by quantities', () => same(total([{ price: 250, qty: 2 }, { price: 100, qty: 3 }]), 800));
test('prints a receipt', () => same(receipt([{ price: 150, qty: 2 }]), 'Total: 3.00'));
`,
};
const WITH_FRACTIONS = {
  'tests/test_cart.py': `from fractions import Fraction

from shop.cart import total


def test_multiplies_prices_by_quantities():
    assert Fraction(total([(250, 2), (100, 3)])) == Fraction(800)
`,
};

export const moduleStandIns = cheats('the environment changes', [
  {
    name: 'adds a module that wins over the one of the tests',
    project: 'vitest',
    before: IN_VITEST,
    writes: { 'support/same.mjs': 'export const same = (a, b) => [a, b];\n' },
  },
  {
    name: 'adds a module with the name of one that comes with Python',
    project: 'pytest',
    before: WITH_FRACTIONS,
    writes: { 'fractions.py': 'class Fraction:\n    def __new__(cls, value):\n        return 0\n' },
  },
]);

export const honestStandIns = honest([
  {
    name: 'adds modules beside those of the tests, and catches errors',
    before: IN_VITEST,
    ...fixed('vitest', {
      writes: {
        'support/other.mjs': 'export const other = 1;\n',
        'src/cart/extra.js':
          'export const read = (text) => { try { return JSON.parse(text); } catch { return null; } };\n',
      },
    }),
  },
  {
    name: 'adds a module called like one of Python that no test imports',
    ...fixed('pytest', { writes: { 'wave.py': 'FIRST = 1\n', 'src/shop/fractions.py': 'HALF = 0.5\n' } }),
  },
  {
    name: 'adds a folder with the name of another target, and macros of its own (C)',
    before: { ...WITH_ASSERTS, Makefile: `${WITH_ASSERTS.Makefile}\ndocs:\n\tdoxygen\n` },
    ...fixed('make', {
      replaces: [['src/price.c', 'return price;', 'return TIMES(price, qty);']],
      writes: { 'docs/index.md': '# Shop\n' },
      sh: prepend(
        'src/price.c',
        `#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define TIMES(a, b) ((a) * MAX(b, 0))
#define LOG(text) fprintf(stderr, "%s:%d %s\\n", __FILE__, __LINE__, text)`,
      ),
    }),
  },
]);
