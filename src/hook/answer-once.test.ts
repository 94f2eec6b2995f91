import { describe, expect, it } from 'vitest';
import { aTranscript } from '../../test/support/host-environment.ts';
import type { EarlierReport } from '../core/same-report.ts';
import type { Loaded } from '../engine/ports.ts';
import { HOSTS } from '../hosts/hosts.ts';
import type { Loops } from './answer-payload.ts';
import { answerPayload, runSteps } from './answer-payload.ts';
import { answerOnce } from './answer-once.ts';
import type { NativeAnswer } from './native-loops.ts';
import { hostWording } from './native-loops.ts';

const BOOT = 'b';

/** A hook of Codex that began then, beside others that have reported this. */
async function answered(payload: object, beganMs: number, earlier: readonly EarlierReport[]): Promise<string> {
  const host = HOSTS.codex;
  const hostEnvironment = {
    hashText: (text: string) => text,
    beganMs: () => beganMs,
    nowMs: () => 0,
    bytesOf: () => null,
    exists: () => false,
    transcripts: aTranscript([]),
  };
  const loops: Loops<Loaded | undefined, NativeAnswer> = {
    // oxlint-disable-next-line require-yield -- It needs nothing of the world.
    *find() {
      return undefined;
    },
    // oxlint-disable-next-line require-yield
    *handle() {
      return { draft: { kind: 'context', text: 'begin', notice: null }, delayMs: 0 };
    },
  };
  const reports = {
    now: () => ({ monotonicMs: 0, boot: BOOT }),
    note: () => ({ earlier, close: () => undefined }),
  };
  const { stdout } = await runSteps(
    answerPayload(payload, {
      decode: (given) => host.decode(given, { ...hostEnvironment, variables: {} }),
      loops: answerOnce(loops, { reports, hostEnvironment }),
      wording: hostWording(host),
      pause: () => undefined,
    }),
  );
  return stdout;
}

const RALPH = { session_id: 's', cwd: '/p', hook_event_name: 'UserPromptSubmit', prompt: '/ralph "paint it"' };
const WORDS = JSON.stringify(['command-typed', 'ralph', '"paint it"']);

describe('a command that two hooks report', () => {
  it('is answered by one of them, and the other says nothing', async () => {
    const named = { ...RALPH, turn_id: 't1' };
    expect(await answered(named, 900, [])).toContain('begin');
    const other = { words: WORDS, name: 't1', answered: { monotonicMs: 100, boot: BOOT } };
    expect(await answered(named, 900, [other])).not.toContain('begin');
    expect(await answered(RALPH, 50, [{ words: WORDS }])).not.toContain('begin');
  });

  it('is answered again when the user types it again', async () => {
    const other = { words: WORDS, name: 't1', answered: { monotonicMs: 100, boot: BOOT } };
    expect(await answered({ ...RALPH, turn_id: 't2' }, 900, [other])).toContain('begin');
    expect(await answered(RALPH, 900, [other])).toContain('begin');
  });
});
