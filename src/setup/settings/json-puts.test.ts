import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { faultOf } from '../../../test/support/fault-of.ts';
import type { JsonPut } from '../../hosts/setup.ts';
import { hasAll, putInto, takeOut, takeOutFound } from './json-puts.ts';
import { textsIn } from './json-values.ts';

const STOP = { hooks: [{ type: 'command', command: 'OURS stop', timeout: 600 }] };
const START = { matcher: 'a|b', hooks: [{ type: 'command', command: 'OURS start' }] };
const PUTS: readonly JsonPut[] = [
  { path: ['env', 'CAP'], value: '10000', how: 'set' },
  { path: ['hooks', 'Stop'], value: STOP, how: 'append' },
  { path: ['hooks', 'SessionStart'], value: START, how: 'append' },
];
const isOurs = (value: unknown): boolean => textsIn(value).some((text) => text.startsWith('OURS'));
const never = (): boolean => false;

const put = (text: string) => putInto({ file: 'a.json', text }, PUTS);
const out = (text: string, done: ReturnType<typeof put>['done']) =>
  takeOut({ file: 'a.json', text }, done, isOurs).text;

/** JSON as people write it: any indentation, line endings, comments, trailing commas, a BOM. */
function written(value: unknown, style: Style, level = 0): string {
  const { step, eol, comment, trailing } = style;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((each) => written(each, style, level + 1))
    : Object.entries(value).map(
        ([key, each]) => `${JSON.stringify(key)}${style.colon}${written(each, style, level + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  if (step === null) return `${open}${entries.join(style.comma)}${trailing ? ',' : ''}${close}`;
  const inner = step.repeat(level + 1);
  const lines = entries.map(
    (entry, index) => `${inner}${entry}${index < entries.length - 1 || trailing ? ',' : ''}${comment}`,
  );
  return `${open}${eol}${lines.join(eol)}${eol}${step.repeat(level)}${close}`;
}

type Style = { step: string | null; eol: string; comment: string; trailing: boolean; colon: string; comma: string };

const style: fc.Arbitrary<Style> = fc.record({
  step: fc.constantFrom('  ', '    ', '\t', ' ', null),
  eol: fc.constantFrom('\n', '\r\n'),
  comment: fc.constantFrom('', ' // why', ' /* why */'),
  trailing: fc.boolean(),
  colon: fc.constantFrom(': ', ':', ' : '),
  comma: fc.constantFrom(',', ', '),
});
// Not `__proto__`: the parser that this test reads with would set the prototype. Such a file has its own test case.
const key = fc
  .oneof(fc.constantFrom('env', 'hooks', 'Stop', 'CAP', 'model', '__proto__x'), fc.string())
  .filter((name) => name !== '__proto__');
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 1.5, '', 'a "quoted" {[,]} // text'),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
})).any;
const settings = fc
  .record({
    env: fc.option(fc.dictionary(fc.constantFrom('CAP', 'OTHER'), fc.string()), { nil: undefined }),
    hooks: fc.option(
      fc.dictionary(fc.constantFrom('Stop', 'SessionStart', 'Other'), fc.array(value, { maxLength: 2 })),
      {
        nil: undefined,
      },
    ),
    rest: value,
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined)));
const file = fc
  .record({
    settings: fc.oneof(settings, fc.constant({})),
    style,
    bom: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n'),
  })
  .map(({ settings: given, style: how, bom, end }) => ({
    given,
    text: `${bom ? '\uFEFF' : ''}${written(given, how)}${end}`,
  }));

const read = (text: string): unknown => parse(text.replace(/^\uFEFF/u, ''), [], { allowTrailingComma: true });

describe('putInto and takeOut', () => {
  it('put our values in, keep every other one, and take them out again, whatever the file looks like', () => {
    fc.assert(
      fc.property(file, ({ given, text }) => {
        const { text: full, done } = put(text);
        const expected = structuredClone(given) as Record<string, Record<string, unknown>>;
        (expected['env'] ??= {})['CAP'] = '10000';
        const hooks = (expected['hooks'] ??= {});
        hooks['Stop'] = [...((hooks['Stop'] as unknown[] | undefined) ?? []), STOP];
        hooks['SessionStart'] = [...((hooks['SessionStart'] as unknown[] | undefined) ?? []), START];
        expect(read(full)).toEqual(expected);
        expect(hasAll({ file: 'a.json', text: full }, PUTS, never)).toBe(true);
        expect(read(out(full, done))).toEqual(given);
      }),
      { numRuns: 200 },
    );
  });

  it('leaves every line of the file as it is, but for the comma it has to add', () => {
    fc.assert(
      fc.property(file, ({ text }) => {
        const before = text.split(/\r\n|\n/u).map((line) => line.replace(/,(?=\s*(?:\/[/*]|$))/u, '').trimEnd());
        const after = new Set(
          put(text)
            .text.split(/\r\n|\n/u)
            .map((line) => line.replace(/,(?=\s*(?:\/[/*]|$))/u, '').trimEnd()),
        );
        // One-line files and empty containers are spread over several lines.
        const lost = before.filter((line) => !after.has(line) && !/[{[][}\]]$/u.test(line.replace(/ *\/[/*].*$/u, '')));
        expect(
          before.length === 1 || !/\n/u.test(text.trim()) ? [] : lost.filter((line) => !line.includes('CAP')),
        ).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps a key called __proto__, byte for byte', () => {
    const text = '{\n  "__proto__": { "env": { "CAP": "1" } },\n  "model": "x"\n}\n';
    const { text: full, done } = put(text);

    expect(full).toContain('  "__proto__": { "env": { "CAP": "1" } },\n  "model": "x",\n');
    expect(JSON.parse(full)).toMatchObject({ env: { CAP: '10000' }, hooks: { Stop: [STOP] } });
    expect(out(full, done)).toBe(text);
  });

  it('keeps comments, order, indentation and line ends', () => {
    const text =
      '\uFEFF{\r\n\t// mine\r\n\t"model": "x", // best\r\n\t"hooks": {\r\n\t\t"Stop": [] // none\r\n\t}\r\n}';
    expect(put(text).text).toBe(
      [
        '\uFEFF{',
        '\t// mine',
        '\t"model": "x", // best',
        '\t"hooks": {',
        '\t\t"Stop": [',
        '\t\t\t{',
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{',
        '\t\t\t\t\t\t"type": "command",',
        '\t\t\t\t\t\t"command": "OURS stop",',
        '\t\t\t\t\t\t"timeout": 600',
        '\t\t\t\t\t}',
        '\t\t\t\t]',
        '\t\t\t}',
        '\t\t], // none',
        '\t\t"SessionStart": [',
        '\t\t\t{',
        '\t\t\t\t"matcher": "a|b",',
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{',
        '\t\t\t\t\t\t"type": "command",',
        '\t\t\t\t\t\t"command": "OURS start"',
        '\t\t\t\t\t}',
        '\t\t\t\t]',
        '\t\t\t}',
        '\t\t]',
        '\t},',
        '\t"env": {',
        '\t\t"CAP": "10000"',
        '\t}',
        '}',
      ].join('\r\n'),
    );
  });

  it('keeps a file in one line in one line', () => {
    expect(put('{"a":1,"hooks":{"Stop":[1]}}').text).toBe(
      `{"a":1,"hooks":{"Stop":[1, ${JSON.stringify(STOP)}], "SessionStart": ${JSON.stringify([START])}}, "env": {"CAP":"10000"}}`,
    );
  });

  it('begins an empty file', () => {
    for (const text of ['', ' \n', '\uFEFF', '{}', '{\n}\n'])
      expect(read(put(text).text)).toEqual({ env: { CAP: '10000' }, hooks: { Stop: [STOP], SessionStart: [START] } });
  });

  it('lets edits of the user in between survive', () => {
    const { text, done } = put('{\n  "model": "x"\n}\n');
    const edited = text
      .replace('"model": "x"', '"model": "y" /* mine */')
      .replace('"Stop": [', '"Stop": [\n      { "hooks": [{ "command": "theirs" }] },')
      .replace('"timeout": 600', '"timeout": 30');
    expect(out(edited, done)).toBe(
      '{\n  "model": "y" /* mine */,\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "command": "theirs" }] }\n    ]\n  }\n}\n',
    );
  });

  it('gives back what a set replaced, and keeps what was set after us', () => {
    const { text, done } = put('{ "env": { "CAP": "3" } }');
    expect(read(out(text, done))).toEqual({ env: { CAP: '3' } });
    const changed = text.replace('"10000"', '"7"');
    const result = takeOut({ file: 'a.json', text: changed }, done, isOurs);
    expect([read(result.text), result.kept]).toEqual([{ env: { CAP: '7' } }, ['env.CAP']]);
  });

  it('does not put in twice what is there', () => {
    const { text } = put('{}');
    expect(put(text).text).toBe(text);
  });

  it('takes the last of two keys of the same name, as every reader does', () => {
    expect(read(put('{"hooks":{},"hooks":{"Stop":[1]}}').text)).toMatchObject({ hooks: { Stop: [1, STOP] } });
  });

  it('finds our entries by their text when nothing else is known', () => {
    const { text } = put('{\n  "hooks": {\n    "Stop": [1]\n  }\n}\n');
    expect(read(takeOutFound({ file: 'a.json', text }, isOurs))).toEqual({
      env: { CAP: '10000' },
      hooks: { Stop: [1] },
    });
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3 is not valid JSON (comma expected)'],
    ['{\n  "a": \n', 'line 3 is not valid JSON'],
    ['[1]', 'the file is not an object (line 1)'],
    ['{\n "hooks": []}', '"hooks" is not an object (line 2)'],
    ['{\n "hooks": {"Stop": {}}}', '"hooks.Stop" is not a list (line 2)'],
    ['{} {}', 'line 1 is not valid JSON'],
  ])('refuses %j and names the line', (text, said) => {
    expect(faultOf(() => put(text))).toMatchObject({
      code: 'SETTINGS_INVALID',
      message: expect.stringContaining(said),
    });
    expect(faultOf(() => put(text)).message).toContain('a.json');
  });
});
