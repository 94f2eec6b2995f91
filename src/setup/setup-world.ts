import type { LoopId, SessionRef } from '../core/loop.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import type { SessionProcesses } from '../engine/file-owner.ts';
import type { AsyncEffects, Store } from '../engine/ports.ts';
import type { Host } from '../hosts/host.ts';

/** What setting up or examining a host needs from the process and from the layers it must not import. */
export type SetupWorld = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly services: {
    readonly home: () => string;
    readonly store: () => Promise<Store>;
    readonly dialect: (name: DialectName) => Promise<Dialect>;
    readonly sessionProcesses: () => Promise<Pick<SessionProcesses, 'isGone'>>;
    readonly session: () => Promise<{
      readonly effects: AsyncEffects;
      readonly hasNativeGoal: (host: Host, transcript: string) => boolean;
    }>;
    /** Removes every trace of a loop that was only a trial. */
    readonly forget: (loop: LoopId, session: SessionRef | null) => Promise<void>;
  };
};
