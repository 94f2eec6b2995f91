import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AgentWorld } from './agent-world.ts';
import type { AgentRun } from './launch/launcher.ts';

/** A client in its own terminal. */
export type Terminal = {
  /** What can be seen. */
  readonly screen: () => string;
  /** Types a line as a person would, and sends it once it is on the screen. */
  readonly say: (line: string) => Promise<void>;
  /** Pastes a text of several lines into the input box, without sending it. */
  readonly paste: (text: string) => Promise<void>;
  /** Keys by tmux's names: `Enter`, `Escape`, `Down`, `C-c`. */
  readonly press: (...keys: readonly string[]) => void;
  readonly shows: (text: string | RegExp) => Promise<void>;
  /** Waits until the screen stops changing: an earlier key may be lost, or go to what was there before. */
  readonly rests: () => Promise<void>;
};

const COLUMNS = '160';
const ROWS = '50';
const WAIT = { timeout: 60_000, interval: 100 };
/** Enough of a line to see that it was typed; a narrow box may wrap it further on. */
const TYPED_TAIL = 12;
const TYPED_WAIT = { timeout: 15_000, interval: 100 };
const ATTEMPTS_MAX = 3;

const LOOK_MS = 100;
const SAME_LOOKS = 4;
const LOOKS_MAX = 40;

/** A key right after a text counts as part of the paste, so the screen has to stop changing first. */
async function settled(screen: () => string): Promise<void> {
  let before = screen();
  for (let look = 0, same = 0; look < LOOKS_MAX && same < SAME_LOOKS; look++) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
    const now = screen();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

/** The reason why there is no terminal, or `null`. */
export function noTerminal(): string | null {
  return spawnSync('tmux', ['-V']).status === 0 ? null : 'tmux is not installed';
}

export function openTerminal(world: AgentWorld, run: Omit<AgentRun, 'prompt'> = {}): Terminal {
  const launch = world.launcher.interactive?.(world.place, run);
  if (launch === undefined) throw new Error(`${world.host} was never tried in a terminal`);
  const environment = { ...world.environment, ...launch.environment, ...run.environment, TERM: 'xterm-256color' };
  const socket = path.join(path.dirname(world.home), 'tmux.sock');
  // The server takes its environment from its first client, and with it the mark by which a world finds its processes.
  const tmux = (...args: readonly string[]): string => {
    const ran = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env: environment, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`tmux ${args[0] ?? ''}: ${ran.stderr}`);
    return ran.stdout;
  };
  const cwd = run.cwd ?? world.project;
  tmux('new-session', '-d', '-x', COLUMNS, '-y', ROWS, '-c', cwd, '--', world.place.client, ...launch.args);
  // The screen after the client exited is the only explanation of why it did.
  tmux('set-option', '-g', 'remain-on-exit', 'on');
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const screen = (): string => tmux('capture-pane', '-p');
  const shows = async (text: string | RegExp): Promise<void> => {
    if (typeof text === 'string') await expect.poll(screen, WAIT).toContain(text);
    else await expect.poll(screen, WAIT).toMatch(text);
  };
  return {
    screen,
    shows,
    rests: async () => settled(screen),
    press: (...keys) => void tmux('send-keys', ...keys),
    paste: async (text) => {
      tmux('set-buffer', '--', text);
      tmux('paste-buffer', '-p');
      await settled(screen);
    },
    say: async (line) => {
      // A client that is still reading its settings may lose what is typed.
      for (let attempt = 1; !(await isTyped(line.slice(-TYPED_TAIL))) && attempt < ATTEMPTS_MAX; attempt++)
        tmux('send-keys', 'C-u');
      await shows(line.slice(-TYPED_TAIL));
      await settled(screen);
      tmux('send-keys', 'Enter');

      async function isTyped(tail: string): Promise<boolean> {
        tmux('send-keys', '-l', line);
        try {
          await expect.poll(screen, TYPED_WAIT).toContain(tail);
          return true;
        } catch {
          return false;
        }
      }
    },
  };
}
