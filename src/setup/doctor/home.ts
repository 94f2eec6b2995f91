import path from 'node:path';
import { removeLeftoversBelow, removeLeftoversOf } from '../../system/leftovers.ts';
import { isWritableFolder } from '../../system/settings-files.ts';
import { counted } from '../../views/sentences.ts';
import type { SetupWorld } from '../setup-world.ts';
import type { Finding } from './finding.ts';
import { note, ok, problem } from './finding.ts';

/** Half-written files left by killed processes: in the home, and next to the state files of loops that live in one. */
export async function leftoverFindings({ services }: Pick<SetupWorld, 'services'>): Promise<readonly Finding[]> {
  if (!isWritableFolder(services.home())) return [];
  const stateFiles = (await services.store())
    .list({ ended: 'both' })
    .flatMap(({ spec, state }) => (spec.dialect === undefined ? [] : [path.join(state.cwd, spec.dialect.file)]));
  const count = [...new Set(stateFiles)].reduce(
    (sum, file) => sum + removeLeftoversOf(file),
    removeLeftoversBelow(services.home()),
  );
  const text = `${counted(count, 'half-written file')} of killed processes removed`;
  return count === 0 ? [] : [note(null, { about: 'home', text })];
}

export function homeFindings({ services }: Pick<SetupWorld, 'services'>): readonly Finding[] {
  const home = services.home();
  return isWritableFolder(home)
    ? [ok(null, { about: 'home', text: `loops are kept in ${home}; Node ${process.versions.node}` })]
    : [
        problem(null, {
          about: 'home',
          text: `${home}, where loops are kept, cannot be written to`,
          fix: 'make it writable for you, or set TIRELESS_HOME to a folder that is',
        }),
      ];
}
