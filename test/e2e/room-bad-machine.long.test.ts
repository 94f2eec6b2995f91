/** Machines that are hard on the clean room: no space, files that cannot be read, no git. The loop runs on, and says what was proven where. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aProject, git, put } from '../support/a-project.ts';
import type { Ending } from '../support/room-case.ts';
import { HONEST, runCase, SHOP, UNIT } from '../support/room-case.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

/** A file system of its own for the state; only root can make one. */
function aSmallHome({ home }: User, options: string): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `mode=700,${options}`, 'tmpfs', home]);
  onTestFinished(() => void (status === 0 && spawnSync('umount', [home])));
  return status === 0;
}

const canMount = ((): boolean => {
  const { status } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return process.platform === 'linux' && process.getuid?.() === 0 && status === 0;
})();

const big = (user: User, bytes: number): void => {
  writeFileSync(path.join(user.project, 'big.bin'), Buffer.alloc(bytes, 'ab'));
};

describe.runIf(canMount)('without space', () => {
  it.each([
    ['what is kept at the start', 'size=6m', 8],
    ['the room', 'size=6m', 4],
  ])('for %s the loop runs, verified in the work tree only', { timeout: 120_000 }, async (_, options, megabytes) => {
    const make = (user: User): void => {
      expect(aSmallHome(user, options)).toBe(true);
      big(user, megabytes << 20);
    };
    const honest = await runCase({ make }, HONEST);
    expect(honest).toMatchObject({ code: 0, level: 'tree' });
    expect(honest.noRoom).toContain('the disk is full');
    expect(honest.stderr).toContain('set TIRELESS_HOME to a folder on a larger disk, or use --no-room');
  });

  it('for files the loop runs, verified in the work tree only', { timeout: 120_000 }, async () => {
    const make = (user: User): void => {
      expect(aSmallHome(user, 'size=60m,nr_inodes=120')).toBe(true);
      put(user.project, Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}`, `${n}`])));
    };
    const honest = await runCase({ make }, HONEST);
    expect(honest).toMatchObject({ code: 0, level: 'tree' });
    expect(honest.noRoom).toContain('the disk is full');
  });

  it('at the finish nothing is proven: the loop waits for a person', { timeout: 120_000 }, async () => {
    const make = (user: User): void => {
      expect(aSmallHome(user, 'size=12m')).toBe(true);
      big(user, 3 << 20);
    };
    const ended = await runCase({ make }, `${HONEST}; head -c 3500000 /dev/urandom > new.bin`);
    expect(ended).toMatchObject({ code: 4, level: null });
    expect(ended.stderr).toMatch(/no clean room could be made \(the disk is full.*so nothing is proven/u);
  });
});

describe.runIf(process.getuid?.() === 0)('as an ordinary user', () => {
  const NOBODY = 65_534;

  async function asNobody(make: (project: string) => void, check = UNIT): Promise<Ending> {
    const user = aUser(SHOP);
    git(user.project, 'init', '-q');
    const script = path.join(user.project, '..', `${path.basename(user.project)}-agent.sh`);
    writeFileSync(script, `cat >/dev/null\n${HONEST}\n`);
    onTestFinished(() => void spawnSync('rm', ['-f', script]));
    for (const folder of [user.project, user.home, user.env['HOME'] ?? '']) {
      spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
    }
    make(user.project);
    const { code, stdout, stderr } = await user.tireless(
      [
        'run',
        'goal',
        '--agent-command',
        `sh ${script}`,
        '--max-iterations',
        '1',
        '--json',
        '--check',
        `unit:: ${check}`,
      ],
      { cwd: user.project, uid: NOBODY },
    );
    expect(readdirSync(path.join(user.home, 'rooms'))).toEqual([]);
    const { outcome } = JSON.parse(stdout) as { outcome: { level?: string | null; noRoom?: string | null } | null };
    return { code, stderr, level: outcome?.level ?? null, noRoom: outcome?.noRoom ?? null };
  }

  const lock = (file: string): void => {
    chownSync(file, 0, 0);
    chmodSync(file, 0);
  };

  it('a file and a folder that cannot be read are left out', { timeout: 60_000 }, async () => {
    const ended = await asNobody((project) => {
      put(project, { 'secret.key': 'x', 'closed/x': 'x' });
      lock(path.join(project, 'secret.key'));
      lock(path.join(project, 'closed'));
    });
    expect(ended).toMatchObject({ code: 0, level: 'room' });
  });

  it('a check that needs such a file is judged in the work tree only', { timeout: 60_000 }, async () => {
    const ended = await asNobody((project) => {
      put(project, { 'secret.key': 'x' });
      lock(path.join(project, 'secret.key'));
    }, `[ -e secret.key ] || exit 5; ${UNIT}`);
    expect(ended).toMatchObject({ code: 0, level: 'tree', noRoom: 'it does not work for "unit"' });
  });

  it('a room with folders that nobody may write to is removed', { timeout: 60_000 }, async () => {
    const ended = await asNobody(
      () => undefined,
      `mkdir -p "$TMPDIR/closed/deep" && touch "$TMPDIR/closed/deep/x" && chmod 555 "$TMPDIR/closed/deep" "$TMPDIR/closed"; ${UNIT}`,
    );
    expect(ended).toMatchObject({ code: 0, level: 'room' });
  });
});

describe('without git on the machine', () => {
  it('the loop runs, verified in the work tree only', { timeout: 60_000 }, async () => {
    const bin = aProject();
    for (const name of ['sh', 'cat', 'node', 'setsid', 'ps', 'sleep', 'date']) {
      const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      if (found !== '') symlinkSync(found, path.join(bin, name));
    }
    mkdirSync(path.join(bin, 'empty'));
    const honest = await runCase({ env: () => ({ PATH: bin }) }, HONEST);
    expect(honest).toMatchObject({ code: 0, level: 'tree' });
    expect(honest.stderr).toContain('no clean room: git is not installed');
    expect(honest.stderr).toContain('install git');
  });
});
