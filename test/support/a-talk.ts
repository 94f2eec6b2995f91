import type { Services, World } from '../../src/cli/services.ts';
import { aProject } from './a-project.ts';

/** A user at a terminal, in this process: what they type, what they see, and the loops that are open in their project. */
export type Talk = {
  readonly world: World;
  readonly home: string;
  readonly project: string;
  readonly said: () => string;
  /** Open loops of Claude Code in the project. */
  readonly loops: string[];
  readonly afterFirstLook: (happens: () => void) => void;
};

export function aTalk(files: Readonly<Record<string, string>> = {}, typed: readonly string[] = []): Talk {
  const [home, project, kept] = [aProject(), aProject(files), aProject()];
  const written: string[] = [];
  const output = { isTTY: true, columns: () => 80, write: (text: string) => void written.push(text) };
  const loops: string[] = [];
  let afterLook = (): void => undefined;
  const list = (): readonly unknown[] => {
    const open = loops.map(() => ({
      spec: { driver: 'session' },
      state: { cwd: project, session: { host: 'claude-code', id: 's' } },
    }));
    afterLook();
    afterLook = () => undefined;
    return open;
  };
  const services = {
    home: () => kept,
    store: async () => ({ list }),
    agentCaller: async () => null,
    placedCaller: async () => null,
  } as unknown as Services;
  const world: World = {
    stdout: output,
    stderr: output,
    stdin: {
      isTTY: true,
      chunks: async function* () {
        for (const text of typed) yield Buffer.from(text);
      },
    },
    env: { HOME: home, PATH: '' },
    cwd: project,
    services,
  };
  const afterFirstLook = (happens: () => void): void => {
    afterLook = happens;
  };
  return { world, home, project, said: () => written.join(''), loops, afterFirstLook };
}

/** A user whose output goes into a pipe, in a folder of their choice. */
export function aPipe(cwd?: string): Talk {
  const talk = aTalk();
  const stdout = { ...talk.world.stdout, isTTY: false };
  return { ...talk, world: { ...talk.world, stdout, stderr: stdout, ...(cwd === undefined ? {} : { cwd }) } };
}
