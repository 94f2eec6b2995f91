import { expect, it } from 'vitest';
import type { InstalledLook } from '../examination.ts';
import { examination } from './examination.ts';

const REQUIREMENTS = '/etc/codex/requirements.toml';

function problemsWith(requirements: Readonly<Record<string, unknown>>): unknown {
  const look: InstalledLook = {
    project: '/p',
    userFolder: '/home/ada/.codex',
    variables: {},
    readJson: () => [],
    managedSettings: () => [],
    machineToml: () => ({ file: REQUIREMENTS, fields: requirements }),
    readToml: () => ({}),
    isBelow: () => false,
    parentOf: () => '/',
    isFolder: () => false,
    sha256: (text) => text,
    installed: [],
    isOurCall: () => true,
    fix: 'tireless install codex',
  };
  return examination.findings(look).filter(({ status }) => status === 'problem');
}

it.each([
  ['allow_managed_hooks_only', { allow_managed_hooks_only: true }],
  ['features.hooks', { features: { hooks: false } }],
])('names the requirement of the machine that forbids hooks: %s', (setting, requirements) => {
  expect(problemsWith(requirements)).toMatchObject([
    {
      about: 'hooks-off',
      text: `${REQUIREMENTS}, which manages this machine, sets ${setting}: no hook of tireless runs`,
      fix: expect.stringContaining('tireless run --agent codex') as string,
    },
  ]);
});

it('finds nothing in other requirements', () => {
  expect(problemsWith({ allow_managed_hooks_only: false, features: { hooks: true } })).toEqual([]);
});
