import type { Reply } from '../core/reply.ts';
import type { ReplyForm } from '../dialects/dialect.ts';
import type { Host } from '../hosts/host.ts';

/**
 * Something failed inside or outside tireless: the agent may stop, and the user sees it on every available channel. Never exit code 2,
 * which would keep the agent going.
 */
export function faultReply(form: ReplyForm, failure: string): Reply {
  const notice = faultNotice(failure);
  const stdout =
    form === 'ok' ? JSON.stringify({ ok: true, reason: notice }) : JSON.stringify({ systemMessage: notice });
  return { stdout: `${stdout}\n`, stderr: failure, exitCode: 0 };
}

/** For a native loop: in the words of its host, if the host is known. */
export function hostFaultReply(host: Host | undefined, name: string, failure: string): Reply {
  if (host === undefined) return faultReply('json', failure);
  return { ...host.encode({ kind: 'silent', name, notice: faultNotice(failure) }), stderr: failure, exitCode: 0 };
}

function faultNotice(failure: string): string {
  const [first = '', second] = failure.trim().split('\n');
  return `${second === undefined ? first : `${first} ${second}`} (The agent was allowed to stop.)`;
}
