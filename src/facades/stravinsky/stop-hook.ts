import type { Decision } from '../../core/decision.ts';
import { maximumFor } from '../../dialects/counting.ts';
import { dayLimitText } from '../../dialects/day-limit.ts';
import { replyIn } from '../../dialects/dialect.ts';
import { CONTINUATION_LOOP_FILE, descriptor } from '../../dialects/stravinsky/descriptor.ts';
import { stravinsky } from '../../dialects/stravinsky/dialect.ts';
import { pauseWords, resumeWords } from '../../dialects/pause-words.ts';
import { pausedNotice } from '../../dialects/stravinsky/words.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { answerOf } from '../../engine/dialect-loop.ts';
import { failOpen } from '../../engine/fail-open.ts';
import { handleStopInFile } from '../../engine/stop-in-file.ts';
import { handleToolInFile } from '../../engine/tool-in-file.ts';
import type { EmbeddedEngine, EmbeddedEngineOptions } from '../embedded-engine.ts';
import { placeInProject, withEngine } from '../embedded-engine.ts';

export type StopHookInput = EmbeddedEngineOptions & {
  /** The project, which contains the state file. Absolute. */
  readonly cwd: string;
  /** The host's id of the conversation that stopped; `null` = unknown, so nothing happens. */
  readonly session: string | null;
  /** The agent's complete last message. */
  readonly message: string;
  readonly host?: string;
  /** The length of the transcript: distinguishes one stop reported twice from two stops. */
  readonly transcriptBytes?: number;
  /** The user's checks and limits in addition to the document's. */
  readonly extras?: UserAdditions;
};

/** `exitCode` 2 sends the agent back to work with `stderr`; 0 lets it stop. `notice` is for the user, whatever the code. */
export type HookAnswer = { readonly exitCode: number; readonly stderr: string; readonly notice?: string };

/** The document's stop hook. Never throws for faults: the agent may stop, and the user is notified. */
export function stopHook(input: StopHookInput): HookAnswer {
  const { message, transcriptBytes, extras } = input;
  return answerOpenly(input, (engine) => {
    const handled = engine.run(handleStopInFile(placeOf(input), { message }, { transcriptBytes, extras }));
    const { exitCode, stderr } = replyIn('exit', stravinsky.wordsFor(answerOf(handled)));
    return { exitCode, stderr, ...noticeOf(handled, input.session) };
  });
}

export type ToolHookInput = Omit<StopHookInput, 'message' | 'transcriptBytes' | 'extras'> & {
  readonly iterationTimeoutMs: number;
};

/** Enforces the iteration timeout of a session before each tool call. */
export function toolHook(input: ToolHookInput): HookAnswer {
  return answerOpenly(input, (engine) => {
    const answer = engine.run(handleToolInFile(placeOf(input), {}, input.iterationTimeoutMs));
    return answer.kind === 'allow' ? LET_GO : { exitCode: 2, stderr: `${answer.reason}\n` };
  });
}

const LET_GO: HookAnswer = { exitCode: 0, stderr: '' };

function answerOpenly(options: EmbeddedEngineOptions, work: (engine: EmbeddedEngine) => HookAnswer): HookAnswer {
  return failOpen(
    'faults',
    () => withEngine(options, work),
    (notice) => ({ ...LET_GO, notice }),
  );
}

function placeOf(input: Pick<StopHookInput, 'cwd' | 'session' | 'host'>): DialectPlace {
  const { cwd, session, host = 'claude-code' } = input;
  return placeInProject(stravinsky, cwd, CONTINUATION_LOOP_FILE, session === null ? null : { host, id: session });
}

/** Shows the maximum as written in the file. */
function haltIn(decision: Decision & { kind: 'halt' }, loaded: DialectHandled['loaded']): string {
  const { guard, limit } = decision;
  if (guard === 'day-max') return dayLimitText(decision);
  if (guard !== 'iterations-max' || limit === null) return `${guard}, limit ${String(limit)}`;
  const maximum = maximumFor(limit - (loaded?.spec.dialect?.turnsBefore ?? 0), descriptor.counting);
  return `${maximum} of ${maximum} iterations are used`;
}

function noticeOf({ decision, reading, loaded }: DialectHandled, session: string | null): { readonly notice?: string } {
  if (reading?.kind === 'invalid') return { notice: `${CONTINUATION_LOOP_FILE} is ignored: ${reading.why}.` };
  if (session === null && reading?.active === true)
    return { notice: `${CONTINUATION_LOOP_FILE} is left alone: the host did not say which session stopped.` };
  if (decision.kind === 'halt') return { notice: `The continuation loop has stopped: ${haltIn(decision, loaded)}.` };
  if (decision.kind === 'pause' && loaded !== undefined) {
    const { loop } = loaded.state;
    return {
      notice: `The continuation loop is paused: ${pauseWords(decision)}; why: tireless explain ${loop}; ${resumeWords(loop, decision)}`,
    };
  }
  const paused = loaded === undefined ? null : pausedNotice(decision, loaded);
  return paused === null ? {} : { notice: paused };
}
