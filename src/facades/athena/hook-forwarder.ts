import { eventOfPayload, readWireResult } from '../../dialects/athena/wire.ts';
import { askLine } from '../../system/line-socket.ts';
import { newId } from '../../system/ids.ts';
import type { HookResult, RuntimeEvent } from './runtime.ts';

/** A hook must not hold up the agent forever if the deciding program hangs. */
const TIMEOUT_MS = 10 * 60 * 1000;

export type ForwardResult = {
  readonly result: HookResult;
  /** Why nobody decided; the result is then `passthrough`: fail open. */
  readonly warning?: string;
};

export type HookReply = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

/** Sends one event to the program that listens on the socket. Never rejects. */
export async function forwardEvent(
  socketPath: string,
  event: RuntimeEvent,
  options: { readonly timeoutMs?: number } = {},
): Promise<ForwardResult> {
  const answered = await askLine(socketPath, JSON.stringify(event), options.timeoutMs ?? TIMEOUT_MS);
  if (answered.kind === 'silent') return open(answered.why);
  const result = readWireResult(answered.line);
  return result === undefined ? open(`what ${socketPath} answered could not be read`) : { result };
}

/** The work of a hook command: takes the host's JSON from stdin, and returns the text to print and the exit code. Never rejects. */
export async function forwardPayload(
  socketPath: string,
  stdin: string,
  options: { readonly timeoutMs?: number } = {},
): Promise<HookReply> {
  const event = eventOfPayload(newId(), stdin);
  const forwarded =
    event === undefined ? open('the hook got no event it can read') : await forwardEvent(socketPath, event, options);
  const note = forwarded.warning === undefined ? '' : `${forwarded.warning}\n`;
  switch (forwarded.result.action) {
    case 'passthrough':
      return { stdout: '', stderr: note, exitCode: 0 };
    case 'json_output':
      return { stdout: `${JSON.stringify(forwarded.result.stdout_json)}\n`, stderr: note, exitCode: 0 };
    case 'block_with_stderr':
      return { stdout: '', stderr: `${forwarded.result.stderr}\n`, exitCode: 2 };
  }
}

function open(why: string): ForwardResult {
  return {
    result: { action: 'passthrough' },
    warning: `Athena did not decide, so the hook changes nothing: ${why}.`,
  };
}
