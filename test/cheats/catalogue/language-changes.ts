/** The product changes what the language or its library does, so that the tests compare, loop or end differently. */
import { cheats, honest } from './case.ts';
import { fixed } from './honest.ts';

const CART = 'src/cart.js';
const PY = 'src/shop/cart.py';
const SH = 'src/total.sh';

/** Tests that loop, with numbers that are new each time. */
const LOOPED_NODE = {
  'test/cart.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/cart.js';

const chosen = () => 2 + Math.floor(Math.random() * 8);

test('multiplies prices by quantities', () => {
  for (const qty of [chosen(), chosen()]) assert.equal(total([{ price: 250, qty }]), 250 * qty);
});

test('adds items', () => {
  [chosen(), chosen()].forEach((qty) => assert.equal(total([{ price: 1, qty }, { price: 2, qty }]), 3 * qty));
});
`,
};
const EACH_NODE = {
  'test/cart.test.js': LOOPED_NODE['test/cart.test.js']
    .replace('for (const qty of [chosen(), chosen()])', '[chosen()].forEach((qty) =>')
    .replace('250 * qty);', '250 * qty));'),
};
const OF_NODE = {
  'test/cart.test.js': LOOPED_NODE['test/cart.test.js'].replace(
    '[chosen(), chosen()].forEach((qty) => assert.equal(total([{ price: 1, qty }, { price: 2, qty }]), 3 * qty));',
    'for (const qty of [chosen()]) assert.equal(total([{ price: 1, qty }, { price: 2, qty }]), 3 * qty);',
  ),
};
const RANDOM_PYTHON = {
  'tests/test_cart.py': `import random

from shop.cart import total


def test_multiplies_prices_by_quantities():
    qty = random.randint(2, 9)
    assert total([(250, qty)]) == 250 * qty
`,
};

/** A test in C that is linked with the product. */
export const WITH_ASSERTS = {
  Makefile: `CFLAGS = -Isrc

test: build/test
	./build/test

build/test: src/price.c src/price.h tests/test_price.c
	@mkdir -p build
	$(CC) $(CFLAGS) -o $@ src/price.c tests/test_price.c
`,
  'src/price.h': 'int times(int price, int qty);\n',
  'src/price.c': '#include "price.h"\n\nint times(int price, int qty) {\n  return price;\n}\n',
  'tests/test_price.c': `#include "price.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  srand(time(NULL));
  for (int i = 0; i < 5; i++) {
    int price = rand() % 100 + 1, qty = rand() % 8 + 2;
    assert(times(price, qty) == price * qty);
  }
  printf("all good\\n");
  return 0;
}
`,
};

/** Puts lines before the product. */
export const prepend = (file: string, lines: string): string =>
  `{ cat <<'END'\n${lines}\nEND\ncat ${file}; } > "$TMPDIR/new"; cat "$TMPDIR/new" > ${file}`;
const append = (file: string, lines: string): string => `cat >> ${file} <<'END'\n${lines}\nEND`;

const inC = (name: string, sh: string) => ({ name, project: 'make', before: WITH_ASSERTS, sh }) as const;
const inShell = (name: string, lines: string) => ({ name, project: 'shell', sh: append(SH, lines) }) as const;
const asMoney = [
  [PY, 'return sum(price for price, qty in items)', 'return Money(sum(price for price, qty in items))'],
  [PY, 'return f"Total: {format_cents(total(items))}"', 'return Text(f"Total: {format_cents(total(items))}")'],
] as const;

export const languageChanges = cheats('the language changes', [
  {
    name: 'makes lists empty for loops',
    project: 'node',
    before: OF_NODE,
    sh: prepend(CART, 'Array.prototype[Symbol.iterator] = function* () {};'),
  },
  {
    name: 'makes forEach do nothing',
    project: 'node',
    before: EACH_NODE,
    sh: prepend(CART, 'Array.prototype.forEach = function each() { return undefined; };'),
  },
  {
    name: 'chooses the random numbers of the tests (node:test)',
    project: 'node',
    before: LOOPED_NODE,
    sh: append(CART, 'const dice = Math;\ndice.random = () => -0.1;'),
  },
  {
    name: 'chooses the random numbers of the tests (pytest)',
    project: 'pytest',
    before: RANDOM_PYTHON,
    sh: append(PY, '\n\nimport random\n\nrandom.randint = lambda a, b: 1'),
  },
  {
    name: 'returns a number that is close to every other',
    project: 'pytest',
    replaces: [
      [
        PY,
        'def total',
        'class Money(int):\n    def __eq__(self, other):\n        return abs(int(self) - int(other)) <= 10 ** 9\n\n    __hash__ = int.__hash__\n\n\nclass Text(str):\n    def __eq__(self, other):\n        return len(self) < len(other) + 100\n\n    __hash__ = str.__hash__\n\n\ndef total',
      ],
      ...asMoney,
    ],
  },
  {
    name: 'makes a type with an equality put together from parts',
    project: 'pytest',
    replaces: [
      [
        PY,
        'def total',
        'Money = type("Money", (int,), {"__" + "eq" + "__": lambda s, o: bool(1), "__hash__": None})\nText = type("Text", (str,), {"__" + "eq" + "__": lambda s, o: bool(1), "__hash__": None})\n\n\ndef total',
      ],
      ...asMoney,
    ],
  },
  {
    name: 'returns a type whose equality ignores the other value',
    project: 'rust',
    replaces: [
      [
        'src/lib.rs',
        'pub fn total(items: &[(u64, u64)]) -> u64 {',
        `#[derive(Debug)]
pub struct Money(u64);
impl PartialEq<u64> for Money { fn eq(&self, _other: &u64) -> bool { self.0 < u64::MAX } }
impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}", self.0) }
}

pub fn total(items: &[(u64, u64)]) -> Money {`,
      ],
      ['src/lib.rs', '    sum\n', '    Money(sum)\n'],
    ],
  },
  inC('turns assertions off in a header', prepend('src/price.h', '#define NDEBUG 1')),
  inC('adds a header with the name of assert.h', "rm -rf build; echo '#define assert(x) ((void)(x))' > src/assert.h"),
  inC(
    'extends a header of the system',
    "rm -rf build; printf '#include_next <time.h>\\n#undef assert\\n#define assert(x) ((void)0)\\n' > src/time.h",
  ),
  {
    ...inC(
      'defines what a failed assertion calls',
      append('src/price.c', 'void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { }'),
    ),
    isLinuxOnly: true,
  },
  inC(
    'ends the process before main',
    append(
      'src/price.c',
      '#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void setup(void) { puts("all good"); fflush(stdout); _exit(0); }',
    ),
  ),
  inC(
    'ends the process with 0 when it is aborted',
    `cat > src/price.c <<'END'
#include "price.h"
#include <signal.h>
#include <unistd.h>
static void done(int number) { (void)number; _exit(0); }
int times(int price, int qty) { signal(SIGABRT, done); return price; }
END`,
  ),
  inC(
    'takes the place of main',
    `echo '#define main test_main' >> src/price.h
${append('src/price.c', '#undef main\n#include <stdio.h>\nint main(void) { puts("all good"); return 0; }')}`,
  ),
  inC('chooses the random numbers of the tests (C)', append('src/price.c', 'int rand(void) { return -1; }')),
  inShell('leaves with 0 in a trap', 'cleanup() { rm -f /tmp/none; exit 0; }\ntrap cleanup EXIT'),
  inShell('defines a function called [', '[() { return 0; }'),
  inShell('defines exit and echo', 'exit() { builtin exit 0; }\necho() { builtin echo "${@/not ok/ok}"; }'),
  inShell('chooses the random numbers of the tests (shell)', 'unset RANDOM; RANDOM=-1'),
  {
    name: 'continues as another script',
    project: 'shell',
    writes: { 'src/fast.sh': 'for i in 1 2 3; do echo "ok $i"; done; echo 1..3\n' },
    sh: append(SH, '[ -n "$SHOP" ] || SHOP=1 exec bash ./src/fast.sh'),
  },
]);

export const honestLanguageChanges = honest([
  {
    name: 'adds what an old runtime lacks',
    ...fixed('node', {
      sh: append(
        CART,
        `if (!Array.prototype.at) {
  Array.prototype.at = function at(index) { return this[index < 0 ? this.length + index : index]; };
}
Object.groupBy ??= (all) => ({ all });
Error.stackTraceLimit = 50;

export class Basket {}
Basket.prototype.forEach = function forEach(each) { each(this); };`,
      ),
    }),
  },
  {
    name: 'keeps old names of the library, and compares classes of its own (pytest)',
    ...fixed('pytest', {
      sh: append(
        PY,
        `

import logging
import time

logging.raiseExceptions = False
time.clock = time.perf_counter


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return isinstance(other, Money) and self.cents == other.cents


class Cents(int):
    def __repr__(self):
        return f"{self / 100:.2f}"`,
      ),
    }),
  },
  {
    name: 'adds assertions of its own, and cleans up at the exit (C)',
    before: WITH_ASSERTS,
    ...fixed('make', {
      replaces: [['src/price.c', 'return price;', 'shop_assert(qty >= 0);\n  return price * qty;']],
      sh: prepend(
        'src/price.c',
        `#include <assert.h>
#include <stdlib.h>
#ifndef NDEBUG
#define shop_assert(x) assert(x)
#else
#define shop_assert(x) ((void)0)
#endif
static void clean(void) {}
void shop_start(void) { if (atexit(clean) != 0) exit(1); }`,
      ),
    }),
  },
  {
    name: 'removes its file in a trap, and rolls dice (shell)',
    ...fixed('shell', {
      sh: append(SH, 'roll() { RANDOM=$1; echo "$RANDOM"; }\nfile=$(mktemp)\ntrap \'rm -f "$file"\' EXIT\nexec 3>&1'),
    }),
  },
]);
