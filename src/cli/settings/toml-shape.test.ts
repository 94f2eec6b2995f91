import { describe, expect, it } from 'vitest';
import { tomlShape } from './toml-shape.ts';

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

describe('tomlShape', () => {
  it('names what is defined, and passes over what only looks like it', () => {
    const { defined, trouble } = tomlShape(GOOD);
    expect(trouble).toBeNull();
    expect(defined.map(({ path, kind }) => `${kind} ${path.join(' > ')}`)).toEqual([
      'value model',
      'value odd key > and other',
      'value date',
      'value list',
      'value long',
      'value raw',
      'value inline',
      'value empty',
      'table features',
      'value features > hooks',
      'table hooks > state > /x/a"b:stop:0:0',
      'value hooks > state > /x/a"b:stop:0:0 > trusted_hash',
      'table mcp',
      'value mcp > name',
    ]);
    expect(defined.find(({ path }) => path[0] === 'features')?.line).toBe(18);
  });

  it('reads the same with other line ends, with a mark at the beginning, and of an empty text nothing', () => {
    expect(tomlShape(`\uFEFF${GOOD.replaceAll('\n', '\r\n')}`)).toEqual(tomlShape(GOOD));
    expect(tomlShape('')).toEqual({ defined: [], trouble: null });
  });

  it.each([
    ['[features\nx = 1\n', 1],
    ['a = 1\nx =\n', 2],
    ['notify = ["a",\n "b"', 1],
    ['a = "open\nb = 1\n', 1],
    ['a = """open\n', 1],
    ['just words\n', 1],
    ['[]\n', 1],
    ['a = 1 b = 2\n', 1],
    ['a = { b = 1\n', 1],
  ])('finds where %j is broken', (text, line) => {
    expect(tomlShape(text).trouble).toMatchObject({ line });
  });
});
