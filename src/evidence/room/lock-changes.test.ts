import { describe, expect, it } from 'vitest';
import path from 'node:path';
import { aProject } from '../../../test/support/a-project.ts';
import { explainByLock } from './lock-changes.ts';

const pinned = (version: string, more: object = {}): object => ({
  version,
  resolved: `https://registry.npmjs.org/x/-/x-${version}.tgz`,
  integrity: `sha512-${version}`,
  ...more,
});
const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });

const ODD = pinned('3.0.0', { dependencies: { 'is-number': '^6.0.0' } });
const RUNNER = pinned('1.0.0', { dependencies: { 'is-number': '^6.0.0' } });
const BEFORE = { '': { dependencies: { 'is-odd': '3' } }, 'node_modules/is-odd': ODD };
const NOW = {
  '': { dependencies: { 'is-odd': '3', 'is-number': '7' } },
  'node_modules/is-odd': ODD,
  'node_modules/is-number': pinned('7.0.0'),
  'node_modules/is-odd/node_modules/is-number': pinned('6.0.0'),
};
const INSTALLED = {
  'node_modules/is-number/package.json': '{"version":"7.0.0"}',
  'node_modules/is-odd/package.json': '{"version":"3.0.0"}',
  'node_modules/is-odd/node_modules/is-number/package.json': '{"version":"6.0.0"}',
};

type Given = {
  readonly before?: object;
  readonly now?: object;
  readonly packages?: string[];
  readonly isNew?: boolean;
};

function explained(file: string, given: Given = {}, change: 'modified' | 'deleted' = 'modified'): boolean {
  const { before = { ...BEFORE, 'node_modules/is-number': pinned('6.0.0') }, now = NOW, packages = [] } = given;
  const root = aProject(INSTALLED);
  const texts = { before: lock(before), now: lock(now), packages, isNew: given.isNew ?? false };
  return explainByLock(path.join(root, 'node_modules'), texts)(file, change);
}

describe('a change in node_modules', () => {
  it('is explained when the lock file pins another version there, and that is the one', () => {
    expect(explained('is-number/index.js')).toBe(true);
    expect(explained('is-odd/node_modules/is-number/index.js')).toBe(true);
    const bare = { ...NOW, 'node_modules/is-number': pinned('7.0.0', { resolved: undefined }) };
    expect(explained('is-number/index.js', { now: bare })).toBe(true);
    expect(explained('is-number/index.js', { now: { ...NOW, 'node_modules/is-number': pinned('8.0.0') } })).toBe(false);
  });

  it('is not when the package is the same, unknown, or from elsewhere', () => {
    expect(explained('is-odd/index.js')).toBe(false);
    expect(explained('other/index.js')).toBe(false);
    expect(explained('.bin/vitest')).toBe(false);
    const local = { ...NOW, 'node_modules/is-number': pinned('7.0.0', { resolved: 'file:../fake' }) };
    expect(explained('is-number/index.js', { now: local })).toBe(false);
  });

  it('is not when a runner, a development dependency or a test needs the package', () => {
    const dev = { '': { devDependencies: { runner: '1' } }, 'node_modules/runner': RUNNER };
    expect(explained('is-number/index.js', { now: { ...NOW, ...dev } })).toBe(false);
    const program = {
      '': { dependencies: { runner: '1' } },
      'node_modules/runner': { ...RUNNER, bin: { runner: 'x' } },
    };
    expect(explained('is-number/index.js', { now: { ...NOW, ...program } })).toBe(false);
    expect(explained('is-number/index.js', { packages: ['is-number'] })).toBe(false);
    expect(explained('is-odd/node_modules/is-number/index.js', { packages: ['is-odd'] })).toBe(false);
  });

  it('is explained when the package left', () => {
    expect(explained('is-number/index.js', { now: BEFORE }, 'deleted')).toBe(true);
    expect(explained('is-number/index.js', { now: BEFORE })).toBe(false);
  });

  it('is explained in a new folder, without a lock file at the start too', () => {
    expect(explained('is-number/index.js', { before: {}, isNew: true })).toBe(true);
    expect(explained('is-odd/index.js', { before: BEFORE, isNew: true })).toBe(true);
    expect(explained('is-odd/index.js', { before: BEFORE })).toBe(false);
  });
});
