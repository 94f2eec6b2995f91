import type { AgentActivity } from '../../engine/ports.ts';
import type { SpawnResult } from '../../system/spawn.ts';

/** The newest output of each stream, what the agent did, and the result once the command has ended. */
type Delivery = {
  readonly stdout: string;
  readonly stderr: string;
  readonly activities: readonly AgentActivity[];
  readonly result: SpawnResult | null;
};

export type OutputInbox = {
  readonly push: (stream: 'stdout' | 'stderr', text: string) => void;
  readonly note: (activities: readonly AgentActivity[]) => void;
  readonly end: (result: SpawnResult) => void;
  /** Resolves when there is something to deliver. For one reader, which waits for each answer before asking again. */
  readonly take: () => Promise<Delivery>;
};

/** Per stream, between two reads. */
export const PENDING_CHARS_MAX: number = 16 * 1024;
/** Between two reads; each activity is short. */
const ACTIVITIES_MAX = 200;

/**
 * Sits between a command that may print a gigabyte and a reader that may be slow: holds only the newest text of each stream. Output that a
 * reader misses is lost only to the live view; the message of the turn comes from the tail that the spawn keeps.
 */
export function outputInbox(): OutputInbox {
  const pending = { stdout: '', stderr: '' };
  let activities: readonly AgentActivity[] = [];
  let result: SpawnResult | null = null;
  let wake: (() => void) | null = null;
  const rouse = (): void => {
    wake?.();
    wake = null;
  };
  return {
    push: (stream, text) => {
      pending[stream] = (pending[stream] + text).slice(-PENDING_CHARS_MAX);
      rouse();
    },
    note: (noted) => {
      if (noted.length === 0) return;
      activities = [...activities, ...noted].slice(-ACTIVITIES_MAX);
      rouse();
    },
    end: (ended) => {
      result = ended;
      rouse();
    },
    take: async () => {
      if (pending.stdout === '' && pending.stderr === '' && activities.length === 0 && result === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const delivery = { ...pending, activities, result };
      pending.stdout = '';
      pending.stderr = '';
      activities = [];
      return delivery;
    },
  };
}
