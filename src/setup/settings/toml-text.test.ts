import { describe, expect, it } from 'vitest';
import { withBlock } from './block-text.ts';
import { refuseOddToml, tableNamed, tomlIn } from './toml-text.ts';

const file = '/home/ada/.codex/config.toml';
const BLOCK =
  '[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:1"\n\n[hooks.state."/x:stop:1:0"]\ntrusted_hash = "2"\n';

const GOOD = String.raw`# mine
model = "gpt-5"   # "quoted" # twice
"odd key".'and other' = 'C:\dir'
date = 1979-05-27 07:32:00
list = [ "a", # one ]
  { b = 1, c.d = "}" },
  [1, 2],
]
long = """
[not.a.table]
x = "unclosed
"""
raw = '''
[neither]'''
inline = { state = {} }
empty = {}

[features]
hooks = true
[hooks.state."/x/a\"b:stop:0:0"]
trusted_hash = "sha256:1"
[[mcp]]
  name = "a"
`;

function added(text: string): string {
  const after = withBlock(text, BLOCK);
  refuseOddToml({ file, text }, after);
  return after;
}

describe('tomlIn', () => {
  it('reads what is there, and passes over what only looks like it', () => {
    const { date, ...values } = tomlIn({ file, text: GOOD });
    expect(date).toBeInstanceOf(Date);
    expect(values).toEqual({
      model: 'gpt-5',
      'odd key': { 'and other': String.raw`C:\dir` },
      list: ['a', { b: 1, c: { d: '}' } }, [1, 2]],
      long: '[not.a.table]\nx = "unclosed\n',
      raw: '[neither]',
      inline: { state: {} },
      empty: {},
      features: { hooks: true },
      hooks: { state: { '/x/a"b:stop:0:0': { trusted_hash: 'sha256:1' } } },
      mcp: [{ name: 'a' }],
    });
  });

  it('reads the same with other line ends and with a mark at the beginning, and of an empty text nothing', () => {
    const windows = tomlIn({ file, text: `\uFEFF${GOOD.replaceAll('\n', '\r\n')}` });
    expect(windows).toEqual({ ...tomlIn({ file, text: GOOD }), long: '[not.a.table]\r\nx = "unclosed\r\n' });
    expect(tomlIn({ file, text: '' })).toEqual({});
  });

  it.each([
    ['[features\nx = 1\n', 1],
    ['a = 1\nx =\n', 2],
    ['notify = ["a",\n "b"', 2],
    ['a = "open\nb = 1\n', 1],
    ['a = """open\n', 1],
    ['just words\n', 1],
    ['[]\n', 1],
    ['a = 1 b = 2\n', 1],
    ['a = { b = 1\n', 2],
    ['a = 1\na = 2\n', 2],
    ['[a]\n\n[a]\n', 3],
    ['a = 2026-13-45\n', 1],
  ])('says in which line %j is broken, and shows nothing of it', (text, line) => {
    const why = new RegExp(
      `^Cannot change ${file}: line ${line} is not valid TOML \\([^)\n]+\\)\\. Correct the file and run the same command again; nothing was written\\.$`,
      'u',
    );
    for (const ask of [() => tomlIn({ file, text }), () => added(text)])
      expect(ask).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID', message: expect.stringMatching(why) }));
  });
});

describe('refuseOddToml', () => {
  it.each([
    [GOOD],
    [''],
    ['[hooks]\nstate.other.trusted_hash = "x"\n'],
    ['[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "true"\n'],
    // TOML 1.1, and a number that is too large for JavaScript.
    ['a = {\n  b = 1,\n}\nc = "\\e\\x41"\nd = 07:32\n'],
    ['a = 9223372036854775807\n'],
  ])('lets tables be added to %j', (text) => {
    expect(tomlIn({ file, text: added(text) })).toMatchObject({
      hooks: { state: { '/x:stop:0:0': { trusted_hash: 'sha256:1' }, '/x:stop:1:0': { trusted_hash: '2' } } },
    });
  });

  it.each([
    ['hooks = 1\n', 'hooks'],
    ['hooks = {}\n', 'hooks'],
    ['hooks = { state = {} }\n', 'hooks.state'],
    ['model = "x"\n[hooks]\nstate = {}\n', 'hooks.state'],
    ['hooks.state = {}\r\n', 'hooks.state'],
    ['[hooks.state]\n"/x:stop:1:0" = { trusted_hash = "2" }\n', 'hooks.state./x:stop:1:0'],
    ["[hooks.state]\n'/x:stop:1:0'.trusted_hash = '2'\n", 'hooks.state./x:stop:1:0'],
  ])('refuses %j, where %s is an inline value', (text, name) => {
    expect(() => added(text)).toThrow(`Cannot change ${file}: ${name} is an inline value, so nothing can be added`);
  });
});

describe('tableNamed', () => {
  it('is the same however the name is quoted, and nothing for a line that begins no table', () => {
    const name = tableNamed(String.raw`[a."C:\\x"]`);
    expect(name).toBeDefined();
    for (const line of [String.raw`[a.'C:\x']`, String.raw`  [ "a" . 'C:\x' ]  # mine` + '\r\n'])
      expect(tableNamed(line)).toBe(name);
    for (const line of [String.raw`[[a.'C:\x']]`, '[a]']) expect(tableNamed(line)).not.toBe(name);
    for (const line of ['', '# [a]', 'a = 1', '["a",', '[1, 2],', '[a] b']) expect(tableNamed(line)).toBeUndefined();
  });
});
