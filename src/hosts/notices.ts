/** What hosts report about their screen. Never part of the fast hook: these are rare. */
import type { TranscriptReader, TurnReport } from '../engine/ports.ts';
import { fieldsOf, nameIn } from './fields.ts';
import type { Host, HostEnvironment, HostEvent } from './host.ts';

type NoticeKind = 'permission-asked' | 'agent-rested';

/** By the type of a notification, or by the event that has none. */
export type NoticeKinds = Readonly<Record<string, NoticeKind>>;

export function decodeNotice(
  { id, notices = {}, turns }: Pick<Host, 'id' | 'notices' | 'turns'>,
  payload: unknown,
  { transcripts, nowMs }: HostEnvironment,
): HostEvent | 'not-ours' {
  const fields = fieldsOf(payload) ?? {};
  const name = nameIn(fields, 'hook_event_name') ?? '';
  const type = nameIn(fields, 'notification_type') ?? name;
  const session = nameIn(fields, 'session_id');
  const cwd = nameIn(fields, 'cwd');
  if (!Object.hasOwn(notices, type) || session === undefined || cwd === undefined) return 'not-ours';
  const kind = notices[type] ?? 'permission-asked';
  const transcriptPath = nameIn(fields, 'transcript_path') ?? null;
  const idleMs = (): number | undefined => {
    const seen = transcriptPath === null ? undefined : turns?.lastWorkMs(transcriptPath, transcripts);
    return seen === undefined ? undefined : Math.max(0, nowMs() - seen);
  };
  // The next prompt reports a failed turn.
  const hasFailed = transcriptPath !== null && turns?.idleCause(transcriptPath, transcripts, Infinity) === 'failed';
  if (kind === 'agent-rested' && hasFailed) return 'not-ours';
  const report: TurnReport = kind === 'agent-rested' ? { idleMs, rests: true } : {};
  return {
    session: { host: id, id: session },
    cwd,
    name,
    event: { kind },
    report,
    transcriptPath,
    stopHookActive: false,
  };
}

/** With what its transcript shows about a dialog that the host reported. */
export function withAnswers(
  event: HostEvent,
  { turns }: Pick<Host, 'turns'>,
  transcripts: TranscriptReader,
): HostEvent {
  const { transcriptPath, report } = event;
  if (turns === undefined || transcriptPath === null) return event;
  const answeredMs = (sinceMs: number): number | undefined => turns.workAfterMs(transcriptPath, transcripts, sinceMs);
  return { ...event, report: { ...report, answeredMs } };
}
