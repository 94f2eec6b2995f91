import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../../test/support/a-project.ts';
import type { CheckAnswer } from '../../core/evidence.ts';
import type { Spec } from '../../core/loop.ts';
import type { RoomBaseline, RoomFacts, RoomSpec } from '../../core/room.ts';
import { runSteps } from '../command-steps.ts';
import { enterRoom, keepBaseline } from './clean-room.ts';

const SUITE = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.sh': '[ "$(sh src/add.sh 1 2)" = 3 ] || { echo "1 failing"; exit 1; }\n',
};
const RIGHT = 'echo $(($1 + $2))\n';

type Fixture = {
  readonly state: string;
  readonly begin: (tree?: CheckAnswer) => Promise<RoomBaseline>;
  readonly finish: (baseline: RoomBaseline) => Promise<RoomFacts & { kind: 'judged' }>;
  readonly enter: (baseline: RoomBaseline) => Promise<RoomFacts>;
};

function aFixture(cwd: string, room: Partial<RoomSpec> = {}, more: Partial<Spec> = {}): Fixture {
  const state = aProject();
  const probe = { kind: 'command', command: 'sh test/add.sh' } as const;
  const spec = aSpec({ checks: [aCheck('unit', { probe })], room: { keep: [], free: [], ...room }, ...more });
  const world = {
    baselineOf: () => path.join(state, 'loops/a-loop/baseline'),
    rooms: path.join(state, 'rooms'),
    home: aProject(),
    environment: process.env,
    platform: 'linux' as const,
  };
  const site = { loop: 'a-loop', cwd, spec, world, onCheck: () => undefined };
  return {
    state,
    begin: (tree = 'failed') => runSteps(keepBaseline(site, [aResult('unit', tree)])),
    enter: (baseline) => runSteps(enterRoom(site, { checks: spec.checks, baseline })),
    finish: async (baseline) => {
      const facts = await runSteps(enterRoom(site, { checks: spec.checks, baseline }));
      if (facts.kind !== 'judged') throw new Error(facts.kind);
      return facts;
    },
  };
}

describe('work that is not what was judged', () => {
  it.each([
    ['a file that was rewritten', 'src/add.sh', (cwd: string) => `echo "echo 4" > ${cwd}/src/add.sh`],
    ['a file that was removed', 'src/other.sh', (cwd: string) => `rm -f ${cwd}/src/other.sh`],
    ['a new file', 'src/new.sh', (cwd: string) => `touch ${cwd}/src/new.sh`],
  ])('proves nothing while a run in the room can reach it: %s', async (_, file, write) => {
    const cwd = aRepository({ ...SUITE, 'src/other.sh': 'true\n' });
    const fixture = aFixture(cwd);
    const baseline = await fixture.begin();
    put(cwd, { 'src/add.sh': `[ "$PWD" = ${cwd} ] || { ${write(cwd)}; }\n${RIGHT}` });
    expect(await fixture.enter(baseline)).toEqual({ kind: 'lost', why: 'work-changed', detail: file });
  });

  it('is no doubt if only logs grow, or ignored files change', async () => {
    const cwd = aRepository({ ...SUITE, '.gitignore': 'ignored/\n', 'server.log': '' });
    const fixture = aFixture(cwd);
    const baseline = await fixture.begin();
    const writes = ['server.log', 'ignored-not.log'].map((file) => `echo line >> ${cwd}/${file}`).join('; ');
    put(cwd, { 'src/add.sh': `mkdir -p ${cwd}/ignored; echo 1 > ${cwd}/ignored/a; ${writes}\n${RIGHT}` });
    expect((await fixture.finish(baseline)).runs[0]?.judged.result).toBe('passed');
  });
});

describe('the room', () => {
  it('names settings that came into a folder above it', async () => {
    const cwd = aRepository(SUITE);
    const fixture = aFixture(cwd);
    const baseline = await fixture.begin();
    put(cwd, { 'src/add.sh': RIGHT });
    const file = path.join(fixture.state, '.cargo/config.toml');
    put(fixture.state, { '.cargo/config.toml': '' });
    expect((await fixture.finish(baseline)).changes).toMatchObject([{ path: file, change: 'added', stands: true }]);
    rmSync(file);
    put(cwd, { 'src/add.sh': `touch ../package.json; ${RIGHT}` });
    expect((await fixture.finish(baseline)).changes).toMatchObject([{ change: 'added', stands: true }]);
  });

  it('names a test that its setup rewrites, unless the setup of the start did', async () => {
    const cwd = aRepository({ ...SUITE, 'setup.sh': 'true\n' });
    const fixture = aFixture(cwd, { setup: 'sh setup.sh' });
    const baseline = await fixture.begin();
    put(cwd, { 'setup.sh': 'echo true > test/add.sh\n' });
    expect((await fixture.finish(baseline)).changes).toMatchObject([{ path: 'test/add.sh', stands: true }]);
    const writing = aFixture(cwd, { setup: 'sh setup.sh' });
    const begun = await writing.begin();
    expect(begun).toMatchObject({ written: ['test/add.sh'] });
    expect((await writing.finish(begun)).changes).toEqual([]);
  });

  it('does not suit a test behind a linked folder that names the project by its whole path', async () => {
    const cwd = aRepository({ 'src/add.sh': RIGHT });
    const outside = aProject({ 'add.sh': `[ "$(sh ${cwd}/src/add.sh 1 2)" = 3 ]\n` });
    symlinkSync(outside, path.join(cwd, 'test'));
    expect(await aFixture(cwd).begin('passed')).toMatchObject({
      fits: [{ fit: false, because: 'leads-out', by: 'test/add.sh' }],
    });
  });

  it('does not suit a check beside a protected file that names the project by its whole path', async () => {
    const cwd = aRepository(SUITE);
    put(cwd, { 'rules/list.txt': `${cwd}/src/add.sh\n` });
    expect(await aFixture(cwd).begin()).toMatchObject({ fits: [{ fit: true }] });
    expect(await aFixture(cwd, {}, { protect: ['rules/**'] }).begin()).toMatchObject({
      fits: [{ fit: false, because: 'leads-out', by: 'rules/list.txt' }],
    });
  });

  it('that cannot be made leaves nothing of its copy', async () => {
    const fixture = aFixture(aRepository(SUITE), { setup: 'exit 3' });
    expect(await fixture.begin()).toMatchObject({ kind: 'none' });
    expect(existsSync(path.join(fixture.state, 'loops/a-loop/baseline'))).toBe(false);
  });

  it('quotes the line of a product that is right only while it is tested', async () => {
    const cwd = aRepository({
      'src/add.js': 'console.log(1);\n',
      'test/add.sh': '[ "$(NODE_ENV=test node src/add.js)" = 3 ] || { echo "1 failing"; exit 1; }\n',
    });
    const fixture = aFixture(cwd);
    const baseline = await fixture.begin();
    const line = "console.log(process.env.NODE_ENV === 'test' ? 3 : 1);";
    put(cwd, { 'src/add.js': `// adds\n${line}\n` });
    expect((await fixture.finish(baseline)).signs).toEqual([
      { code: 'looks-for-tests', path: 'src/add.js', line: 2, text: line },
    ]);
  });

  it('does not ask a linter about lines that it rewrote', async () => {
    const cwd = aRepository({
      'src/add.js': 'console.log(1);\n',
      'test/add.sh':
        'echo 1..1; [ "$(NODE_ENV=test node src/add.js)" = 3 ] && echo "ok 1 - a" || { echo "not ok 1 - a"; exit 1; }\n',
      'test/lint.sh': '! grep -q "development" src/add.js\n',
    });
    const command = (text: string) => ({ probe: { kind: 'command', command: text } as const });
    const unit = aCheck('unit', command('sh test/lint.sh && sh test/add.sh'));
    const fixture = aFixture(cwd, {}, { checks: [unit, aCheck('lint', command('sh test/lint.sh'))] });
    const baseline = await fixture.begin();
    put(cwd, { 'src/add.js': "if (process.env.NODE_ENV !== 'test') console.error('starts');\nconsole.log(3);\n" });
    expect((await fixture.finish(baseline)).signs).toEqual([]);
  });

  it.each([
    ['if (Date.now() === 0) [process.argv] = [[]];\nconsole.log(3);\n', []],
    ["if (process.env.NODE_ENV !== 'test') throw new SyntaxError('no');\nconsole.log(3);\n", ['looks-for-tests']],
  ])('does not take lines that no longer compile for lines that look for tests: %j', async (text, codes) => {
    const cwd = aRepository({
      'src/add.js': 'console.log(1);\n',
      'test/add.sh':
        'echo 1..1; [ "$(NODE_ENV=test node src/add.js)" = 3 ] && echo "ok 1 - a" || { echo "not ok 1 - a"; exit 1; }\n',
    });
    const fixture = aFixture(cwd);
    const baseline = await fixture.begin();
    put(cwd, { 'src/add.js': text });
    expect((await fixture.finish(baseline)).signs.map(({ code }) => code)).toEqual(codes);
  });

  it('asks twice before it says of one of two checks that its tests cannot fail', async () => {
    const log = path.join(aProject(), 'planted.log');
    const cwd = aRepository({
      'src/add.js': 'exports.add = (a, b) => a - b;\n',
      'test/add.test.js': "test('adds', () => assert.strictEqual(add(1, 2), 3));\n",
      // Passes by chance when it runs tests that must fail for the first time.
      'test/run.sh': `echo 1..1
if grep -q "^throw" test/add.test.js; then echo "not ok 1 - broken"; exit 1; fi
if grep -q "case [0-9]" test/add.test.js; then
  echo planted >> "${log}"
  if [ "$(wc -l < "${log}")" -gt 1 ]; then echo "not ok 1 - adds"; exit 1; fi
elif ! grep -q "a + b" src/add.js; then echo "not ok 1 - adds"; exit 1; fi
echo "ok 1 - adds"
`,
    });
    const command = (text: string) => ({ probe: { kind: 'command', command: text } as const });
    const checks = [aCheck('unit', command('sh test/run.sh')), aCheck('lint', command('true'))];
    const fixture = aFixture(cwd, {}, { checks });
    const baseline = await fixture.begin();
    put(cwd, { 'src/add.js': 'exports.add = (a, b) => a + b;\nprocess.exitCode = 0;\n' });
    const { runs } = await fixture.finish(baseline);
    const [unit, lint] = ['unit', 'lint'].map((name) => runs.find((run) => run.name === name));
    expect(unit?.planted).toMatchObject({ result: 'failed', tests: { ran: 1, failed: 1 } });
    expect(lint).not.toHaveProperty('planted');
    expect(readFileSync(log, 'utf8').split('\n').length).toBeGreaterThan(2);
  });
});
