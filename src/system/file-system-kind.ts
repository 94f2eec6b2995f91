import { readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from './errno.ts';
import { currentPlatform, type Platform } from './paths.ts';

export type FileSystemProbe = {
  readonly os: Platform['os'];
  /** The `f_type` of the file system; `undefined` = the path does not exist or cannot be queried. */
  readonly typeOf: (path: string) => number | undefined;
  readonly mountInfo: () => string;
};

/** From linux/magic.h. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x7461636f, 'OCFS2'],
  [0x01161970, 'GFS2'],
]);
const FUSE = 0x65735546;
/** FUSE alone means nothing: a rootless container's own disk is FUSE too. */
const NETWORK_FUSE =
  /^fuse\.(?:sshfs|rclone|s3fs|gcsfuse|glusterfs|ceph|ceph-fuse|davfs|davfs2|curlftpfs|goofys|blobfuse2?|juicefs|grpcfuse|osxfs)$/u;

/**
 * The name of the network file system that a path is on; `undefined` = local or unknown (macOS). On such a file system, appends from two machines may
 * overwrite each other and a lease cannot be judged, so users are warned. A missing path counts as its parent.
 */
export function networkFileSystem(file: string, probe: FileSystemProbe = systemProbe()): string | undefined {
  if (probe.os === 'win32') return /^[\\/]{2}[^\\/.?]/u.test(file) ? 'network share' : undefined;
  if (probe.os !== 'linux') return undefined;
  let current = path.resolve(file);
  let type = probe.typeOf(current);
  while (type === undefined && current !== path.dirname(current)) {
    current = path.dirname(current);
    type = probe.typeOf(current);
  }
  if (type === undefined) return undefined;
  // The kernel's field is signed on some machines.
  const magic = type >>> 0;
  if (magic === FUSE) return networkFuse(current, probe.mountInfo());
  return NETWORK_TYPES.get(magic);
}

function networkFuse(file: string, mountInfo: string): string | undefined {
  let best = { mountPoint: '', type: '' };
  for (const line of mountInfo.split('\n')) {
    const [before, after] = line.split(' - ');
    const mountPoint = unescapeOctal(before?.split(' ')[4] ?? '');
    const type = after?.split(' ')[0] ?? '';
    const inside = mountPoint === '/' || file === mountPoint || file.startsWith(`${mountPoint}/`);
    // Later lines hide earlier ones at the same place, hence `>=`.
    if (mountPoint !== '' && inside && mountPoint.length >= best.mountPoint.length) best = { mountPoint, type };
  }
  return NETWORK_FUSE.test(best.type) ? best.type : undefined;
}

function unescapeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}

function systemProbe(): FileSystemProbe {
  return {
    os: currentPlatform().os,
    typeOf: (file) => ignoringErrno(() => statfsSync(file).type),
    mountInfo: () => ignoringErrno(() => readFileSync('/proc/self/mountinfo', 'utf8')) ?? '',
  };
}
