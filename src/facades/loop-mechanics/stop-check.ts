import type { Reply } from '../../dialects/dialect.ts';
import { replyIn } from '../../dialects/dialect.ts';
import { loopMechanics } from '../../dialects/loop-mechanics/dialect.ts';
import type { StopPayload } from '../../dialects/loop-mechanics/payload.ts';
import { readStopPayload } from '../../dialects/loop-mechanics/payload.ts';
import { answerOf } from '../../engine/dialect-loop.ts';
import { failOpen } from '../../engine/fail-open.ts';
import type { TurnReport } from '../../engine/ports.ts';
import { handleStopInFile } from '../../engine/stop-in-file.ts';
import { transcriptReader } from '../../evidence/transcript-tail.ts';
import { TRANSCRIPT } from '../../hosts/claude-code/transcript.ts';
import { lastMessageIn } from '../../hosts/transcript.ts';
import type { EmbeddedEngineOptions } from '../embedded-engine.ts';
import { withEngine } from '../embedded-engine.ts';
import type { LoopSession } from './loop-session.ts';
import { placeOf, stateIn } from './state-file.ts';
import type { Tasks } from './tasks.ts';
import { checkpoint, fileTasks } from './tasks.ts';

export type StopCheckOptions = EmbeddedEngineOptions &
  Partial<Pick<LoopSession, 'extras'>> & {
    /** The agent's last message; by default from the payload, or from its transcript through `lastMessageIn`. */
    readonly message?: string;
    /** For transcript formats other than Claude Code's. */
    readonly lastMessageIn?: (transcriptPath: string) => string | null;
    /** The length of the transcript: distinguishes one stop reported twice from two stops. */
    readonly transcriptBytes?: number;
    readonly project?: string;
    readonly host?: string;
    readonly tasks?: Tasks;
  };

/**
 * The document's two-phase stop check. `input`: the hook's JSON, as text or parsed. Only `{"ok":…,"reason":…}` goes to stdout, and the
 * exit code is always 0: a failure of tireless must not keep an agent going.
 */
export function stopCheck(input: unknown, options: StopCheckOptions = {}): Reply {
  const payload = readStopPayload(input);
  if (payload === undefined) return letStop('no active loop: the hook input names no session or no project');
  return failOpen(
    'faults',
    () => answer(payload, options),
    (why) => letStop(`no answer: ${why}`),
  );
}

function answer(payload: StopPayload, options: StopCheckOptions): Reply {
  const { project = payload.cwd, host = 'claude-code', extras, transcriptBytes } = options;
  return withEngine(options, (engine) => {
    const place = placeOf(project, { host, id: payload.session_id });
    const report = reportOf(payload, options);
    const handled = engine.run(handleStopInFile(place, report, { transcriptBytes, extras }));
    checkpoint(handled, stateIn(engine, place), options.tasks ?? fileTasks(engine.home, project));
    return replyIn('ok', loopMechanics.wordsFor(answerOf(handled)));
  });
}

function reportOf(payload: StopPayload, { message, lastMessageIn: find = inClaudeCode }: StopCheckOptions): TurnReport {
  const { transcript_path: transcript, stop_hook_active: sentBack } = payload;
  const text = message ?? payload.last_assistant_message ?? (transcript === undefined ? null : find(transcript));
  return { message: text ?? '', ...(sentBack === undefined ? {} : { sentBack }) };
}

function inClaudeCode(transcript: string): string | null {
  return lastMessageIn(transcript, TRANSCRIPT, transcriptReader);
}

function letStop(reason: string): Reply {
  return replyIn('ok', { sendsBack: false, text: '', reason });
}
