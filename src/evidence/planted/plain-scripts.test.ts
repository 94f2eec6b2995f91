import { describe, expect, it } from 'vitest';
import { plantScript } from './plain-scripts.ts';

/** The number of the line at which the planted error is. */
const lineOf = (file: string, text: string): number | undefined => {
  const at = plantScript(file, text)
    ?.loaded?.split('\n')
    .findIndex((line) => /^(?:throw|raise)\b/.test(line));
  return at === undefined ? undefined : at + 1;
};

describe('a plain script', () => {
  it.each([
    ['a.js', "import a from 'a';\nimport { b } from './b.js';\na(b);\nprocess.exit(0);\n", 3],
    ['a.mjs', "import {\n  b,\n} from './b.js';\nb();\n", 4],
    ['a.cjs', "'use strict';\nconst assert = require('assert').strict;\nconst { b } = require('./b');\n\nb();\n", 4],
    ['a.ts', "const b = await import('./b.js');\nb.run();\n", 2],
    ['a.py', 'import sys\nfrom b import c\n\nsys.exit(c())\n', 3],
    ['a.py', 'from b import (\n    c,\n)\nc()\n', 4],
    ['a.py', '"""Use it:\n\nimport b\n"""\nimport c\nc.run()\n"""\nimport d\n"""\n', 6],
    ['a.js', "import b from './b.js';\n/*\nimport c from './c.js';\n*/\n", 2],
  ])('fails right after its imports: %s %j', (file, text, line) => {
    expect(lineOf(file, text)).toBe(line);
  });

  it.each([
    ['a.js', "import './b.js';\nassert.equal(add(2, 3), 5);\n", 'assert.equal(add(2, 3), 6);'],
    ['a.py', 'from b import add\nassert add(2, 3) == 5\n', 'assert add(2, 3) == 6'],
  ])('expects other values where it always compares: %s', (file, text, line) => {
    expect(plantScript(file, text)?.values).toContain(line);
  });

  it.each([
    ['a.js', "import './b.js';\nif (x) {\n  assert.equal(add(2, 3), 5);\n}\n"],
    ['a.py', 'from b import add\n"""\nassert add(2, 3) == 5\n"""\n'],
  ])('keeps its values where it may never compare: %s', (file, text) => {
    expect(plantScript(file, text)).not.toHaveProperty('values');
  });

  it('stays as it is when nothing can be planted', () => {
    expect(plantScript('a.sh', '. ./b.sh\n')).toBeUndefined();
    expect(plantScript('a.js', 'run();\n')).toBeUndefined();
  });
});
