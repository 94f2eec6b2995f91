import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../../test/support/a-project.ts';
import type { RoomFacts } from '../../core/room.ts';
import { runSteps } from '../command-steps.ts';
import { enterRoom, hashWork, keepBaseline } from './clean-room.ts';
import { diffJudge } from './diff-judge.ts';
import type { RoomSite } from './furnish.ts';

const FILES = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.sh': '[ "$(sh src/add.sh 1 2)" = 3 ]\n',
  '.gitignore': 'data/\n',
  'data/table.txt': 'kept\n',
};
const WEAK = 'exit 0 # weak\n';

function aSite(cwd: string): RoomSite & { readonly dir: string } {
  const home = aProject();
  const dir = path.join(home, 'baseline');
  const world = {
    baselineOf: () => dir,
    rooms: path.join(home, 'rooms'),
    home: path.join(home, 'user'),
    environment: process.env,
    platform: 'linux' as const,
  };
  put(world.home, { '.npmrc': 'fund=false\n' });
  const spec = aSpec({
    checks: [aCheck('unit', { probe: { kind: 'command', command: 'sh test/add.sh' } })],
    room: { keep: ['data'], free: [] },
  });
  return { loop: 'a-loop', cwd, spec, world, onCheck: () => undefined, dir };
}

/** What the room finds after `act`, which an agent may do: the baseline is in a folder that it can write to. */
async function judgedAfter(act: (dir: string, cwd: string) => void): Promise<RoomFacts> {
  const cwd = aRepository(FILES);
  const site = aSite(cwd);
  const baseline = await runSteps(keepBaseline(site, [aResult('unit', 'failed')]));
  expect(baseline).toMatchObject({ kind: 'kept', fits: [{ fit: true }] });
  put(cwd, { 'test/add.sh': WEAK });
  act(site.dir, cwd);
  return runSteps(enterRoom(site, { checks: site.spec.checks, baseline }));
}

function git(dir: string, args: readonly string[], input = ''): string {
  return execFileSync('git', [`--git-dir=${path.join(dir, 'git')}`, ...args], { input, encoding: 'utf8' }).trim();
}

function idOf(text: string): string {
  return createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
}

/** An object under the id of one text, with another text. git does not compare them when it reads. */
function plant(objects: string, id: string, text: string): void {
  const file = path.join(objects, id.slice(0, 2), id.slice(2));
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, deflateSync(`blob ${text.length}\0${text}`));
}

/** All packs as single objects, which can then be exchanged. */
function unpack(dir: string): void {
  const packs = path.join(dir, 'git/objects/pack');
  const aside = path.join(dir, 'aside');
  renameSync(packs, aside);
  mkdirSync(packs);
  for (const name of readdirSync(aside).filter((file) => file.endsWith('.pack')))
    execFileSync('git', [`--git-dir=${path.join(dir, 'git')}`, 'unpack-objects', '-q'], {
      input: readFileSync(path.join(aside, name)),
    });
}

describe('a baseline that was changed after the start', () => {
  it.each<[string, string, (dir: string, cwd: string) => void]>([
    [
      'by a replacement for an object',
      'git/',
      (dir) => {
        const weak = git(dir, ['hash-object', '-w', '--stdin'], WEAK);
        git(dir, ['replace', idOf(FILES['test/add.sh']), weak]);
      },
    ],
    [
      'by a filter in its own settings',
      'git/',
      (dir) => {
        git(dir, ['config', 'filter.weak.smudge', `printf '${WEAK.trim()}'`]);
        writeFileSync(path.join(dir, 'git/info/attributes'), 'test/* filter=weak\n');
      },
    ],
    [
      "by another object under a test's id",
      'git/objects',
      (dir) => {
        unpack(dir);
        plant(path.join(dir, 'git/objects'), idOf(FILES['test/add.sh']), WEAK);
      },
    ],
    [
      'by another object under the id of product code that the agent left as it was',
      'git/objects',
      (dir) => {
        unpack(dir);
        plant(path.join(dir, 'git/objects'), idOf(FILES['src/add.sh']), 'kill -9 $PPID\n');
      },
    ],
    [
      'by an index that vouches for other bytes',
      'index',
      (dir) => {
        const index = readFileSync(path.join(dir, 'index'));
        writeFileSync(path.join(dir, 'index'), Buffer.concat([index, Buffer.from('\n')]));
      },
    ],
    [
      'in a stored dotfile',
      'home/.npmrc',
      (dir) => {
        put(path.join(dir, '../user'), { '.npmrc': 'script-shell=true\n' });
        put(dir, { 'home/.npmrc': 'ignore-scripts=true\n' });
      },
    ],
    ['in a file that the user kept', 'kept/data/table.txt', (dir) => put(dir, { 'kept/data/table.txt': 'other\n' })],
    ['by a new file', 'git/objects', (dir) => put(dir, { 'git/objects/info/alternates': '/tmp\n' })],
    ['in its record', 'record.json', (dir) => put(dir, { 'record.json': '{}' })],
  ])('proves nothing: %s', async (_, named, act) => {
    const facts = await judgedAfter(act);
    expect(facts).toMatchObject({ kind: 'lost', why: 'baseline-changed' });
    expect(facts.kind === 'lost' && facts.detail).toContain(named);
  });

  it('is reported as missing when it is gone', async () => {
    const facts = await judgedAfter((dir) => rmSync(dir, { recursive: true }));
    expect(facts).toMatchObject({ kind: 'lost', why: 'baseline-lost' });
  });

  it('says nothing about the work that a person approves', async () => {
    const cwd = aRepository(FILES);
    const site = aSite(cwd);
    const baseline = await runSteps(keepBaseline(site, [aResult('unit', 'failed')]));
    expect(await runSteps(hashWork(site, baseline))).toMatch(/^[0-9a-f]{64}$/u);
    put(site.dir, { 'git/config': '' });
    expect(await runSteps(hashWork(site, baseline))).toBeNull();
  });
});

describe('the baseline', () => {
  it('stays as it is when work is judged, compared and hashed', async () => {
    const cwd = aRepository(FILES);
    const site = aSite(cwd);
    const baseline = await runSteps(keepBaseline(site, [aResult('unit', 'failed')]));
    const list = (): string => execFileSync('find', ['.', '-type', 'f'], { cwd: site.dir, encoding: 'utf8' });
    const before = list();
    put(cwd, { 'src/new.sh': 'echo new\n', 'test/add.sh': WEAK });
    expect(await runSteps(enterRoom(site, { checks: site.spec.checks, baseline }))).toMatchObject({ kind: 'judged' });
    expect(await runSteps(diffJudge(site, baseline))).toMatchObject({ kind: 'diff' });
    await runSteps(hashWork(site, baseline));
    expect(list()).toBe(before);
  });
});
