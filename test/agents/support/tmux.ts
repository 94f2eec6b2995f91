import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AgentWorld } from './agent-world.ts';
import type { AgentRun } from './launch/launcher.ts';

/** A client in a terminal of its own. */
export type Terminal = {
  /** What can be seen. */
  readonly screen: () => string;
  /** Types a line as a person would, and sends it once it stands there. */
  readonly say: (line: string) => Promise<void>;
  /** Puts a text of several lines into the box, as a terminal pastes it; nothing is sent. */
  readonly paste: (text: string) => Promise<void>;
  /** Keys by tmux's names: `Enter`, `Escape`, `Down`, `C-c`. */
  readonly press: (...keys: readonly string[]) => void;
  readonly shows: (text: string | RegExp) => Promise<void>;
  /** Until the screen stands still: a key that comes before that may be lost, or meant for what was there before. */
  readonly rests: () => Promise<void>;
};

const COLUMNS = '160';
const ROWS = '50';
const WAIT = { timeout: 60_000, interval: 100 };
/** Enough of a line to know that it was taken; a narrow box may break it further on. */
const TYPED_TAIL = 12;

const LOOK_MS = 100;
const SAME_LOOKS = 4;
const LOOKS_MAX = 40;

/** A key that comes close after a text is taken for a part of what was pasted: the screen has to stand still first. */
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
  // The server takes its environment, and with it the mark by which a world finds its processes, from its first client.
  const tmux = (...args: readonly string[]): string => {
    const ran = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env: environment, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`tmux ${args[0] ?? ''}: ${ran.stderr}`);
    return ran.stdout;
  };
  const cwd = run.cwd ?? world.project;
  tmux('new-session', '-d', '-x', COLUMNS, '-y', ROWS, '-c', cwd, '--', world.place.client, ...launch.args);
  // What is on the screen after the client ended is the only word about why it did.
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
      tmux('send-keys', '-l', line);
      await shows(line.slice(-TYPED_TAIL));
      await settled(screen);
      tmux('send-keys', 'Enter');
    },
  };
}
