import type { SpawnResult } from '../system/spawn.ts';

/** What came since the last look: the newest output of each stream, and the result once the command has ended. */
type Delivery = { readonly stdout: string; readonly stderr: string; readonly result: SpawnResult | null };

export type OutputInbox = {
  readonly push: (stream: 'stdout' | 'stderr', text: string) => void;
  readonly end: (result: SpawnResult) => void;
  /** Resolves when there is something. For one reader, who waits for each answer before asking again. */
  readonly take: () => Promise<Delivery>;
};

/** Per stream, between two looks. */
export const PENDING_CHARS_MAX: number = 16 * 1024;

/**
 * Between a command that may print a gigabyte and a reader that may be slow: holds only the newest text of each stream. What a
 * reader misses is lost to the live view alone; the message of the turn comes from the tail that the spawn keeps.
 */
export function outputInbox(): OutputInbox {
  const pending = { stdout: '', stderr: '' };
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
    end: (ended) => {
      result = ended;
      rouse();
    },
    take: async () => {
      if (pending.stdout === '' && pending.stderr === '' && result === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const delivery = { ...pending, result };
      pending.stdout = '';
      pending.stderr = '';
      return delivery;
    },
  };
}
