import { describe, expect, it } from 'vitest';
import type { InstalledLook } from '../examination.ts';
import { examination } from './examination.ts';

function aLook(more: Partial<InstalledLook>): InstalledLook {
  return {
    project: '/p',
    userFolder: '/home/ada/.claude',
    variables: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000' },
    readJson: () => [],
    managedSettings: () => [],
    readToml: () => ({}),
    isBelow: () => false,
    parentOf: () => '/',
    isFolder: () => false,
    sha256: (text) => text,
    installed: [],
    isOurCall: () => true,
    fix: 'tireless install claude-code',
    ...more,
  };
}

describe('settings that manage a machine', () => {
  it.each(['allowManagedHooksOnly', 'disableAllHooks'])('forbid the hooks of tireless: %s', (setting) => {
    const file = '/etc/claude-code/managed-settings.json';
    const found = examination.findings(aLook({ managedSettings: () => [{ file, fields: { [setting]: true } }] }));
    expect(found.filter(({ status }) => status === 'problem')).toMatchObject([
      { about: 'hooks-off', text: expect.stringContaining(`${file}, which manages`) as string },
    ]);
  });

  it('and a variable of the environment turn every hook off', () => {
    const found = examination.findings(
      aLook({ variables: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000', CLAUDE_CODE_SAFE_MODE: '1' } }),
    );
    expect(found.filter(({ status }) => status === 'problem')).toMatchObject([
      { about: 'hooks-off', fix: 'unset CLAUDE_CODE_SAFE_MODE' },
    ]);
  });
});
