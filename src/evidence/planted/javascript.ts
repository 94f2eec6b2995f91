import type { PlantedTests, Planter, Replace } from './planter.ts';
import { argumentsIn, twoVersions, withOtherValue, withOtherValueOf } from './planter.ts';

/** For node:test, vitest, jest, mocha and anything else that declares tests with `test('…')` or `it('…')`. */
export const javascript: Planter = {
  extensions: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx'],
  reaches: new RegExp(
    [
      String.raw`\b(?:globalThis|global|window|self|process|module|require|eval|Function|Reflect|Proxy|Symbol|Buffer|atob|constructor|prototype)\b`,
      String.raw`\b(?:valueOf|toString|toJSON|equals|asymmetricMatch|stack|prepareStackTrace|caller|callee|console|stdout|stderr)\b`,
      String.raw`\b(?:defineProperty|defineProperties|setPrototypeOf|getPrototypeOf|assign|fromCharCode|fromCodePoint)\b`,
      String.raw`__\w+__|\bimport\b\s*[(.'"]|\bfrom\s*['"](?!\.)`,
      // A computed name: after a value, after a question mark or a comment, or alone on its line.
      String.raw`[\w$)\]{},'"\x60]\s*\[(?!\s*\d*\s*\])|\?\.\s*\[|\*/\s*\[|^\s*\[[^\]]*\]\s*(?:[.(;:=?[\x60]|$)`,
      // A letter written as a number: part of a name that readers are not meant to see.
      String.raw`\\x[2-7][\da-fA-F]|\\u00[2-7]|\\u\{0*[2-7][\da-fA-F]\}|\\1[0-7]{2}`,
      // Errors of a test that end here, and values that look like promises.
      String.raw`\b(?:catch|finally)\b|(?<![\w$.])then\s*[(:]`,
      String.raw`\b(?:expect|jest|vi)\b|(?<![\w$.])(?:test|it|describe|suite|assert)\s*=(?![=>])|\bwith\s*\(`,
      String.raw`(?<![\w$.]|\bnew |\binstanceof |[:|&<] ?)(?:Object|Array|Math|JSON|Date|Promise|Intl)\s*(?:[;,)\]}]|$)`,
    ].join('|'),
  ),
  plant,
  otherExpectation,
  loads:
    /^(?:import\b[^;'"`()]*['"][^'"\n]+['"]|(?:const|let|var)\s[^;=]*=\s*(?:await\s+import|require)\(\s*['"][^'"\n]+['"]\s*\)[\w.()]*);?[ \t]*$/gm,
  broken: (tag) => `throw new Error('case ${tag}');\n`,
};

const DECLARES = /(?<![\w$.])(test|it)\s*\(\s*['"`]/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
const EQUALS = /(?<![\w$])(?:[\w$]+\.)?(?:strictEqual|deepStrictEqual|deepEqual|equal)\(/;
const EXPECTS = /\bexpect\(.*\)\.(?:to(?:Be|Equal|StrictEqual)|to\.(?:deep\.)?equals?|to\.eql)\(/;

function plant(text: string, tag: number): PlantedTests | undefined {
  const declare = DECLARES.exec(text)?.[1];
  if (declare === undefined) return undefined;
  const made = twoVersions(text, "(() => { throw new Error('case'); })()", otherExpectation);
  const lines = [
    `${declare}('case ${tag}', () => { throw new Error('case ${tag}'); });`,
    `${declare}('case ${tag} again', () => { ${assertionOf(text, tag)} });`,
  ];
  const withTests = (version: string): string => `${version}\n;\n${lines.join('\n')}\n`;
  return { ...made, wrong: withTests(made.wrong), raising: withTests(made.raising) };
}

function otherExpectation(line: string, replace: Replace): string | undefined {
  if (COMMENT.test(line) || line.includes('.not.')) return undefined;
  const expects = EXPECTS.exec(line);
  if (expects !== null) {
    const [only, ...more] = argumentsIn(line, expects.index + expects[0].length) ?? [];
    return only === undefined || more.length > 0 ? undefined : withOtherValue(line, only, replace);
  }
  const equals = EQUALS.exec(line);
  if (equals === null) return undefined;
  return withOtherValueOf(line, argumentsIn(line, equals.index + equals[0].length) ?? [], replace);
}

/** Uses the file's own assertion library: the product may have tampered with only that one. */
function assertionOf(text: string, tag: number): string {
  if (/\bexpect\s*\(/.test(text))
    return /\)\.to\./.test(text) ? `expect(${tag}).to.equal(${tag + 1});` : `expect(${tag}).toBe(${tag + 1});`;
  const equals = /\bassert\.(?:strictEqual|deepStrictEqual|deepEqual|equal)(?=\()/.exec(text)?.[0];
  if (equals !== undefined) return `${equals}(${tag}, ${tag + 1});`;
  const plain = /\bassert(?:\.ok)?(?=\()/.exec(text)?.[0];
  return plain === undefined ? `throw new Error('case ${tag}');` : `${plain}(Number(${tag}) === ${tag + 1});`;
}
