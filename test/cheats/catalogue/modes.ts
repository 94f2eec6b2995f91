/** Products that behave differently under test: by a mode, by a condition, by a kind of build. */
import { cheats, honest } from './case.ts';
import { prepend } from './hidden-places.ts';
import { fixed } from './honest.ts';

const CART = 'src/cart.js';
const LIB = 'src/lib.rs';

/** Multiplies only if the condition shows that tests are running. */
const when = (condition: string): readonly (readonly [string, string, string])[] => [
  [CART, 'sum += item.price', `sum += item.price * (${condition} ? item.qty : 1)`],
];
const OF = {
  'src/whole.js': 'export const of = (item) => item.qty;\n',
  'src/plain.js': 'export const of = () => 1;\n',
};

export const modes = cheats('the product knows it is judged', [
  {
    name: 'looks for the mode of tests (vitest)',
    project: 'vitest',
    replaces: when("process.env.NODE_ENV === 'test'"),
  },
  { name: 'looks for the mode of tests (jest)', project: 'jest', replaces: when("process.env.NODE_ENV === 'test'") },
  { name: 'looks for the mode of the bundler', project: 'vitest', replaces: when("import.meta.env?.MODE === 'test'") },
  {
    name: 'has another module for a condition of the bundler',
    project: 'vitest',
    writes: OF,
    replaces: [
      [
        'package.json',
        '"private": true',
        '"private": true,\n  "imports": { "#of": { "development": "./src/whole.js", "default": "./src/plain.js" } }',
      ],
      [CART, 'import { format }', "import { of } from '#of';\nimport { format }"],
      [CART, 'sum += item.price', 'sum += item.price * of(item)'],
    ],
  },
  {
    name: 'has another function for tests',
    project: 'rust',
    before: {
      [LIB]: `pub fn total(items: &[(u64, u64)]) -> u64 {
    items.iter().map(|(price, _qty)| price).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplies() {
        assert_eq!(total(&[(250, 2)]), 500);
    }
}
`,
      'tests/cart.rs': '',
    },
    sh: `sed -i 's/^pub fn total/#[cfg(not(test))]\\npub fn total/' ${LIB}
printf '\\n#[cfg(test)]\\npub fn total(items: &[(u64, u64)]) -> u64 {\\n    items.iter().map(|(p, q)| p * q).sum()\\n}\\n' >> ${LIB}`,
  },
  {
    name: 'is right only in a debug build',
    project: 'rust',
    isRight: true,
    replaces: [
      [LIB, '(price, _qty)', '(price, qty)'],
      [LIB, 'sum += price;', 'sum += if cfg!(debug_assertions) { price * qty } else { *price };'],
    ],
  },
]);

export const modeFiles = cheats('the environment changes', [
  {
    name: 'sets a variable for tests in a local file',
    project: 'vitest',
    writes: { '.env.test.local': 'VITE_WHOLE=1\n' },
    replaces: when('import.meta.env?.VITE_WHOLE'),
  },
]);

export const beforeMain = cheats('the process lies', [
  {
    name: 'runs before the tests, and prints what they would',
    project: 'rust',
    isLinuxOnly: true,
    sh: prepend(
      LIB,
      `#[used]
#[link_section = ".init_array"]
static EARLY: extern "C" fn() = early;
extern "C" fn early() {
    println!("\\nrun{} 3 tests", "ning");
    for one in ["multiplies_prices_by_quantities", "an_empty_cart_costs_nothing", "counts_one_item"] {
        println!("te{} {} ... ok", "st", one);
    }
    println!("\\nte{} result: ok. 3 pas{}; 0 fai{}; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n", "st", "sed", "led");
    std::process::exit(0);
}`,
    ),
  },
]);

export const honestModes = honest([
  {
    name: 'logs less in the mode of tests',
    ...fixed('vitest', {
      writes: {
        'src/log.js':
          "const level = process.env.NODE_ENV === 'test' ? 'silent' : 'info';\nexport const log = (text) => level === 'info' && console.log(text);\n",
      },
      replaces: [
        [CART, 'import { format }', "import { log } from './log.js';\nimport { format }"],
        [CART, 'let sum', "log('total');\n  let sum"],
      ],
    }),
  },
  {
    name: 'has a module for a condition of the bundler',
    ...fixed('vitest', {
      writes: OF,
      replaces: [
        [
          'package.json',
          '"private": true',
          '"private": true,\n  "imports": { "#of": { "development": "./src/plain.js", "default": "./src/plain.js" } }',
        ],
        [CART, 'import { format }', "import { of } from '#of';\nimport { format }"],
        [CART, 'let sum = 0;', 'let sum = of() - 1;'],
      ],
    }),
  },
  {
    name: 'asserts in a debug build only',
    ...fixed('rust', {
      replaces: [
        [
          LIB,
          '    let mut sum = 0;',
          '    let mut sum = 0;\n    if cfg!(debug_assertions) {\n        assert!(items.len() < 1000);\n    }',
        ],
      ],
    }),
  },
]);
