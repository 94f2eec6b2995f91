import { isSameSession } from '../core/loop.ts';
import type { Dialect, Words } from '../dialects/dialect.ts';
import type { ApprovalRules, DialectExtras } from '../engine/dialect-extras.ts';
import type { SessionProcesses } from '../engine/file-owner.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import type { AsyncEffects, Loaded } from '../engine/ports.ts';
import type { UserAdditions } from '../engine/start-from-file.ts';
import type { OurEvent, Steps } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import type { OwnLoop } from './dialect-session.ts';
import type { HookFiles, HookWorld } from './hook-world.ts';

/** The options of `tireless hook HOST --dialect NAME`. */
export type DialectRequest = {
  readonly dialect: Dialect;
  readonly extras: UserAdditions;
  /** The file with the TODOs, for a document with reminders; `undefined` = its default. */
  readonly todos: string | undefined;
  readonly approval: ApprovalRules;
  /** After a failed turn, this process waits and wakes the agent: the reply itself sends nobody back. */
  readonly wakes?: boolean;
};

export type DialectPorts = Pick<HookWorld, 'env' | 'projectDirectory'> & {
  readonly files: HookFiles;
  readonly run: <R>(pipeline: Pipeline<R>) => Promise<R>;
  readonly effects: Pick<AsyncEffects, 'load' | 'loopOfSession'>;
  readonly dialectExtras: (name: string) => Promise<DialectExtras>;
  /** Waits for background work; `true` = it is still running. `loaded`: absent = the file has no loop yet. */
  readonly waitForBackground: (event: OurEvent, loaded?: Loaded) => Promise<boolean>;
  readonly processes: () => Promise<SessionProcesses>;
};

export type DialectAnswer = { readonly delayMs: number } & (
  | { readonly kind: 'words'; readonly words: Words }
  /** About a tool: documents have no words for that, so the host's are used. `reason`: why it is refused. */
  | { readonly kind: 'tool'; readonly reason: string | null }
  /** Text for the agent to read first. */
  | {
      readonly kind: 'context';
      readonly at: 'SessionStart' | 'UserPromptSubmit';
      readonly text: string;
      /** Shown to the user. */
      readonly notice?: string;
    }
);

export type FoundFiles = {
  readonly project: string;
  readonly extras: DialectExtras;
  /** Where the state file may be, relative to the project, most likely first. */
  readonly files: readonly string[];
};

export type Scene = {
  readonly event: OurEvent;
  readonly request: DialectRequest;
  readonly ports: DialectPorts;
  /** Absent = this session has a loop of its own, or looks at no other. */
  readonly processes?: SessionProcesses | undefined;
} & FoundFiles;

export const NO_LOOP: Words = { sendsBack: false, text: '', reason: 'no active loop' };

export function answerWith(words: Words): DialectAnswer {
  return { kind: 'words', words, delayMs: 0 };
}

/** The notices to show, one per line; `null` = none. */
export function joinNotices(...notices: readonly (string | null)[]): string | null {
  const shown = notices.filter((notice) => notice !== null);
  return shown.length === 0 ? null : shown.join('\n');
}

export function* ownLoop({ event, project, request, ports, extras }: Scene): Steps<OwnLoop> {
  const own = yield* loopInOwnFile(event, project, request, ports);
  return { own, dialect: request.dialect, extras, run: ports.run };
}

/** At a turn, the file of the session's own loop comes first, even if it is missing: people cancel by removing it. */
export function* ownFile(
  event: OurEvent,
  project: string,
  request: DialectRequest,
  ports: DialectPorts,
): Steps<string | undefined> {
  return (yield* loopInOwnFile(event, project, request, ports))?.spec.dialect?.file;
}

function* loopInOwnFile(
  { session }: OurEvent,
  project: string,
  { dialect }: DialectRequest,
  { effects }: DialectPorts,
): Steps<Loaded | undefined> {
  const bound = yield* step(() => effects.loopOfSession(session));
  const loaded = bound === undefined ? undefined : yield* step(() => effects.load(bound));
  const isOwn = loaded?.spec.dialect?.name === dialect.name && loaded.state.cwd === project;
  return isOwn && isSameSession(loaded.state.session, session) ? loaded : undefined;
}
