import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { Loaded } from '../../src/engine/ports.ts';
import { replay } from '../../src/core/journal.ts';
import type {
  EngineLoopManager,
  LoopConfig,
  LoopManagerOptions,
  OldLoopConfig,
} from '../../src/facades/athena/index.ts';
import { createLoopManager, trackerPathFor } from '../../src/facades/athena/index.ts';
import { aProject } from './a-project.ts';

export const CONFIG: LoopConfig = { enabled: true, completionMarker: 'E2E_COMPLETE', maxIterations: 3 };

/** A project with a home of its own, and what was logged while its managers worked. */
export type AthenaFixture = {
  readonly project: string;
  readonly home: string;
  readonly file: string;
  readonly warnings: string[];
  readonly infos: string[];
  readonly options: LoopManagerOptions;
  manager(config?: LoopConfig | OldLoopConfig, more?: LoopManagerOptions): EngineLoopManager;
  read(): string | undefined;
  write(text: string): void;
  /** What the agent does. */
  append(text: string): void;
  remove(): void;
  loops(): readonly Loaded[];
  /** Texts kept in the history of the loops. */
  archived(): string[];
  /** How many decisions differ when all are made again. */
  differences(): number;
};

export function anAthenaFixture(session = 's-1'): AthenaFixture {
  const project = aProject();
  const home = aProject();
  const file = trackerPathFor(project, session);
  const warnings: string[] = [];
  const infos: string[] = [];
  const logger = { warn: (text: string) => void warnings.push(text), info: (text: string) => void infos.push(text) };
  const options = { home, logger };
  const read = (): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  const store = (): ReturnType<typeof openFileStore> => openFileStore({ home });
  const loops = (): readonly Loaded[] => store().list({ ended: 'both' });
  return {
    project,
    home,
    file,
    warnings,
    infos,
    options,
    manager: (config = CONFIG, more = {}) => createLoopManager(file, config, { ...options, ...more }),
    read,
    write: (text) => writeFileSync(file, text),
    append: (text) => writeFileSync(file, `${read() ?? ''}${text}`),
    remove: () => rmSync(file),
    loops,
    archived: () =>
      loops().flatMap(({ state }) => {
        const folder = path.join(home, 'loops', state.loop, 'archive');
        return existsSync(folder)
          ? readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
          : [];
      }),
    differences: () => loops().flatMap(({ state }) => replay(store().entries(state.loop)).differences).length,
  };
}
