import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { bootOf, currentBoot, isSameBoot, type BootProbe } from './boot.ts';
import { systemClock } from './clock.ts';

describe('systemClock', () => {
  it('reads a monotonic time that another process of this boot can compare with', () => {
    const clock = systemClock();
    const before = clock.read();
    const other = Number(
      execFileSync(process.execPath, ['-p', 'process.hrtime.bigint() / 1000000n'], { encoding: 'utf8' }).replace(
        'n',
        '',
      ),
    );
    const after = clock.read();
    expect(other).toBeGreaterThanOrEqual(before.monotonicMs);
    expect(other).toBeLessThanOrEqual(after.monotonicMs);
    expect(after.boot).toBe(before.boot);
  });

  it('sleeps at least the time asked for', async () => {
    const clock = systemClock();
    const before = clock.read().monotonicMs;
    await clock.sleep(20).done;
    expect(clock.read().monotonicMs - before).toBeGreaterThanOrEqual(20);
  });

  it('does not sleep for a time that is already over', async () => {
    await expect(systemClock().sleep(-5).done).resolves.toBeUndefined();
  });

  it('ends a sleep longer than any timer when it is cancelled', async () => {
    const sleep = systemClock().sleep(2 ** 40);
    sleep.cancel();
    await expect(sleep.done).resolves.toBeUndefined();
  });
});

describe('bootOf', () => {
  const probe = (changes: Partial<BootProbe>): BootProbe => ({
    os: 'linux',
    readText: () => undefined,
    run: () => undefined,
    wallMs: 1_800_000_000_000,
    uptimeMs: 60_000,
    ...changes,
  });

  it('takes the id of the kernel on Linux', () => {
    const id = '0D4CE0A6-1111-4222-8333-444455556666\n';
    expect(bootOf(probe({ readText: () => id }))).toBe('0d4ce0a6-1111-4222-8333-444455556666');
  });

  it('takes the id of the boot session on macOS', () => {
    const run: BootProbe['run'] = (command, args) =>
      `${command} ${args.join(' ')}` === 'sysctl -n kern.bootsessionuuid' ? 'ABCDEF01-2345\n' : undefined;
    expect(bootOf(probe({ os: 'darwin', run }))).toBe('abcdef01-2345');
  });

  it('stays the same boot while the machine runs and its clock is corrected by seconds', () => {
    const start = bootOf(probe({ os: 'win32' }));
    for (let hours = 0; hours < 48; hours += 1) {
      const later = probe({
        os: 'win32',
        wallMs: 1_800_000_000_000 + hours * 3_600_000 + 20_000,
        uptimeMs: 60_000 + hours * 3_600_000,
      });
      expect(isSameBoot(bootOf(later), start)).toBe(true);
    }
  });

  it('is another boot after a restart', () => {
    const before = bootOf(probe({ os: 'win32', uptimeMs: 3_600_000 }));
    expect(isSameBoot(bootOf(probe({ os: 'win32', uptimeMs: 5000 })), before)).toBe(false);
    expect(isSameBoot('0d4ce0a6', '0d4ce0a7')).toBe(false);
  });

  it('answers the same twice on this machine', () => {
    expect(currentBoot()).toBe(currentBoot());
    expect(currentBoot()).not.toBe('');
  });
});
