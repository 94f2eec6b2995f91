import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { WHOLE_FILE, withJudgeParts } from './parts.ts';

const json = (value: unknown): string => JSON.stringify(value);

describe('package.json', () => {
  const baseline = { name: 'shop', version: '1.0.0', scripts: { test: 'vitest run', build: 'tsc' }, jest: { bail: 1 } };
  const inRoom = (
    work: object,
    keepAdded = false,
  ): { value: unknown; changed: readonly string[]; added: readonly string[] } => {
    const { text = '', changed, added } = withJudgeParts('package.json', json(work), json(baseline), { keepAdded });
    return { value: JSON.parse(text), changed, added };
  };

  it('keeps what belongs to the product', () => {
    const work = { ...baseline, version: '2.0.0', dependencies: { a: '1' }, bin: './x.js', type: 'module' };
    const text = json(work);
    expect(withJudgeParts('package.json', text, json(baseline))).toEqual({ text, changed: [], added: [] });
  });

  it.each<[string, object, readonly string[]]>([
    ['a changed script', { ...baseline, scripts: { test: 'true', build: 'tsc' } }, ['scripts/test']],
    ['a removed script', { ...baseline, scripts: { build: 'tsc' } }, ['scripts/test']],
    ['no scripts', { ...baseline, scripts: undefined }, ['scripts/test', 'scripts/build']],
    ['scripts of another type', { ...baseline, scripts: 'none' }, ['scripts/test', 'scripts/build']],
    ['a hook before', { ...baseline, scripts: { ...baseline.scripts, pretest: 'rm -r test' } }, ['scripts/pretest']],
    ['a hook after', { ...baseline, scripts: { ...baseline.scripts, posttest: 'exit 0' } }, ['scripts/posttest']],
    [
      'a hook of the installation',
      { ...baseline, scripts: { ...baseline.scripts, prepare: 'x' } },
      ['scripts/prepare'],
    ],
    ['a section of a runner', { ...baseline, jest: { testMatch: [] } }, ['jest']],
    ['an added section of a runner', { ...baseline, mocha: { spec: [] } }, ['mocha']],
    ['a removed section', { ...baseline, jest: undefined }, ['jest']],
    ['the name of a runner', { ...baseline, name: 'vitest' }, ['name']],
  ])('%s is put back, whatever may be kept', (_, work, changed) => {
    for (const keepAdded of [false, true]) {
      expect(inRoom(work, keepAdded)).toEqual({ value: baseline, changed, added: [] });
    }
  });

  it('keeps an added script only where tests are added, with its own hooks', () => {
    const scripts = { ...baseline.scripts, lint: 'eslint .', prelint: 'echo' };
    const work = { ...baseline, scripts };
    expect(inRoom(work)).toEqual({ value: baseline, changed: [], added: ['scripts/lint', 'scripts/prelint'] });
    expect(inRoom(work, true)).toEqual({ value: work, changed: [], added: ['scripts/lint', 'scripts/prelint'] });
  });

  it('lets a package change its name', () => {
    expect(inRoom({ ...baseline, name: 'store' })).toMatchObject({ value: { name: 'store' }, changed: [] });
  });

  it.each<[string, string]>([
    ['cut text', '{"scripts":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['nothing', ''],
    ['a nest too deep', `${'{"deep":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ])('is the whole baseline for %s', (_, work) => {
    expect(withJudgeParts('package.json', work, json(baseline))).toEqual({
      text: json(baseline),
      changed: [WHOLE_FILE],
      added: [],
    });
  });

  it('is the baseline when it was deleted, and loses the parts of the judge when it was added', () => {
    expect(withJudgeParts('package.json', undefined, json(baseline)).text).toBe(json(baseline));
    const { text = '', changed } = withJudgeParts(
      'a/package.json',
      json({ name: 'a', jest: {}, scripts: { test: 'x' } }),
      undefined,
    );
    expect(JSON.parse(text)).toEqual({ name: 'a', scripts: {} });
    expect(changed).toEqual(['jest']);
    expect(withJudgeParts('a/package.json', '{', undefined)).toEqual({
      text: undefined,
      changed: [WHOLE_FILE],
      added: [],
    });
  });

  it('is the work without scripts when the baseline could not be read', () => {
    const { text = '', added } = withJudgeParts('package.json', json({ name: 'a', scripts: { test: 'x' } }), '{');
    expect(JSON.parse(text)).toEqual({ name: 'a', scripts: {} });
    expect(added).toEqual(['scripts/test']);
  });

  it('is not fooled by keys with a meaning of their own, or by a mark of the byte order', () => {
    const work =
      '\uFEFF{"scripts":{"test":"vitest run","build":"tsc","__proto__":"x","constructor":"y"},"jest":{"bail":1},"name":"shop","version":"1.0.0"}';
    const { text = '', added } = withJudgeParts('package.json', work, json(baseline));
    expect(JSON.parse(text)).toEqual(baseline);
    expect(added).toEqual(['scripts/__proto__', 'scripts/constructor']);
  });
});

describe('pyproject.toml', () => {
  const baseline =
    '[project]\nname = "shop"\ndependencies = ["a"]\n\n[tool.pytest.ini_options]\naddopts = "-ra"\n\n[tool.black]\nline-length = 100\n';

  it('keeps dependencies and puts back the options of the runner', () => {
    const work =
      baseline.replace('["a"]', '["a", "b"]').replace('-ra', '-k nothing') +
      '\n[tool.coverage.report]\nfail_under = 0\n';
    const { text = '', changed } = withJudgeParts('pyproject.toml', work, baseline);
    expect(changed).toEqual(['tool/pytest', 'tool/coverage']);
    expect(parseToml(text)).toEqual(parseToml(baseline.replace('["a"]', '["a", "b"]')));
  });

  it('does not touch an honest change', () => {
    const work = `# note\n${baseline.replace('"shop"', '"store"')}`;
    expect(withJudgeParts('pyproject.toml', work, baseline)).toEqual({ text: work, changed: [], added: [] });
  });

  it('loses a plugin that the project registers for the runner', () => {
    const work = `${baseline}\n[project.entry-points.pytest11]\nx = "shop.plugin"\n`;
    const { text = '', changed } = withJudgeParts('pyproject.toml', work, baseline);
    expect(changed).toEqual(['project/entry-points/pytest11']);
    expect(text).not.toContain('shop.plugin');
  });

  it('loses the options when it was added, and is the baseline when it is broken', () => {
    expect(
      withJudgeParts('pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-x"\n[project]\nname="a"\n', undefined)
        .text,
    ).toContain('name = "a"');
    expect(
      withJudgeParts('pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-x"\n', undefined).text,
    ).not.toContain('addopts');
    expect(withJudgeParts('pyproject.toml', '[tool', baseline).text).toBe(baseline);
  });
});

describe('setup.cfg and tox.ini', () => {
  const baseline = '[metadata]\nname = shop\n\n[tool:pytest]\naddopts =\n    -ra\n';

  it('are judged by sections', () => {
    const work =
      '[metadata]\nname = store\n[tool:pytest]\naddopts = -k nothing\n[coverage:report]\nfail_under = 0\n[options]\npackages = a\n';
    const { text, changed } = withJudgeParts('setup.cfg', work, baseline);
    expect(changed).toEqual(['tool:pytest', 'coverage:report']);
    expect(text).toBe('[metadata]\nname = store\n\n[options]\npackages = a\n\n[tool:pytest]\naddopts =\n    -ra\n');
  });

  it('get a section back that was removed or moved to a second place', () => {
    expect(withJudgeParts('setup.cfg', '[metadata]\nname = shop\n', baseline).text).toContain(
      '[tool:pytest]\naddopts =\n    -ra',
    );
    expect(withJudgeParts('tox.ini', '[other]\na=1\n[pytest]\nx=1\n', undefined)).toEqual({
      text: '[other]\na=1\n',
      changed: ['pytest'],
      added: [],
    });
  });

  it('do not mind comments and order', () => {
    const work = '# hello\n[tool:pytest]\n# why\naddopts =\n    -ra\n\n[metadata]\nname = store\n';
    expect(withJudgeParts('setup.cfg', work, baseline)).toEqual({ text: work, changed: [], added: [] });
  });
});

describe('Cargo.toml', () => {
  it('of a new package keeps its name, and nothing that configures tests', () => {
    const work =
      '[package]\nname = "tax"\nversion = "0.1.0"\nautotests = false\n\n[lib]\nname = "taxes"\ntest = false\n';
    const { text = '', changed } = withJudgeParts('tax/Cargo.toml', work, undefined);
    expect(parseToml(text)).toEqual({ package: { name: 'tax', version: '0.1.0' }, lib: { name: 'taxes' } });
    expect(changed.toSorted()).toEqual(['lib/test', 'package/autotests']);
  });

  it('of a package that was there keeps the name that it had', () => {
    const work = '[package]\nname = "fake"\n';
    expect(withJudgeParts('Cargo.toml', work, '[package]\nname = "cart"\n').changed).toEqual(['package/name']);
    expect(withJudgeParts('Cargo.toml', work, '').changed).toEqual(['package/name']);
  });

  const baseline = '[package]\nname = "shop"\nversion = "0.1.0"\n\n[[bin]]\nname = "shop"\npath = "src/main.rs"\n';

  it('keeps dependencies and bins, and puts back what decides which tests run', () => {
    const work = `${baseline.replace('[package]', '[package]\nautotests = false').replace('path = "src/main.rs"', 'path = "src/main.rs"\ntest = false')}
[[bin]]
name = "other"
path = "src/other.rs"

[lib]
doctest = false
path = "src/shop.rs"

[profile.test]
debug-assertions = false

[patch.crates-io]
proptest = { path = "fake" }

[dependencies]
serde = "1"
`;
    const { text = '', changed } = withJudgeParts('Cargo.toml', work, baseline);
    expect(changed).toEqual(['lib/doctest', 'bin/shop/test', 'package/autotests', 'profile/test', 'patch']);
    expect(parseToml(text)).toMatchObject({
      package: { name: 'shop' },
      bin: [
        { name: 'shop', path: 'src/main.rs' },
        { name: 'other', path: 'src/other.rs' },
      ],
      lib: { path: 'src/shop.rs' },
      dependencies: { serde: '1' },
    });
    expect(text).not.toMatch(/autotests|doctest|debug-assertions|proptest|test = false/);
  });

  it('gets a removed test target back', () => {
    const target = '[[test]]\nname = "api"\npath = "checks/api.rs"\n';
    expect(parseToml(withJudgeParts('Cargo.toml', baseline, baseline + target).text ?? '')).toMatchObject({
      test: [{ name: 'api' }],
    });
  });
});

describe('tests inside of a source file of Rust', () => {
  const tests = (inner: string): string => `#[cfg(test)]\nmod tests {\n    use super::*;\n    ${inner}\n}\n`;
  const honest = tests('#[test]\n    fn adds() { assert_eq!(add(1, 2), 3); } // } "');
  const baseline = `pub fn add(a: i32, b: i32) -> i32 { todo!() }\n\n${honest}`;

  it('are those of the baseline, with the code of the agent', () => {
    const code = 'pub fn add<\'a>(a: i32, b: i32) -> i32 { let _ = (\'{\', "}", r#""}"#); /* } /* } */ */ a + b }\n\n';
    const work = code + tests('#[test]\n    fn adds() { assert!(true); }') + '\nfn after() {}\n';
    expect(withJudgeParts('src/lib.rs', work, baseline)).toEqual({
      text: `${code}${honest}\nfn after() {}\n`,
      changed: ['tests'],
      added: [],
    });
  });

  it('come back when they were removed, and are kept when they were added where tests are added', () => {
    const bare = 'pub fn add() {}\n';
    expect(withJudgeParts('src/lib.rs', bare, baseline).text).toBe(`${bare}\n${honest}`);
    expect(withJudgeParts('src/new.rs', bare + honest, undefined)).toEqual({
      text: `${bare}\n`,
      changed: [],
      added: ['tests'],
    });
    expect(withJudgeParts('src/new.rs', bare + honest, undefined, { keepAdded: true }).text).toBe(bare + honest);
    expect(withJudgeParts('src/lib.rs', '#[cfg(test)]\nmod tests;\n', '#[cfg(test)] mod tests;\n').changed).toEqual([
      'tests',
    ]);
  });

  it('do not touch an honest change, and a deleted file stays deleted', () => {
    const work = baseline.replace('todo!()', 'a + b');
    expect(withJudgeParts('src/lib.rs', work, baseline)).toEqual({ text: work, changed: [], added: [] });
    expect(withJudgeParts('src/lib.rs', undefined, baseline)).toEqual({
      text: undefined,
      changed: ['tests'],
      added: [],
    });
    expect(withJudgeParts('src/a.rs', undefined, 'fn a() {}')).toEqual({ text: undefined, changed: [], added: [] });
    expect(withJudgeParts('src/lib.rs', '#[cfg(test)] mod tests { {', baseline).text).toBe(baseline);
  });
});

describe('go.mod', () => {
  const baseline = 'module shop\n\ngo 1.22\n\nrequire github.com/stretchr/testify v1.9.0\n';

  it('keeps what it requires and loses what it replaces', () => {
    const work = `${baseline}require example.com/x v1.0.0\n\nreplace github.com/stretchr/testify => ./fake\n\nreplace (\n\ta => ./b\n)\n`;
    const { text, changed } = withJudgeParts('go.mod', work, baseline);
    expect(changed).toEqual(['replace']);
    expect(text).toBe(`${baseline}require example.com/x v1.0.0\n`);
  });
});

describe('pom.xml', () => {
  const pom = (inner: string): string =>
    `<?xml version="1.0"?>\n<project xmlns="x">\n<modelVersion>4.0.0</modelVersion>\n${inner}\n</project>\n`;
  const baseline = pom(
    '<properties><java>17</java></properties>\n<build><plugins><plugin>surefire</plugin></plugins></build>',
  );

  it('keeps dependencies and puts back the build', () => {
    const work = pom(
      '<properties><java>21</java><skipTests>true</skipTests></properties><dependencies><!-- <build> --><dependency>a</dependency></dependencies><build/>',
    );
    const { text = '', changed } = withJudgeParts('pom.xml', work, baseline);
    expect(changed).toEqual(['build', 'properties/skipTests']);
    expect(text).toContain('<dependency>a</dependency>');
    expect(text).toContain('<java>21</java>');
    expect(text).toContain('<plugin>surefire</plugin>');
    expect(text).not.toMatch(/skipTests|<build\/>/);
  });

  it('is the baseline when its tags do not match, or when it defines entities', () => {
    expect(withJudgeParts('pom.xml', '<project><build></project>', baseline).text).toBe(baseline);
    expect(withJudgeParts('pom.xml', `<!DOCTYPE project [<!ENTITY a "b">]>${pom('')}`, baseline).text).toBe(baseline);
  });

  it('does not touch an honest change', () => {
    const work = baseline
      .replace('</properties>', '</properties><dependencies/>')
      .replace('<build>', '<!-- why -->\n<build>');
    expect(withJudgeParts('pom.xml', work, baseline)).toEqual({ text: work, changed: [], added: [] });
  });
});

it('other files are the work as it is', () => {
  expect(withJudgeParts('src/a.ts', 'work', 'baseline')).toEqual({ text: 'work', changed: [], added: [] });
});

it('any text gives an answer', () => {
  const texts = [
    undefined,
    '',
    '\0',
    '[',
    '[[',
    '{',
    '<',
    '<a',
    '[a]\n',
    'a=',
    '(',
    'replace (',
    '<a></b>',
    '{"scripts":null}',
    'a = 1979-05-27T07:32:00Z',
  ];
  for (const path of [
    'package.json',
    'pyproject.toml',
    'setup.cfg',
    'Cargo.toml',
    'pom.xml',
    'go.mod',
    'composer.json',
    'deno.json',
    'Pipfile',
  ]) {
    for (const work of texts)
      for (const baseline of texts) expect(withJudgeParts(path, work, baseline).changed).toBeDefined();
  }
});

it('hostile texts take bounded time', () => {
  const many = (text: string): string => text.repeat(20_000);
  const start = process.cpuUsage();
  for (const text of [
    many('r#"'),
    many('#[cfg(test'),
    many('/*'),
    many('"'),
    many("'"),
    many('#[cfg(test)] mod a {'),
  ]) {
    withJudgeParts('src/a.rs', text, 'fn a() {}');
  }
  for (const text of [many('<a '), many('<a>'), many('<!--'), many('<a b="'), many('<![CDATA[')]) {
    withJudgeParts('pom.xml', text, '<a/>');
  }
  for (const text of [many('['), many('replace ('), many('[a]\n')]) {
    withJudgeParts('setup.cfg', text, '');
    withJudgeParts('go.mod', text, '');
    withJudgeParts('pyproject.toml', text, '');
  }
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(10);
});
