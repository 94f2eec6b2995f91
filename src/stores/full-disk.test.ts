import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commit, steering } from '../../test/support/drafts.ts';
import { openFileStore } from './file-store.ts';
import { filesOf } from './loop-files.ts';

const FILL = path.join(import.meta.dirname, '../../dist-test/fill-disk.mjs');
const canMount = spawnSync('sh', ['-c', 'unshare -m true']).status === 0;

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'tireless-disk-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe.skipIf(process.platform === 'win32')('a disk that takes no more (needs a POSIX shell)', () => {
  it('is a fault that names the journal, and the torn line swallows nothing', () => {
    const [result] = shell(`ulimit -f 96; exec "$0" "$1" "$2" fill`);

    expect(result).toMatchObject({ fault: { code: 'STORE_FULL' }, torn: 0 });
    expect(faultMessage(result)).toContain(filesOf(home, 'a').journal);
    const loaded = openFileStore({ home }).load('a');
    expect(loaded?.head.revision).toBe(result?.['ackedBefore']);
    if (loaded === undefined) throw new Error('the loop is gone');
    const next = commit(openFileStore({ home }), loaded, steering('there is room again'));
    expect(openFileStore({ home }).load('a')).toEqual(next);
    expect(openFileStore({ home }).health('a')).toMatchObject({ torn: 1, revision: next.head.revision });
  });

  it.skipIf(!canMount)('continues where it was once there is room (needs the right to mount)', () => {
    const [result] = shell(`mount -t tmpfs -o size=400k,mode=700 tmpfs "$2" && exec "$0" "$1" "$2" refill`);

    expect(result).toMatchObject({ fault: { code: 'STORE_FULL' } });
    expect(faultMessage(result)).toContain('the disk is full');
    expect(result?.['acked']).toBe(Number(result?.['ackedBefore']) + 1);
    expect(result?.['revision']).toBe(result?.['acked']);
  });

  it.skipIf(!canMount)('can still be read when it is read-only (needs the right to mount)', () => {
    const [, result] = shell(
      `mount -t tmpfs -o size=400k,mode=700 tmpfs "$2" && "$0" "$1" "$2" fill && mount -o remount,ro "$2" && exec "$0" "$1" "$2" read-only`,
    );

    expect(result).toMatchObject({
      listed: 1,
      commit: { code: 'STORE_UNWRITABLE' },
      create: { code: 'STORE_UNWRITABLE' },
      bind: { code: 'STORE_UNWRITABLE' },
    });
    expect(result?.['revision']).toBeGreaterThan(1);
  });
});

/** Runs in a mount namespace of its own, so that a mount disappears with it. Returns the lines of JSON it printed. */
function shell(script: string): readonly (Record<string, unknown> | undefined)[] {
  const command = ['sh', '-c', script, process.execPath, FILL, home];
  const [program = '', ...rest] = canMount ? ['unshare', '-m', ...command] : command;
  const { stdout, stderr, status } = spawnSync(program, rest, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`status ${status}: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function faultMessage(result: Record<string, unknown> | undefined): string {
  return JSON.stringify(result?.['fault']);
}
