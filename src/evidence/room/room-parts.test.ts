/** The parts of a clean room, each tested on its own. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCheck, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../../test/support/a-project.ts';
import { runSteps } from '../command-steps.ts';
import { takeBaseline } from './baseline.ts';
import { keepBaseline } from './clean-room.ts';
import { dependencyChanges } from './dependency-changes.ts';
import { recordFolder } from './dependency-folders.ts';
import { describeJudge } from './describe-judge.ts';
import { diffJudge } from './diff-judge.ts';
import { withoutObstacles } from './file-list.ts';
import type { RoomSite } from './furnish.ts';
import type { HomeRecord } from './judge-home.ts';
import { changedHome, keepHome, makeHome } from './judge-home.ts';
import { lookAtCommit } from './look-at-commit.ts';
import { makeRoom, spreadRooms } from './make-room.ts';
import { commitOf } from './read-commit.ts';
import { lackOf, readWork } from './read-work.ts';
import { commitOfWork, readCheckout } from './work-identity.ts';

const FILES = { 'src/a.js': 'a\n', 'test/a.test.js': 't\n', 'vitest.config.js': 'c\n' };

function aSite(cwd: string): RoomSite {
  const home = aProject();
  const world = {
    baselineOf: () => path.join(home, 'baseline'),
    rooms: path.join(home, 'rooms'),
    home: path.join(home, 'user'),
    environment: process.env,
    platform: 'linux' as const,
  };
  mkdirSync(world.home);
  const spec = aSpec({ checks: [], room: { keep: [], free: [] } });
  return { loop: 'a-loop', cwd, spec, world, onCheck: () => undefined };
}

const answer = {
  exitCode: 1,
  signal: null,
  stdoutTail: '',
  stderrTail: 'first\nlast\n',
  stdoutBytes: 0,
  stderrBytes: 0,
  durationMs: 0,
  leftovers: 0,
  timedOut: false,
  mixed: '',
};

describe('a list of files', () => {
  const entry = { mode: '100644', blob: 'b' };

  it('loses the file that stands where a folder is needed, and what is below a file that counts', () => {
    const names = ['test', 'test/a.js', 'src', 'src/b/c.js', 'src/b', 'testing.js'];
    const left = withoutObstacles(new Map(names.map((name) => [name, entry])), ['test/a.js', 'src/b']);
    expect([...left.keys()]).toEqual(['test/a.js', 'src/b', 'testing.js']);
  });
});

describe('the dotfiles of a home', () => {
  it('are kept, below folders too, and put back in the home of the room', () => {
    const real = aProject({ '.npmrc': 'a=1\n', '.config/go/env': 'GOFLAGS=\n', 'notes.txt': 'mine\n' });
    const kept = aProject();
    const patterns = ['.npmrc', '.config/go/env', '.yarnrc'];
    const record = keepHome(real, patterns, kept);
    expect(Object.keys(record).toSorted()).toEqual(['.config/go/env', '.npmrc']);
    expect(changedHome(real, patterns, record)).toEqual([]);
    put(real, { '.config/go/env': 'GOFLAGS=-run=none\n', '.yarnrc': 'new\n' });
    const changed = changedHome(real, patterns, record);
    expect(changed).toEqual(['.config/go/env', '.yarnrc']);
    const as = path.join(aProject(), 'home');
    makeHome(as, { real, changed, record }, kept);
    expect(readFileSync(path.join(as, '.config/go/env'), 'utf8')).toBe('GOFLAGS=\n');
    expect(readFileSync(path.join(as, 'notes.txt'), 'utf8')).toBe('mine\n');
    expect(existsSync(path.join(as, '.yarnrc'))).toBe(false);
  });
});

describe('a program in a home', () => {
  function aHome(): { readonly real: string; readonly kept: string; readonly record: HomeRecord } {
    const real = aProject({ 'bin/rustup': 'a program\n', 'bin/fmt': 'another\n' });
    symlinkSync('rustup', path.join(real, 'bin/cargo'));
    const kept = aProject();
    return { real, kept, record: keepHome(real, PROGRAMS, kept) };
  }
  const PROGRAMS = ['bin/*'];

  it('is stored once for all of its names, each of which can be put back', () => {
    const { real, kept, record } = aHome();
    const [rustup, cargo, fmt] = ['rustup', 'cargo', 'fmt'].map((name) => lstatSync(path.join(kept, 'bin', name)));
    expect(cargo?.ino).toBe(rustup?.ino);
    expect(fmt?.ino).not.toBe(rustup?.ino);
    rmSync(path.join(real, 'bin/cargo'));
    put(real, { 'bin/cargo': 'echo test result: ok\n' });
    const changed = changedHome(real, PROGRAMS, record);
    expect(changed).toEqual(['bin/cargo']);
    const as = path.join(aProject(), 'home');
    makeHome(as, { real, changed, record }, kept);
    expect(readFileSync(path.join(as, 'bin/cargo'), 'utf8')).toBe('a program\n');
  });

  it('is changed by other bytes of the same size and time, and not by a touch', () => {
    const { real, record } = aHome();
    const fmt = path.join(real, 'bin/fmt');
    const { atime, mtime } = statSync(fmt);
    utimesSync(fmt, new Date(0), new Date(0));
    expect(changedHome(real, PROGRAMS, record)).toEqual([]);
    writeFileSync(fmt, 'ANOTHER\n');
    utimesSync(fmt, atime, mtime);
    expect(changedHome(real, PROGRAMS, record)).toEqual(['bin/fmt']);
  });

  it('is compared with a record of an earlier version, which has only hashes', () => {
    const { real, record } = aHome();
    const older = Object.fromEntries(Object.entries(record).map(([file, kept]) => [file, kept.split(' ')[0] ?? '']));
    expect(changedHome(real, PROGRAMS, older)).toEqual([]);
    put(real, { 'bin/fmt': 'ANOTHER\n' });
    expect(changedHome(real, PROGRAMS, older)).toEqual(['bin/fmt']);
  });
});

const GONE = "fatal: unable to stat 'tmp/1.log': No such file or directory";

describe('what git could not do', () => {
  it('is tried again, a few times, when a file was deleted meanwhile', () => {
    const dir = aProject();
    const steps = readWork({ dir, root: dir }, { keepIndex: false });
    const gone = { ...answer, exitCode: 1, stderrTail: GONE };
    let step = steps.next();
    let asked = 0;
    for (; step.done !== true; asked += 1) step = steps.next(gone);
    expect(asked).toBe(5);
    expect(step.value).toEqual({ kind: 'lack', why: 'files-vanish', detail: GONE });
  });

  it.each([
    ['git-missing', { exitCode: 127 }, 'last'],
    ['too-large', { timedOut: true }, 'it took too long to read all files'],
    ['no-space', { stderrTail: 'error: No space left on device' }, 'error: No space left on device'],
    ['files-vanish', { exitCode: 1, stderrTail: GONE }, GONE],
    ['not-readable', { stderrTail: 'open("a"): Permission denied' }, 'open("a"): Permission denied'],
    ['failed', {}, 'last'],
  ])('is told as %s', (why, facts, detail) => {
    expect(lackOf({ ...answer, ...facts })).toEqual({ kind: 'lack', why, detail });
  });
});

describe('new packages', () => {
  it.each([
    ['package.json', '{"dependencies":{"left":"1"}}'],
    ['package-lock.json', '{"packages":{"node_modules/left":{}}}'],
    ['yarn.lock', '# yarn\nleft@^1:\n'],
  ])('are no change when %s declares them', (name, text) => {
    const root = aProject({ 'node_modules/old/index.js': 'old\n', [name]: text });
    const dependencies = { node_modules: recordFolder(path.join(root, 'node_modules'), root) ?? {} };
    put(root, { 'node_modules/left/index.js': 'new\n', 'node_modules/right/index.js': 'new\n' });
    expect(dependencyChanges(root, { dependencies, lockBefore: () => undefined })).toEqual([
      { path: 'node_modules/right/index.js', change: 'added', stands: true },
    ]);
  });
});

describe('a baseline', () => {
  it('names the patterns that match nothing, and none when all match', async () => {
    const facts = async (protect: readonly string[]): Promise<unknown> => {
      const keep = { dir: path.join(aProject(), 'baseline'), root: aRepository(FILES) };
      const spec = aSpec({ protect, room: { keep: [], free: [] } });
      const taken = await runSteps(
        takeBaseline({ keep, spec, at: '', home: '', environment: process.env, rooms: path.join(keep.dir, 'rooms') }),
      );
      return taken.kind === 'taken' ? taken.facts : taken;
    };
    expect(await facts(['test/**', 'tests/**'])).toMatchObject({ unmatched: ['tests/**'] });
    expect(await facts(['test/**'])).not.toHaveProperty('unmatched');
  });

  it('shows the judge’s files by what they are', async () => {
    const keep = { dir: path.join(aProject(), 'baseline'), root: aRepository(FILES) };
    const scope = { spec: aSpec(), at: '', root: keep.root };
    const taken = await runSteps(
      takeBaseline({ keep, ...scope, home: '', environment: process.env, rooms: path.join(keep.dir, 'rooms') }),
    );
    if (taken.kind === 'lack') throw new Error(taken.detail);
    expect(await runSteps(describeJudge(keep, taken.record, scope))).toEqual({
      roles: [
        { role: 'test', count: 1, names: ['test/a.test.js'] },
        { role: 'config', count: 1, names: ['vitest.config.js'] },
      ],
      mixed: [],
      mixedMore: 0,
    });
  });

  it('that is lost gives no diff', async () => {
    const site = aSite(aRepository(FILES));
    const baseline = await runSteps(keepBaseline(site, []));
    put(site.cwd, { 'test/a.test.js': 'exit\n' });
    expect(await runSteps(diffJudge(site, baseline))).toMatchObject({
      kind: 'diff',
      text: expect.stringContaining('+exit'),
    });
    rmSync(site.world.baselineOf(site.loop), { recursive: true });
    expect(await runSteps(diffJudge(site, baseline))).toMatchObject({ kind: 'lack', why: 'baseline-lost' });
  });
});

describe('a room', () => {
  it('is made far from others where the file system can do that, and made all the same where it cannot', () => {
    const keep = { dir: aProject(), root: aProject() };
    const rooms = path.join(keep.dir, 'new/rooms');
    const steps = spreadRooms(keep, rooms);
    expect(steps.next().value).toMatchObject({
      command: 'chattr +T "$ROOMS" 2>/dev/null || :',
      environment: { ROOMS: rooms },
    });
    expect(existsSync(rooms)).toBe(true);
    expect(steps.next({ ...answer, exitCode: 127 }).done).toBe(true);
  });

  it('is not made without a file that was to be kept for it', async () => {
    const site = aSite(aRepository(FILES));
    await runSteps(keepBaseline(site, []));
    const { rooms, home } = site.world;
    const made = await runSteps(
      makeRoom(
        { dir: site.world.baselineOf(site.loop), root: realpathSync(site.cwd) },
        {
          rooms,
          files: new Map(),
          texts: new Map(),
          added: [],
          dependencies: new Map(),
          kept: ['.env'],
          home: { real: home, changed: [], record: {} },
        },
      ),
    );
    expect(made).toMatchObject({ kind: 'lack' });
    expect(readdirSync(rooms)).toEqual([]);
  });

  it('shows the files of a commit, which has nothing uncommitted', async () => {
    const site = aSite(aRepository(FILES));
    await runSteps(keepBaseline(site, []));
    writeFileSync(path.join(site.cwd, 'later.txt'), 'not committed\n');
    const commit = (await runSteps(commitOf(site.cwd, 'HEAD'))) ?? '';
    const checks = [
      aCheck('clean', { probe: { kind: 'git-clean' } as never }),
      aCheck('there', { probe: { kind: 'file-exists', path: 'src/a.js' } as never }),
      aCheck('later', { probe: { kind: 'file-exists', path: 'later.txt' } as never }),
    ];
    expect(await runSteps(lookAtCommit(site, commit, checks))).toMatchObject([
      { name: 'clean', result: 'passed' },
      { name: 'there', result: 'passed' },
      { name: 'later', result: 'failed' },
    ]);
  });
});

describe('the commit of some work', () => {
  it('is the one that holds exactly this work, and none when something stands beside it', async () => {
    const site = aSite(aRepository(FILES));
    await runSteps(keepBaseline(site, []));
    const except = path.join(realpathSync(site.cwd), 'attestation.json');
    const checkout = await runSteps(readCheckout(site.world, site.cwd, except));
    if (checkout.kind === 'lack') throw new Error(checkout.detail);
    expect(checkout.commit).toMatch(/^[0-9a-f]{40}$/u);
    writeFileSync(except, '{}\n');
    expect(await runSteps(commitOfWork(site, checkout.work, except))).toBe(checkout.commit);
    put(site.cwd, { 'more.txt': 'more\n' });
    expect(await runSteps(commitOfWork(site, checkout.work, except))).toBeNull();
    expect(readdirSync(site.world.rooms)).toEqual([]);
  });
});
