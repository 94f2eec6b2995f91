import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aCheck, aResult, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../../test/support/a-project.ts';
import type { RoomFacts } from '../../core/room.ts';
import { runSteps } from '../command-steps.ts';
import { enterRoom, keepBaseline } from './clean-room.ts';

const REAL = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const FILES = { 'src/add.sh': 'echo 3\n', 'test/add.sh': '[ "$(sh src/add.sh 1 2)" = 3 ]\n' };

afterEach(() => {
  vi.unstubAllEnvs();
});

type Machine = { readonly bin: string; readonly marker: string; readonly putGit: (folder: string) => void };

/** `early` is searched first and is empty at the start; `bin` has the git of the start. */
async function judgedAfter(act: (machine: Machine) => void): Promise<{ facts: RoomFacts; isShimRun: boolean }> {
  const home = aProject();
  const marker = path.join(home, 'marker');
  const putGit = (folder: string, text = `#!/bin/sh\n: > '${marker}'\nexec '${REAL}' "$@"\n`): void => {
    put(path.join(home, folder), { git: text });
    chmodSync(path.join(home, folder, 'git'), 0o755);
  };
  putGit('bin', `#!/bin/sh\nexec '${REAL}' "$@"\n`);
  const rest = process.env['PATH'] ?? '';
  vi.stubEnv('PATH', [path.join(home, 'early'), path.join(home, 'bin'), rest].join(':'));
  const world = {
    baselineOf: () => path.join(home, 'baseline'),
    rooms: path.join(home, 'rooms'),
    home: path.join(home, 'user'),
    environment: process.env,
    platform: 'linux' as const,
  };
  const cwd = aRepository(FILES);
  const checks = [aCheck('unit', { probe: { kind: 'command', command: 'sh test/add.sh' } })];
  const spec = aSpec({ checks, room: { keep: [], free: [] } });
  const site = { loop: 'a-loop', cwd, spec, world, onCheck: () => undefined };
  const baseline = await runSteps(keepBaseline(site, [{ ...aResult('unit', 'passed'), exitCode: 0 }]));
  expect(baseline).toMatchObject({ kind: 'kept', fits: [{ fit: true }] });
  act({ bin: path.join(home, 'bin'), marker, putGit });
  const facts = await runSteps(enterRoom(site, { checks, baseline }));
  return { facts, isShimRun: existsSync(marker) };
}

describe('the git that makes the room', () => {
  it('is the one of the start, not one that was put before it since', async () => {
    const { facts, isShimRun } = await judgedAfter(({ putGit }) => putGit('early'));
    expect(isShimRun).toBe(false);
    expect(facts).toMatchObject({ kind: 'judged', runs: [{ judged: { result: 'passed' } }] });
  });

  it('is the one of the start in another process, which has another PATH', async () => {
    const { facts, isShimRun } = await judgedAfter(({ putGit }) => {
      putGit('early');
      vi.stubEnv('PATH', `${process.env['PATH'] ?? ''}:/other`);
    });
    expect(isShimRun).toBe(false);
    expect(facts).toMatchObject({ kind: 'judged', runs: [{ judged: { result: 'passed' } }] });
  });

  it.each([
    ['replaced', ({ putGit }: Machine) => putGit('bin')],
    ['removed', ({ bin }: Machine) => rmSync(path.join(bin, 'git'))],
  ])('proves nothing once it was %s, and is named', async (_, act) => {
    const { facts, isShimRun } = await judgedAfter(act);
    expect(facts).toMatchObject({ kind: 'lost', why: 'program-changed' });
    expect(facts.kind === 'lost' && facts.detail).toMatch(/bin\/git$/u);
    expect(isShimRun).toBe(false);
  });
});
