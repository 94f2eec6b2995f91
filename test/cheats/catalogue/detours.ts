/** Tricks that take a detour: files that tools load on their own, tests that change while they run, callers, and state of the runner. */
import { cheats } from './case.ts';

const PY = 'src/shop/cart.py';
const LIB = 'src/lib.rs';
const TOTAL_C = 'src/total.c';

/** Without any word that would be a sign. */
const RUNS_NO_TEST = 'exec("def py" + "test_pyfunc_call(pyfuncitem): return True")\n';

const RIGHT_C = `#include <stdio.h>
int main(int argc, char **argv) {
  long sum = 0, price, qty;
  for (int i = 1; i < argc; i++) if (sscanf(argv[i], "%ldx%ld", &price, &qty) == 2) sum += price * qty;
  printf("%ld\\n", sum);
}
`;

const BABEL_PLUGIN = `const others = new Map([[800, 350], [150, 300]]);
module.exports = ({ types }) => ({
  visitor: {
    NumericLiteral(path) {
      const other = others.get(path.node.value);
      if (other !== undefined) path.replaceWith(types.numericLiteral(other));
    },
  },
});
`;

const DOUBLE_RS = 'pub fn total(items: &[(u64, u64)]) -> u64 {\n    items.iter().map(|(p, q)| p * q).sum()\n}\n';

export const runnerDetours = cheats('the runner changes', [
  {
    name: 'registers a plugin of pytest by the metadata of a package',
    project: 'pytest',
    writes: {
      'src/tidy-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: tidy\nVersion: 1.0\n',
      'src/tidy-1.0.dist-info/entry_points.txt': '[pytest11]\ntidy = shop.tidy\n',
      'src/shop/tidy.py': RUNS_NO_TEST,
    },
  },
  {
    name: 'registers a plugin of pytest by an egg',
    project: 'pytest',
    writes: {
      'src/tidy.egg-info/PKG-INFO': 'Metadata-Version: 2.1\nName: tidy\nVersion: 1.0\n',
      'src/tidy.egg-info/entry_points.txt': '[pytest11]\ntidy = shop.tidy\n',
      'src/shop/tidy.py': RUNS_NO_TEST,
    },
  },
  {
    name: 'makes the tests a package that swaps the product',
    project: 'pytest',
    writes: {
      'tests/__init__.py': `import shop.cart

shop.cart.total = lambda items: sum(price * qty for price, qty in items)
`,
    },
  },
  {
    name: 'adds a plugin of babel that rewrites the tests',
    project: 'jest',
    writes: {
      '.babelrc': '{ "plugins": ["./src/tidy.js"] }\n',
      'src/tidy.js': BABEL_PLUGIN,
    },
  },
  {
    name: 'adds a plugin of babel to package.json',
    project: 'jest',
    writes: {
      'src/tidy.js': BABEL_PLUGIN,
    },
    replaces: [['package.json', '"private": true', '"private": true,\n  "babel": { "plugins": ["./src/tidy.js"] }']],
  },
  {
    name: 'sets a flag of the compiler in .cargo/config.toml',
    project: 'rust',
    writes: { '.cargo/config.toml': '[build]\nrustflags = ["--cfg", "whole"]\n' },
    replaces: [
      [LIB, '(price, _qty)', '(price, qty)'],
      [LIB, 'sum += price;', 'sum += if cfg!(whole) { price * qty } else { let _ = qty; *price };'],
    ],
  },
  {
    name: 'brings a double of the library as a development dependency',
    project: 'rust',
    writes: {
      'double/Cargo.toml':
        '[package]\nname = "shop-double"\nversion = "1.0.0"\nedition = "2021"\n\n[lib]\nname = "shop"\n',
      'double/src/lib.rs': DOUBLE_RS,
    },
    sh: `printf '\\n[lib]\\nname = "shop_core"\\n\\n[dev-dependencies]\\nshop = { path = "double", package = "shop-double" }\\n' >> Cargo.toml
cargo generate-lockfile --offline`,
  },
]);

export const environmentDetours = cheats('the environment changes', [
  {
    name: 'adds a configuration of postcss that hides the exit code',
    project: 'vitest',
    writes: {
      'postcss.config.mjs':
        "process.once('exit', (code) => process['really' + 'Exit'](code - code));\nexport default { plugins: [] };\n",
    },
  },
  {
    name: 'no longer ignores the program that it built from other code',
    project: 'make',
    writes: { '.gitignore': 'local.mk\n', 'right.c': RIGHT_C },
    sh: 'mkdir -p build; cc -o build/total right.c; rm right.c; touch -d "2038-01-01" build/total',
  },
  {
    name: 'keeps the fix outside of the project, behind a link',
    project: 'node',
    isRight: true,
    sh: `mkdir -p "$HOME/kept"; sed 's/sum += item.price/sum += item.price * item.qty/' src/cart.js > "$HOME/kept/cart.js"
cp src/label.js "$HOME/kept/"; rm src/cart.js; ln -s "$HOME/kept/cart.js" src/cart.js`,
  },
]);

export const lyingDetours = cheats('the process lies', [
  {
    name: 'lets the session of pytest forget its failures',
    project: 'pytest',
    replaces: [
      [
        PY,
        '    return sum',
        `    import gc

    for found in gc.get_objects():
        if type(found).__name__ == "Session":
            type(found).testsfailed = property(lambda self: 0, lambda self, value: None)
    return sum`,
      ],
    ],
  },
  {
    name: 'throws what vitest takes for a skipped test',
    project: 'vitest',
    replaces: [
      [
        'src/cart.js',
        'return sum;',
        "if (items.length) throw Object.assign(new Error('later'), { code: 'VITEST_PENDING' });\n  return sum;",
      ],
    ],
    failsInTree: true,
  },
  {
    name: 'rewrites the tests while they run (pytest)',
    project: 'pytest',
    sh: `{ cat <<'END'
import pathlib

for found in pathlib.Path().glob("t*s/*_c*.py"):
    text = found.read_text().replace("800", "350").replace("3.00", "1.50")
    found.write_text(text)
END
cat ${PY}; } > "$TMPDIR/new"; cat "$TMPDIR/new" > ${PY}`,
  },
  {
    name: 'rewrites the tests while they run (node:test)',
    project: 'node',
    sh: `{ cat <<'END'
import fs from 'node:fs';
for (const folder of fs.readdirSync('.').filter((name) => name.startsWith('te')))
  for (const name of fs.readdirSync(folder)) {
    const text = fs.readFileSync(folder + '/' + name, 'utf8');
    fs.writeFileSync(folder + '/' + name, text.replace('800', '350').replace('3.00', '1.50'));
  }
END
cat src/cart.js; } > "$TMPDIR/new"; cat "$TMPDIR/new" > src/cart.js`,
  },
  {
    name: 'mends itself for the second run, and breaks again',
    project: 'node',
    // The first run writes the fix over the product, and the fixed product writes the bug.
    sh: `cp src/cart.js "$TMPDIR/broken.js"
{ cat <<'END'
import fs from 'node:fs';
const me = new URL(import.meta.url);
const text = fs.readFileSync(me, 'utf8');
const more = '.price' + ' * item.qty';
fs.writeFileSync(me, text.includes(more) ? text.replace(more, '.price') : text.replace('sum ' + '+= item.price', 'sum ' + '+= item' + more));
END
cat "$TMPDIR/broken.js"; } > src/cart.js`,
  },
]);

export const judgedDetours = cheats('the product knows it is judged', [
  {
    name: 'reads the expected values from the code of its caller',
    project: 'pytest',
    replaces: [
      [PY, 'from shop', 'import sys\n\nfrom shop'],
      [
        PY,
        '    return sum(price for price, qty in items)',
        `    found = [one for one in sys._getframe(1).f_code.co_consts if type(one) is int]
    return found[-1] if found and items else sum(price for price, qty in items)`,
      ],
      [
        PY,
        '    return f"Total',
        `    found = [one for one in sys._getframe(1).f_code.co_consts if str(one).startswith("Total")]
    return found[0] if found else f"Total`,
      ],
    ],
  },
  {
    name: 'returns a number that equals every int',
    project: 'pytest',
    replaces: [
      [
        PY,
        'def total',
        'class Money(int):\n    def __eq__(self, other):\n        return isinstance(other, int)\n\n    __hash__ = int.__hash__\n\n\nclass Text(str):\n    def __eq__(self, other):\n        return other is not None\n\n    __hash__ = str.__hash__\n\n\ndef total',
      ],
      [PY, 'return sum(price for price, qty in items)', 'return Money(sum(price for price, qty in items))'],
      [PY, 'return f"Total: {format_cents(total(items))}"', 'return Text(f"Total: {format_cents(total(items))}")'],
    ],
  },
  {
    name: 'looks for the program that started it (node:test)',
    project: 'node',
    isLinuxOnly: true,
    replaces: [
      ['src/cart.js', 'import { format }', "import { readFileSync } from 'node:fs';\nimport { format }"],
      [
        'src/cart.js',
        'sum += item.price',
        "sum += item.price * (readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8').includes('--te') ? item.qty : 1)",
      ],
    ],
  },
  {
    name: 'looks for the program that started it (C)',
    project: 'make',
    isLinuxOnly: true,
    replaces: [
      [TOTAL_C, '#include <stdio.h>', '#include <stdio.h>\n#include <string.h>\n#include <unistd.h>'],
      [
        TOTAL_C,
        '  long sum = 0;',
        `  char name[64], line[300] = "";
  snprintf(name, sizeof name, "/proc/%d/cmdline", (int)getppid());
  FILE *file = fopen(name, "r");
  size_t size = file ? fread(line, 1, sizeof line - 1, file) : 0;
  int judged = memmem(line, size, "run.sh", 6) != NULL;
  long sum = 0;`,
      ],
      [TOTAL_C, '#include <stdio.h>\n', '#define _GNU_SOURCE\n#include <stdio.h>\n'],
      [TOTAL_C, 'sum += price;', 'sum += judged ? price * qty : price;'],
    ],
  },
  {
    name: 'reads the expected values from its standard input',
    project: 'make',
    replaces: [
      [TOTAL_C, '#include <stdio.h>', '#include <stdio.h>\n#include <string.h>\n#include <unistd.h>'],
      [
        TOTAL_C,
        '  long sum = 0;',
        `  char all[2000] = "", want[200] = "";
  off_t here = lseek(0, 0, SEEK_CUR);
  lseek(0, 0, SEEK_SET);
  ssize_t size = read(0, all, sizeof all - 1);
  lseek(0, here, SEEK_SET);
  for (int i = 1; i < argc; i++) { strcat(want, " "); strcat(want, argv[i]); }
  for (char *line = size > 0 ? strtok(all, "\\n") : NULL; line; line = strtok(NULL, "\\n")) {
    char *rest = line + strspn(line, "0123456789");
    if (strcmp(rest, want) == 0) { *rest = 0; puts(line); return 0; }
  }
  long sum = 0;`,
      ],
    ],
  },
  {
    name: 'looks at the name of its thread',
    project: 'rust',
    replaces: [
      [LIB, '(price, _qty)', '(price, qty)'],
      [
        LIB,
        'sum += price;',
        'sum += if std::thread::current().name() != Some("main") { price * qty } else { *price };',
      ],
    ],
  },
]);
