import { isSameSession } from '../core/loop.ts';
import type { Dialect, Words } from '../dialects/dialect.ts';
import type { ApprovalRules, DialectExtras } from '../engine/dialect-extras.ts';
import type { SessionPrograms } from '../engine/file-owner.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import type { AsyncEffects, Loaded } from '../engine/ports.ts';
import type { Extras } from '../engine/start-from-file.ts';
import type { OurEvent, Steps } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import type { OwnLoop } from './dialect-session.ts';
import type { HookFiles, HookWorld } from './hook-world.ts';

/** The options of `tireless hook HOST --dialect NAME`. */
export type DialectRequest = {
  readonly dialect: Dialect;
  readonly extras: Extras;
  /** The file with the TODOs, for a document with reminders; `undefined` = its default. */
  readonly todos: string | undefined;
  readonly approval: ApprovalRules;
  /** After a turn that failed, this process waits and wakes the agent: the reply itself sends nobody back. */
  readonly wakes?: boolean;
};

export type DialectPorts = Pick<HookWorld, 'env' | 'projectDirectory'> & {
  readonly files: HookFiles;
  readonly run: <R>(pipeline: Pipeline<R>) => Promise<R>;
  readonly effects: Pick<AsyncEffects, 'load' | 'loopOfSession'>;
  readonly dialectExtras: (name: string) => Promise<DialectExtras>;
  /** Waits for work in the background; `true` = it is still not done. `loaded`: absent = the file has no loop yet. */
  readonly waitForBackground: (event: OurEvent, loaded?: Loaded) => Promise<boolean>;
  readonly programs: () => Promise<SessionPrograms>;
};

export type DialectAnswer = { readonly delayMs: number } & (
  | { readonly kind: 'words'; readonly words: Words }
  /** About a tool: documents have no words for that, so the host's are used. `reason`: it is refused. */
  | { readonly kind: 'tool'; readonly reason: string | null }
  /** Text for the agent, before it reads on. */
  | {
      readonly kind: 'context';
      readonly at: 'SessionStart' | 'UserPromptSubmit';
      readonly text: string;
      /** For the user's eyes. */
      readonly notice?: string;
    }
);

export type Found = {
  readonly project: string;
  readonly extras: DialectExtras;
  /** Where the state file may be, relative to the project, best first. */
  readonly files: readonly string[];
};

export type Scene = {
  readonly event: OurEvent;
  readonly request: DialectRequest;
  readonly ports: DialectPorts;
} & Found;

export const NO_LOOP: Words = { goesOn: false, text: '', reason: 'no active loop' };

export function inWords(words: Words): DialectAnswer {
  return { kind: 'words', words, delayMs: 0 };
}

/** What there is to show, one below the other; `null` = nothing. */
export function inLines(...notices: readonly (string | null)[]): string | null {
  const shown = notices.filter((notice) => notice !== null);
  return shown.length === 0 ? null : shown.join('\n');
}

export function* ownLoop({ event, project, request, ports, extras }: Scene): Steps<OwnLoop> {
  const own = yield* loopInOwnFile(event, project, request, ports);
  return { own, dialect: request.dialect, extras, run: ports.run };
}

/** The file of the session's own loop comes first at a turn, also when it is gone: people cancel by removing it. */
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
