/** A loop that lives through upgrades: each call goes to the build whose turn it is, with the same home and project. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Entry } from '../../src/core/journal.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import type { Build } from './reworded.ts';

export type UpgradeScene = {
  readonly project: string;
  /** The build of the next call. */
  readonly next: () => Build;
  readonly cli: (...args: readonly string[]) => Promise<string>;
  /** One event of Claude Code. Returns the text that the agent reads. */
  readonly hook: (event: string, fields?: object, words?: readonly string[]) => Promise<string>;
  readonly stop: (message: string, words?: readonly string[], fields?: object) => Promise<string>;
  readonly loop: () => string;
  readonly put: (file: string, text: string) => void;
  readonly edit: (file: string, change: (text: string) => string) => void;
  readonly transcript: string;
};

export type Journey = {
  readonly title: string;
  readonly live: (scene: UpgradeScene) => Promise<void>;
  /** The decisions, one word for each entry after the loop has begun. */
  readonly decided: string;
};

/** Everything in a journal that is not wording or time. */
export type Fate = { readonly event: string; readonly decision: Entry['decision']; readonly claim: unknown };

/** `builds` take turns. */
export async function fateOf({ live }: Journey, builds: readonly Build[]): Promise<readonly Fate[]> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-upgrade-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')];
  mkdirSync(project);
  vi.stubEnv('TIRELESS_HOME', home);
  await live(sceneIn(home, project, builds));
  vi.unstubAllEnvs();
  const store = openFileStore({ home });
  const fates = store.entries(loopIn(home)).map(({ event, decision, evidence }) => ({
    event: event.kind,
    // A wait that depends on the clock counts as time.
    decision: evidence.waitsOut === true && decision.kind === 'continue' ? { ...decision, delayMs: 0 } : decision,
    claim: evidence.claim ?? null,
  }));
  store.close();
  return fates;
}

function sceneIn(home: string, project: string, builds: readonly Build[]): UpgradeScene {
  let calls = 0;
  const next = (): Build => {
    const build = builds[calls++ % builds.length];
    if (build === undefined) throw new Error('a scene has a build');
    return build;
  };
  const call = (args: readonly string[], input: string): Promise<string> =>
    answer(next(), { home, project, args, input });
  const transcript = path.join(project, '..', 'session-1.jsonl');
  const hook: UpgradeScene['hook'] = async (event, fields = {}, words = []) => {
    const payload = {
      session_id: 'session-1',
      cwd: project,
      hook_event_name: event,
      stop_hook_active: false,
      ...fields,
    };
    return readBy(await call(['hook', 'claude-code', ...words], JSON.stringify(payload)));
  };
  return {
    project,
    next,
    hook,
    transcript,
    cli: (...args) => call(args, ''),
    stop: (message, words, fields) => hook('Stop', { last_assistant_message: message, ...fields }, words),
    loop: () => loopIn(home),
    put: (file, text) => {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), text);
    },
    edit: (file, change) =>
      writeFileSync(path.join(project, file), change(readFileSync(path.join(project, file), 'utf8'))),
  };
}

type Call = {
  readonly home: string;
  readonly project: string;
  readonly args: readonly string[];
  readonly input: string;
};

async function answer({ cli, entry }: Build, { home, project, args, input }: Call): Promise<string> {
  let stdout = '';
  const silent = { isTTY: false, columns: () => 80 };
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(input);
  };
  await cli.main(args, {
    stdout: { ...silent, write: (text) => void (stdout += text) },
    stderr: { ...silent, write: () => undefined },
    stdin: { isTTY: false, chunks },
    env: { ...cleanEnvironment(home), CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000' },
    cwd: project,
    services: entry.composeServices(
      () => undefined,
      () => home,
    ),
  });
  return stdout;
}

/** The longest text of a reply: the prompt, or the context. */
function readBy(stdout: string): string {
  let longest = '';
  if (stdout.trim() !== '')
    JSON.parse(stdout, (_, value: unknown) => {
      if (typeof value === 'string' && value.length > longest.length) longest = value;
      return value;
    });
  return longest;
}

function loopIn(home: string): string {
  const [loop = '', ...others] = readdirSync(path.join(home, 'loops'));
  if (loop === '' || others.length > 0) throw new Error(`${home} has not one loop`);
  return loop;
}
