import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { networkFileSystem, type FileSystemProbe } from './file-system-kind.ts';

const probe = (types: Record<string, number>, mountInfo = ''): FileSystemProbe => ({
  os: 'linux',
  typeOf: (path) => types[path],
  mountInfo: () => mountInfo,
});

describe('networkFileSystem', () => {
  it.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0xff534d42 - 2 ** 32, 'CIFS'],
    [0xfe534d42, 'SMB2'],
    [0x01021997, '9P'],
    [0xef53, undefined],
    [0x9123683e, undefined],
  ])('knows the type %s as %s', (type, name) => {
    expect(networkFileSystem('/mnt', probe({ '/mnt': type }))).toBe(name);
  });

  it('asks the nearest parent of a path that does not exist yet', () => {
    expect(networkFileSystem('/home/ada/.local/state/tireless', probe({ '/home/ada': 0x6969, '/': 0xef53 }))).toBe(
      'NFS',
    );
    expect(networkFileSystem('/nothing', probe({}))).toBeUndefined();
  });

  it('tells sshfs from the FUSE disk of a container', () => {
    const mounts = [
      '22 1 0:21 / / rw - fuse.fuse-overlayfs fuse-overlayfs rw',
      String.raw`40 22 0:50 / /mnt/my\040host rw,nosuid shared:9 - fuse.sshfs ada@host:/ rw`,
    ].join('\n');
    const fuse = { '/mnt/my host': 0x65735546, '/mnt/my hostile': 0x65735546, '/': 0x65735546 };
    expect(networkFileSystem('/mnt/my host/project', probe(fuse, mounts))).toBe('fuse.sshfs');
    expect(networkFileSystem('/mnt/my hostile', probe(fuse, mounts))).toBeUndefined();
    expect(networkFileSystem('/', probe(fuse, mounts))).toBeUndefined();
  });

  it('knows a network share of Windows by its path', () => {
    const windows: FileSystemProbe = { ...probe({}), os: 'win32' };
    expect(networkFileSystem(String.raw`\\server\share\x`, windows)).toBe('network share');
    expect(networkFileSystem(String.raw`C:\x`, windows)).toBeUndefined();
    expect(networkFileSystem(String.raw`\\?\C:\x`, windows)).toBeUndefined();
  });

  it('does not guess where it is unknown', () => {
    expect(networkFileSystem('/x', { ...probe({ '/x': 0x6969 }), os: 'darwin' })).toBeUndefined();
  });

  it('asks this machine without a fault', () => {
    expect(['string', 'undefined']).toContain(typeof networkFileSystem(join(tmpdir(), 'not', 'there')));
  });
});
