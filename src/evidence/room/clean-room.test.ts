import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aCheck, aResult, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, commitAll, git, put } from '../../../test/support/a-project.ts';
import type { CheckAnswer, CheckResult } from '../../core/evidence.ts';
import type { Spec } from '../../core/loop.ts';
import type { RoomBaseline, RoomFacts, RoomSpec } from '../../core/room.ts';
import { runSteps } from '../command-steps.ts';
import { takeBaseline } from './baseline.ts';
import { enterRoom, hashWork, keepBaseline } from './clean-room.ts';
import type { RoomSite } from './furnish.ts';
import { readWork } from './read-work.ts';

const SUITE = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.sh': '[ "$(sh src/add.sh 1 2)" = 3 ] || { echo "1 failing"; exit 1; }\n',
  '.gitignore': 'ignored/\n*.log\n',
};

type Fixture = {
  readonly cwd: string;
  readonly site: RoomSite;
  readonly begin: (tree?: CheckAnswer) => Promise<RoomBaseline & { kind: 'kept' }>;
  readonly finish: (baseline: RoomBaseline) => Promise<RoomFacts & { kind: 'judged' }>;
};

function aFixture(cwd: string, command = 'sh test/add.sh', room: Partial<RoomSpec> = {}, at = cwd): Fixture {
  const home = aProject();
  const spec: Spec = aSpec({
    checks: [aCheck('unit', { probe: { kind: 'command', command } })],
    room: { keep: [], free: [], ...room },
  });
  const world = {
    baselineOf: () => path.join(home, 'loops/a-loop/baseline'),
    rooms: path.join(home, 'rooms'),
    home: path.join(home, 'user'),
    environment: process.env,
    platform: 'linux' as const,
  };
  mkdirSync(world.home);
  const site: RoomSite = { loop: 'a-loop', cwd: at, spec, world, onCheck: () => undefined };
  return {
    cwd,
    site,
    begin: async (tree = 'failed') => {
      const baseline = await runSteps(keepBaseline(site, [aResult('unit', tree)]));
      expect(baseline).toMatchObject({ kind: 'kept' });
      return baseline as RoomBaseline & { kind: 'kept' };
    },
    finish: async (baseline) => {
      const facts = await runSteps(enterRoom(site, { checks: spec.checks, baseline }));
      expect(facts).toMatchObject({ kind: 'judged' });
      return facts as RoomFacts & { kind: 'judged' };
    },
  };
}

const solve = (cwd: string): void => put(cwd, { 'src/add.sh': 'echo $(($1 + $2))\n' });
const judged = (facts: RoomFacts & { kind: 'judged' }): CheckResult | undefined => facts.runs[0]?.judged;

/** Git keeps times in seconds: changes within one second look the same. */
async function untilClock(isThere: (ms: number) => boolean): Promise<void> {
  await vi.waitUntil(() => isThere(Date.now() % 1000), { interval: 5, timeout: 3000 });
}

describe('the clean room', () => {
  it.each([
    ['in a repository', () => aRepository(SUITE)],
    ['in a folder without git', () => aProject(SUITE)],
  ])('passes honest work %s, and leaves nothing behind', async (_, make) => {
    const fixture = aFixture(make());
    const baseline = await fixture.begin();
    expect(baseline.fits).toEqual([{ name: 'unit', fit: true }]);
    solve(fixture.cwd);
    const facts = await fixture.finish(baseline);
    expect(judged(facts)?.result).toBe('passed');
    expect(facts.changes).toEqual([]);
    expect(readdirSync(fixture.site.world.rooms)).toEqual([]);
  });

  it('runs the tests as they were at the start, and names the one that was changed', async () => {
    const fixture = aFixture(aRepository(SUITE));
    const baseline = await fixture.begin();
    put(fixture.cwd, { 'test/add.sh': 'exit 0\n' });
    const facts = await fixture.finish(baseline);
    expect(judged(facts)).toMatchObject({ result: 'failed', tail: expect.stringContaining('1 failing') });
    expect(facts.runs[0]?.asLeft?.result).toBe('passed');
    expect(facts.changes).toEqual([{ path: 'test/add.sh', change: 'modified' }]);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['in the product', {}, ['looks-for-tests src/add.js']],
    ['but not in a tool for tests', { 'package.json': '{"name": "p", "keywords": ["testing"]}' }, []],
    ['but not where the project does so', { 'src/port.js': 'export const id = process.env.VITEST_POOL_ID;\n' }, []],
  ])('finds signs of tampering %s', async (_, files, expected) => {
    const fixture = aFixture(aRepository({ ...SUITE, ...files, 'src/add.js': 'export const add = 1;\n' }));
    const baseline = await fixture.begin();
    put(fixture.cwd, {
      'src/add.js': '// \0\nexport const add = process.env.VITEST_POOL_ID ? 3 : 1;\n',
      'test/add.js': 'const judged = process.env.VITEST_POOL_ID;\n',
      'ignored/add.js': 'export const add = process.env.VITEST_POOL_ID ? 3 : 1;\n',
    });
    const { signs } = await fixture.finish(baseline);
    expect(signs.map(({ code, path: file }) => `${code} ${file}`)).toEqual(expected);
  });

  it.each<[string, (cwd: string) => void]>([
    ['deleted', (cwd) => rmSync(path.join(cwd, 'test/add.sh'))],
    [
      'replaced by a link to a folder elsewhere',
      (cwd) => {
        rmSync(path.join(cwd, 'test'), { recursive: true });
        put(cwd, { 'other/add.sh': 'exit 0\n' });
        symlinkSync('other', path.join(cwd, 'test'));
      },
    ],
    [
      'changed in a commit that was amended',
      (cwd) => {
        put(cwd, { 'test/add.sh': 'exit 0\n' });
        git(cwd, 'commit', '-q', '-a', '--amend', '-m', 'nothing to see');
      },
    ],
    [
      'hidden from git',
      (cwd) => {
        git(cwd, 'update-index', '--assume-unchanged', 'test/add.sh');
        put(cwd, { 'test/add.sh': 'exit 0\n' });
      },
    ],
    [
      'changed where there is no repository any more',
      (cwd) => {
        put(cwd, { 'test/add.sh': 'exit 0\n' });
        rmSync(path.join(cwd, '.git'), { recursive: true });
      },
    ],
    [
      'changed through an attribute',
      (cwd) => {
        put(cwd, { '.gitattributes': '* filter=evil\n', 'test/add.sh': 'exit 0\n' });
        git(cwd, 'config', 'filter.evil.clean', 'true');
      },
    ],
  ])('has the test of the baseline when it was %s', async (_, cheat) => {
    const fixture = aFixture(aRepository(SUITE));
    const baseline = await fixture.begin();
    cheat(fixture.cwd);
    expect(judged(await fixture.finish(baseline))?.result).toBe('failed');
  });

  it('holds no ignored files, no processes and no caches of the agent', async () => {
    const fixture = aFixture(
      aRepository({ ...SUITE, 'src/add.sh': 'cat ignored/answer 2>/dev/null || echo "$TMPDIR"\n' }),
    );
    const baseline = await fixture.begin();
    put(fixture.cwd, { 'ignored/answer': '3\n' });
    expect(judged(await fixture.finish(baseline))?.result).toBe('failed');
  });

  it('is unfit for a check that needs an ignored file, and fit when that is kept', async () => {
    const files = { ...SUITE, 'ignored/answer': '3\n', 'src/add.sh': 'cat ignored/answer\n' };
    const unfit = await aFixture(aRepository(files)).begin('passed');
    expect(unfit.fits).toMatchObject([{ name: 'unit', fit: false, result: 'failed' }]);
    expect(unfit.ignored).toEqual(['ignored/']);
    const fit = await aFixture(aRepository(files), 'sh test/add.sh', { keep: ['ignored'] }).begin('passed');
    expect(fit.fits).toMatchObject([{ name: 'unit', fit: true }]);
  });

  it('runs its setup first', async () => {
    const files = { ...SUITE, 'src/add.sh': 'cat ignored/answer\n' };
    const setup = 'mkdir -p ignored && echo 3 > ignored/answer';
    const { fits } = await aFixture(aRepository(files), 'sh test/add.sh', { setup }).begin('passed');
    expect(fits).toMatchObject([{ fit: true }]);
  });

  it('keeps scripts of package.json, and lets the agent change the rest of it', async () => {
    const manifest = { name: 'p', scripts: { test: 'sh test/add.sh' } };
    const fixture = aFixture(aRepository({ ...SUITE, 'package.json': JSON.stringify(manifest) }), 'npm test --silent');
    const baseline = await fixture.begin();
    put(fixture.cwd, { 'package.json': JSON.stringify({ ...manifest, version: '2.0.0', scripts: { test: 'true' } }) });
    const cheated = await fixture.finish(baseline);
    expect(judged(cheated)?.result).toBe('failed');
    expect(cheated.changes).toMatchObject([{ path: 'package.json', change: 'modified', part: 'scripts/test' }]);
    put(fixture.cwd, { 'package.json': JSON.stringify({ ...manifest, version: '2.0.0' }) });
    solve(fixture.cwd);
    expect(judged(await fixture.finish(baseline))?.result).toBe('passed');
  });

  it('notices a program in a dependency folder that was replaced, with the time set back', async () => {
    const files = {
      ...SUITE,
      '.gitignore': 'node_modules/\n',
      'package.json': '{"scripts":{"test":"runner"}}',
      'node_modules/runner/run.sh': '#!/bin/sh\nsh test/add.sh\n',
    };
    const cwd = aProject(files);
    git(cwd, 'init', '-q');
    mkdirSync(path.join(cwd, 'node_modules/.bin'));
    chmodSync(path.join(cwd, 'node_modules/runner/run.sh'), 0o755);
    symlinkSync('../runner/run.sh', path.join(cwd, 'node_modules/.bin/runner'));
    commitAll(cwd);
    const fixture = aFixture(cwd, 'npm test --silent');
    const baseline = await fixture.begin();
    expect(baseline.fits).toMatchObject([{ fit: true }]);
    solve(cwd);
    expect(await fixture.finish(baseline)).toMatchObject({ changes: [], runs: [{ judged: { result: 'passed' } }] });
    const program = path.join(cwd, 'node_modules/runner/run.sh');
    const { atime, mtime } = statSync(program);
    writeFileSync(program, '#!/bin/sh\nexit 0 #########\n');
    utimesSync(program, atime, mtime);
    expect((await fixture.finish(baseline)).changes).toEqual([
      { path: 'node_modules/runner/run.sh', change: 'modified', stands: true },
    ]);
    unlinkSync(path.join(cwd, 'node_modules/.bin/runner'));
    put(cwd, { 'node_modules/.bin/node': '#!/bin/sh\nexit 0\n' });
    expect((await fixture.finish(baseline)).changes).toMatchObject([
      { path: 'node_modules/.bin/runner', change: 'deleted' },
      { path: 'node_modules/runner/run.sh' },
      { path: 'node_modules/.bin/node', change: 'added', stands: true },
    ]);
  });

  it('has the dotfiles and variables of the start', async () => {
    const fixture = aFixture(
      aRepository({ ...SUITE, 'test/add.sh': '[ ! -e ~/.npmrc ] && [ -z "$NODE_OPTIONS" ] && [ -e ~/other ]\n' }),
    );
    put(fixture.site.world.home, { other: '' });
    const environment = { ...process.env, HOME: fixture.site.world.home, NODE_OPTIONS: undefined };
    const before: RoomSite = { ...fixture.site, world: { ...fixture.site.world, environment } };
    const baseline = await runSteps(keepBaseline(before, [aResult('unit', 'passed')]));
    expect(baseline).toMatchObject({ fits: [{ fit: true }] });
    put(fixture.site.world.home, { '.npmrc': 'script-shell=/bin/true\n' });
    const after: RoomSite = {
      ...before,
      world: { ...before.world, environment: { ...environment, NODE_OPTIONS: '--x' } },
    };
    const facts = await runSteps(enterRoom(after, { checks: fixture.site.spec.checks, baseline }));
    expect(facts).toMatchObject({ runs: [{ judged: { result: 'passed' } }] });
  });

  it('carries a repository inside of the project, and file names of every kind', async () => {
    const fixture = aFixture(aRepository({ ...SUITE, 'a\nb "c".txt': 'x', 'ümlaut.txt': 'x' }));
    const baseline = await fixture.begin();
    solve(fixture.cwd);
    git(path.join(fixture.cwd, 'src'), 'init', '-q');
    expect(judged(await fixture.finish(baseline))?.result).toBe('passed');
  });

  it('is made of the whole repository when the project is a part of it', async () => {
    const root = aRepository({ 'shared/x.sh': 'exit 1\n', 'part/verify.sh': 'sh ../shared/x.sh\n' });
    const fixture = aFixture(root, 'sh verify.sh', {}, path.join(root, 'part'));
    const baseline = await fixture.begin();
    expect(baseline.fits).toMatchObject([{ fit: true }]);
    put(root, { 'part/verify.sh': 'exit 0\n' });
    expect((await fixture.finish(baseline)).changes).toEqual([{ path: 'part/verify.sh', change: 'modified' }]);
    put(root, { 'shared/x.sh': 'exit 0\n' });
    expect(judged(await fixture.finish(baseline))?.result).toBe('passed');
  });

  it('touches neither index nor objects nor files of the project', async () => {
    const fixture = aFixture(aRepository(SUITE));
    const before = git(fixture.cwd, 'count-objects', '-v');
    const baseline = await fixture.begin();
    solve(fixture.cwd);
    put(fixture.cwd, { 'new.txt': 'x' });
    await fixture.finish(baseline);
    expect(git(fixture.cwd, 'count-objects', '-v')).toBe(before);
    expect(git(fixture.cwd, 'status', '--porcelain')).toBe(' M src/add.sh\n?? new.txt\n');
  });

  it('begins with an empty project', async () => {
    const fixture = aFixture(aProject(), 'test -f made.txt');
    const baseline = await fixture.begin();
    expect(baseline.fits).toMatchObject([{ fit: true }]);
    put(fixture.cwd, { 'made.txt': 'x' });
    expect(judged(await fixture.finish(baseline))?.result).toBe('passed');
  });

  it('sees a change that leaves size and time of a file as they were', async () => {
    const fixture = aFixture(aRepository(SUITE));
    const file = path.join(fixture.cwd, 'src/add.sh');
    const { atime, mtime } = statSync(file);
    const baseline = await fixture.begin();
    solve(fixture.cwd);
    utimesSync(file, atime, mtime);
    expect(judged(await fixture.finish(baseline))?.result).toBe('passed');
  });

  it('sees a change of the same size within the second of the baseline', async () => {
    const { cwd, site } = aFixture(aRepository(SUITE));
    const { spec, world } = site;
    const keep = { dir: world.baselineOf('a-loop'), root: cwd };
    await untilClock((ms) => ms < 100);
    put(cwd, SUITE);
    const taken = await runSteps(takeBaseline({ ...world, keep, spec, at: '' }));
    solve(cwd);
    const second = Math.floor(Date.now() / 1000);
    await untilClock(() => Math.floor(Date.now() / 1000) > second);
    expect(taken).toMatchObject({ kind: 'taken', hash: expect.any(String) });
    const blob = git(cwd, 'hash-object', 'src/add.sh').trim();
    const work = await runSteps(readWork(keep, { keepIndex: false }));
    expect(work.kind === 'work' && work.files.get('src/add.sh')?.blob).toBe(blob);
  });

  it('tells the same work by the same hash', async () => {
    const fixture = aFixture(aRepository(SUITE));
    const baseline = await fixture.begin();
    solve(fixture.cwd);
    const { work } = await fixture.finish(baseline);
    expect(await runSteps(hashWork(fixture.site, baseline))).toBe(work);
    put(fixture.cwd, { 'src/add.sh': 'echo 3\n' });
    expect(await runSteps(hashWork(fixture.site, baseline))).not.toBe(work);
    expect(existsSync(path.join(fixture.cwd, '.git/index.lock'))).toBe(false);
  });

  it('asks about a failure once more in another room, where the first run has left nothing', async () => {
    const fixture = aFixture(aRepository(SUITE));
    const baseline = await fixture.begin();
    put(fixture.cwd, { 'src/add.sh': 'if [ -f seen ]; then echo 3; else touch seen; echo 0; fi\n' });
    expect(judged(await fixture.finish(baseline))?.result).toBe('failed');
  });

  it('names a test that the product rewrites while it is tested', async () => {
    const fixture = aFixture(aRepository(SUITE));
    const baseline = await fixture.begin();
    put(fixture.cwd, { 'src/add.sh': 'echo $(($1 + $2)); for f in t*/a*; do echo true > $f; done\n' });
    expect((await fixture.finish(baseline)).changes).toMatchObject([{ path: 'test/add.sh', stands: true }]);
  });

  it('leaves out a link to work outside of the project, and keeps one to a file of it', async () => {
    const fixture = aFixture(aRepository({ ...SUITE, 'src/sum.sh': 'echo 3\n' }));
    const baseline = await fixture.begin();
    const outside = path.join(aProject({ 'add.sh': 'echo 3\n' }), 'add.sh');
    for (const [target, result] of [
      [outside, 'failed'],
      ['sum.sh', 'passed'],
    ] as const) {
      rmSync(path.join(fixture.cwd, 'src/add.sh'));
      symlinkSync(target, path.join(fixture.cwd, 'src/add.sh'));
      expect(judged(await fixture.finish(baseline))?.result).toBe(result);
    }
  });

  it('makes what the agent built and added older than its sources, so that it is built anew', async () => {
    const fixture = aFixture(aRepository(SUITE), '[ src/add.sh -nt built ]');
    const baseline = await fixture.begin('passed');
    put(fixture.cwd, { built: 'x' });
    expect(judged(await fixture.finish(baseline))?.result).toBe('passed');
  });

  it.each(['.git/info/exclude', '.git/config'])('does not wait for a pipe in the place of %s', async (name) => {
    const cwd = aRepository(SUITE);
    const file = path.join(cwd, name);
    rmSync(file, { force: true });
    execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
    const fixture = aFixture(cwd);
    const baseline = await fixture.begin();
    solve(cwd);
    expect(judged(await fixture.finish(baseline))?.result).toBe('passed');
  });
});
