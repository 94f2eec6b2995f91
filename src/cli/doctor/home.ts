import type { World } from '../services.ts';
import { isWritableFolder } from '../../system/settings-files.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';

export function homeFindings({ services }: Pick<World, 'services'>): readonly Finding[] {
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
