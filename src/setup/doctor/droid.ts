import type { SetupWorld } from '../setup-world.ts';
import { userFolder } from '../settings/installation.ts';
import type { Finding } from './finding.ts';
import { problem } from './finding.ts';
import { readSettings } from './read-settings.ts';

/** A `hooks.json` with events at its top hides the hooks of the settings beside it. */
export function droidFindings(project: string, world: SetupWorld): readonly Finding[] {
  return readSettings([`${project}/.factory/hooks.json`, `${userFolder('droid', world)}/hooks.json`])
    .filter(({ fields }) => Object.keys(fields).some((name) => name !== 'hooks'))
    .map(({ file }) =>
      problem('droid', {
        about: 'hooks-off',
        text: `${file} is there, so Droid reads no hooks from the settings beside it`,
        fix: `move what it holds into "hooks" of settings.json beside it, and delete ${file}`,
      }),
    );
}
