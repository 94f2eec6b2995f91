import { describe, expect, it } from 'vitest';
import type { HostFinding, InstalledLook } from '../examination.ts';
import { examination } from './examination.ts';

function aLook(more: Partial<InstalledLook>): InstalledLook {
  return {
    project: '/p',
    userFolder: '/home/ada/.claude',
    variables: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000' },
    readJson: () => [],
    managedSettings: () => [],
    machineToml: (_program, _folder, name) => ({ file: name, fields: {} }),
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

function problemsIn(more: Partial<InstalledLook>): readonly HostFinding[] {
  return examination.findings(aLook(more)).filter(({ status }) => status === 'problem');
}

describe('settings that manage a machine', () => {
  it.each(['allowManagedHooksOnly', 'disableAllHooks'])('forbid the hooks of tireless: %s', (setting) => {
    const file = '/etc/claude-code/managed-settings.json';
    const found = examination.findings(aLook({ managedSettings: () => [{ file, fields: { [setting]: true } }] }));
    expect(found.filter(({ status }) => status === 'problem')).toMatchObject([
      { about: 'hooks-off', text: expect.stringContaining(`${file}, which manages`) as string },
    ]);
  });

  it.each([{ value: true }, { value: ['skills', 'hooks'] }])(
    'lock hooks out unless they come with a plugin: %j',
    ({ value }) => {
      const file = '/etc/claude-code/managed-settings.json';
      const managed = { managedSettings: () => [{ file, fields: { strictPluginOnlyCustomization: value } }] };
      expect(problemsIn(managed)).toMatchObject([
        {
          about: 'hooks-off',
          text: expect.stringContaining(
            `${file}, which manages this machine, sets strictPluginOnlyCustomization`,
          ) as string,
          fix: expect.stringContaining('claude plugin install tireless@tireless') as string,
        },
      ]);
      const enabled = {
        file: '/home/ada/.claude/settings.json',
        fields: { enabledPlugins: { 'tireless@tireless': true } },
      };
      expect(problemsIn({ ...managed, readJson: () => [enabled] })).toEqual([]);
    },
  );

  it.each([{ value: false }, { value: ['skills'] }, { value: 'hooks' }])('leave hooks alone: %j', ({ value }) => {
    const fields = { strictPluginOnlyCustomization: value };
    expect(problemsIn({ managedSettings: () => [{ file: '/etc/x.json', fields }] })).toEqual([]);
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
