import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { codeOf, faultOf } from '../../test/support/fault-of.ts';
import { openFileStore } from './file-store.ts';
import { openLineStore } from './line-store.ts';
import { refuseSharedHome } from './private-home.ts';
import { openTrust } from './trust.ts';

function aHome(mode: number, folderMode = 0o700): string {
  const folder = aProject();
  const home = path.join(folder, 'home');
  mkdirSync(home);
  chmodSync(home, mode);
  chmodSync(folder, folderMode);
  return home;
}

const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

describe('a home that others can write to', () => {
  it.each<readonly [string, (home: string) => unknown]>([
    ['a command', (home) => openFileStore({ home })],
    ['a hook', (home) => openLineStore({ home, quick: true })],
    ['a question of trust', (home) => openTrust(home).ask('/project/.tireless/config.json', '{}')],
  ])('is refused by %s, with what to type', (_, open) => {
    const home = aHome(0o777);
    const fault = faultOf(() => open(home));
    expect(fault.code).toBe('HOME_UNUSABLE');
    expect(fault.message).toContain(`chmod go-w '${home}'`);
    chmodSync(home, 0o755);
    expect(() => open(home)).not.toThrow();
  });

  it('is refused when only a group can that is not the own one', () => {
    const home = aHome(0o775);
    expect(() => refuseSharedHome(home, true, me)).not.toThrow();
    expect(codeOf(() => refuseSharedHome(home, true, { ...me, gid: me.gid + 1 }))).toBe('HOME_UNUSABLE');
  });

  it('is refused when they can put another in its place, which they cannot in /tmp', () => {
    const fault = faultOf(() => openFileStore({ home: aHome(0o700, 0o777) }));
    expect(fault.code).toBe('HOME_UNUSABLE');
    expect(fault.message).toContain('they can write to');
    expect(() => openFileStore({ home: aHome(0o700, 0o1777) })).not.toThrow();
  });

  it('is refused when it belongs to somebody else, except for root', () => {
    const home = aHome(0o755);
    const other = { uid: me.uid + 1000, gid: me.gid };
    // Files of root belong to the system itself.
    if (me.uid === 0) chownSync(home, 999, me.gid);
    expect(codeOf(() => refuseSharedHome(home, false, other))).toBe('HOME_UNUSABLE');
    expect(() => refuseSharedHome(home, false, { uid: 0, gid: 0 })).not.toThrow();
  });

  it('is nobody’s while it is not there', () => {
    expect(() => refuseSharedHome(path.join(aHome(0o700), 'none', 'yet'), true, me)).not.toThrow();
  });
});
