/** Hooks in a file that the agent does not read never run: `install` does not claim to have installed them. */
import { describe, expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import { aPerson, everything } from '../support/install-suite.ts';

describe('install', () => {
  it.each([
    ['claude-code', '.claude/settings.json'],
    ['codex', '.codex/hooks.json'],
  ])(
    'refuses comments where %s passes over a file that has some, and doctor finds those that came later',
    async (host, file) => {
      const person = aPerson({ [file]: '{\n  // mine\n  "hooks": {}\n}\n' });
      const before = everything(person.home);
      const refused = await person.tireless(['install', host, '--yes']);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/contains comments .* nothing was written/u),
      ]);
      expect(everything(person.home)).toEqual(before);
      const advice = await person.tireless(['doctor', host, '--no-start']);
      expect(advice.stdout).toMatch(
        /Cannot install into .* contains comments [^]*fix: correct the file, then: tireless i/u,
      );
      put(person.home, { [file]: '{"hooks": {}}' });
      expect((await person.tireless(['install', host, '--yes'])).code).toBe(0);
      put(person.home, { [file]: person.read(file).replace('{', '{ // mine\n') });
      const { stdout } = await person.tireless(['doctor', host, '--no-start']);
      expect(stdout).toContain('contains comments or trailing commas');
      expect((await person.tireless(['uninstall', host])).code).toBe(0);
    },
  );

  it('says that no hook runs where hooks are off, and that tireless is there twice', async () => {
    const person = aPerson({ '.claude/settings.json': '{"disableAllHooks": true}' });
    const first = await person.tireless(['install', 'claude-code', '--yes']);
    expect([first.code, first.stdout]).toEqual([1, expect.stringMatching(/NO HOOK RUNS YET: .*sets disableAllHooks/u)]);
    expect(first.stdout).toContain('Written for claude-code, but hooks are switched off in claude-code');
    expect(first.stdout).not.toContain('Installed for');
    expect(first.stdout).not.toContain('more than once');
    const second = await person.tireless(['install', 'claude-code', '--project', '--yes']);
    expect(second.stdout).toContain(
      'Keep one: tireless uninstall claude-code --user, or: tireless uninstall claude-code --project',
    );
  });
});
