import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aTranscript, HOST_ENVIRONMENT } from '../../../test/support/host-environment.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import { HOST_IDS } from '../ids.ts';
import { host as claudeCode } from './host.ts';

const FIXTURES = new URL('../../../test/fixtures/hosts/claude-code/', import.meta.url);

const environment: HostEnvironment = { ...HOST_ENVIRONMENT, variables: { CLAUDE_PROJECT_DIR: '/home/ada/shop' } };

const payload = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`2.1.325-${name}.json`, FIXTURES), 'utf8')) as unknown;

function decoded(name: string, world: Partial<HostEnvironment> = {}): HostEvent {
  const event = claudeCode.decode(payload(name), { ...environment, ...world });
  if (event === 'not-ours') throw new Error(`${name} is not ours`);
  return event;
}

describe('claude-code decode', () => {
  it('reads a stop: session, project, message, mark', () => {
    expect(decoded('stop')).toEqual({
      session: { host: 'claude-code', id: 'e4021c7a-5b7e-4f0e-9c61-2d7f1f6f0a55' },
      cwd: '/home/ada/shop',
      name: 'Stop',
      event: {
        kind: 'turn-ended',
        iteration: null,
        worker: null,
        mark: { messageHash: 'hash of turn 3 text, not done' },
      },
      report: {
        message: 'turn 3 text, not done',
        backgroundWork: false,
        sentBack: false,
        repliesInRowMax: 8,
        beganMs: environment.beganMs,
        remembers: true,
        turnText: expect.any(Function),
        dialogMs: expect.any(Function),
      },
      transcriptPath: '/home/ada/.claude/projects/-home-ada-shop/e4021c7a-5b7e-4f0e-9c61-2d7f1f6f0a55.jsonl',
      stopHookActive: false,
    });
    expect(decoded('stop-again').stopHookActive).toBe(true);
  });

  it.each([
    [undefined, 8],
    ['', 8],
    ['many', 8],
    ['20', 20],
    ['1', 1],
    ['0', undefined],
    ['-1', undefined],
    ['10000', undefined],
  ])('knows how many replies in a row are obeyed when the variable is %j', (cap, expected) => {
    const { report } = decoded('stop', { variables: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: cap } });
    expect(report.repliesInRowMax).toBe(expected);
  });

  it('begins a new row with a tool, and asks for tools only where the row has an end', () => {
    let reads = 0;
    const used = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] } };
    const transcripts = aTranscript([used], () => (reads += 1));
    expect(decoded('stop', { transcripts }).report).toMatchObject({ repliesInRowMax: 8, newRow: true });
    // One for messages that wait, one for tools, one for a goal of the host itself.
    expect(reads).toBe(3);
    const variables = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000' };
    expect(decoded('stop', { transcripts, variables }).report.newRow).toBeUndefined();
    expect(reads).toBe(5);
  });

  it("takes the project directory over the agent's working directory, and that when there is none", () => {
    expect(decoded('stop', { variables: { CLAUDE_PROJECT_DIR: '/elsewhere' } }).cwd).toBe('/elsewhere');
    expect(decoded('stop', { variables: { CLAUDE_PROJECT_DIR: '' } }).cwd).toBe('/home/ada/shop');
  });

  it('reads the transcript only when the payload has no message', () => {
    const said = { type: 'assistant', message: { content: 'from the transcript' } };
    const transcripts = aTranscript([said]);
    expect(decoded('stop', { transcripts }).report.message).toBe('turn 3 text, not done');
    expect(decoded('stop-without-message', { transcripts }).report.message).toBe('from the transcript');
    expect(decoded('stop-without-message', { transcripts: aTranscript([]) }).report.message).toBe('');
  });

  it.each(['stop-background-task', 'stop-session-cron'])('reports background work in %s', (name) => {
    expect(decoded(name).report.backgroundWork).toBe(true);
  });

  it('hears that its program ends, and that only the conversation does', () => {
    expect(decoded('session-end').event).toEqual({ kind: 'session-ended' });
    for (const reason of ['clear', 'resume'])
      expect(claudeCode.decode({ ...(payload('session-end') as object), reason }, environment)).toMatchObject({
        event: { kind: 'session-ended', switches: true },
      });
  });

  it.each(['subagent-stop', 'subagent-stop-of-compaction'])('leaves %s alone', (name) => {
    expect(claudeCode.decode(payload(name), environment)).toBe('not-ours');
  });

  it('leaves the failure of a subagent alone: a compaction that fails reports one', () => {
    const failed = { ...(payload('stop-failure') as object), agent_id: 'a9599d0766b194609' };
    expect(claudeCode.decode(failed, environment)).toBe('not-ours');
  });

  it('has no session without a session id', () => {
    expect(decoded('stop-without-session').session).toBeNull();
    const blank = { ...(payload('stop') as object), session_id: ' ' };
    expect(claudeCode.decode(blank, environment)).toMatchObject({ session: null });
  });

  it('takes a failed turn for a failure, and one that passes by itself for transient', () => {
    expect(decoded('stop-failure').event).toMatchObject({
      kind: 'turn-failed',
      failure: {
        class: 'rate-limit',
        detail: "rate_limit: API Error: Request rejected (429) · This request would exceed your account's rate limit.",
      },
    });
    expect(decoded('stop-failure-invalid-request').event).toMatchObject({
      failure: { class: 'context-full', detail: expect.stringMatching(/^invalid_request: 400 .*prompt is too long/u) },
    });
    expect(decoded('stop-failure-server-error').event).toMatchObject({ failure: { class: 'transient' } });
    expect(decoded('stop-failure-unknown').event).toMatchObject({ failure: { class: 'unknown' } });
  });

  it('reads how a session started and what was asked', () => {
    expect(decoded('session-start').event).toEqual({ kind: 'session-started', how: 'returned' });
    expect(decoded('session-start-compact').event).toEqual({ kind: 'session-started', how: 'compacted' });
    expect(decoded('user-prompt-submit').event).toEqual({ kind: 'prompt-submitted', prompt: 'make the tests pass' });
  });

  it('tells a notice of its own from what the user wrote', () => {
    const prompted = { ...(payload('user-prompt-submit') as object), prompt: '<task-notification>done' };
    expect(claudeCode.decode(prompted, environment)).toMatchObject({ event: { byHost: true } });
  });

  it.each([
    '/ralph-status',
    '/ralph-help',
    '/ralph-approve',
    '/tireless:ralph-status',
    '/ralph "another" --check true',
  ])('does not take %s for a message to the agent', (prompt) => {
    const prompted = { ...(payload('user-prompt-submit') as object), prompt };
    expect(claudeCode.decode(prompted, environment)).toMatchObject({ event: { byHost: true } });
  });

  it('reads its settings once only without its screen', () => {
    const { readsSettingsOnce } = claudeCode.install;
    expect(readsSettingsOnce?.({ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' })).toBe(true);
    expect(readsSettingsOnce?.({ CLAUDE_CODE_ENTRYPOINT: 'cli' })).toBe(false);
    expect(readsSettingsOnce?.({})).toBe(false);
  });

  it('reads every payload there is, and only the broken one is no JSON', () => {
    const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.json'));
    expect(names.length).toBeGreaterThan(10);
    const broken = names.filter((name) => {
      try {
        JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8'));
        return false;
      } catch {
        return true;
      }
    });
    expect(broken).toEqual(['2.1.325-garbage.json']);
  });

  it('never throws, whatever it is given', () => {
    const fields = ['session_id', 'cwd', 'transcript_path', 'hook_event_name', 'last_assistant_message', 'error'];
    const names = fc.constantFrom('Stop', 'StopFailure', 'SessionStart', 'SubagentStop', 'UserPromptSubmit');
    const value = fc.oneof(fc.anything(), names);
    const odd = fc.dictionary(fc.constantFrom(...fields, '__proto__', 'background_tasks'), value);
    fc.assert(
      fc.property(fc.oneof(fc.anything(), odd), (given) => {
        const event = claudeCode.decode(given, environment);
        const id = event === 'not-ours' ? undefined : event.session?.id;
        expect(id?.trim()).not.toBe('');
      }),
    );
  });
});

describe('claude-code encode', () => {
  it('sends the agent back by additional context, once', () => {
    expect(claudeCode.encode({ kind: 'go-on', name: 'Stop', prompt: 'Go on:\n"quoted"', notice: null })).toEqual({
      stdout: '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"Go on:\\n\\"quoted\\""}}\n',
      stderr: '',
      exitCode: 0,
    });
  });

  it('says nothing when the agent may stop, but tells the user what they have to know', () => {
    expect(claudeCode.encode({ kind: 'silent', name: 'Stop', notice: null }).stdout).toBe('{}\n');
    const reply = claudeCode.encode({ kind: 'silent', name: 'Stop', notice: 'the loop is cancelled' });
    expect(reply).toEqual({ stdout: '{"systemMessage":"the loop is cancelled"}\n', stderr: '', exitCode: 0 });
  });

  it('refuses a tool in words for the agent, and a typed command in words for the user', () => {
    const refusal = { kind: 'refuse', reason: 'time is up', notice: null } as const;
    expect(JSON.parse(claudeCode.encode({ ...refusal, name: 'PreToolUse' }).stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'time is up',
      },
    });
    expect(JSON.parse(claudeCode.encode({ ...refusal, name: 'UserPromptExpansion' }).stdout)).toEqual({
      decision: 'block',
      reason: 'time is up',
      hookSpecificOutput: { hookEventName: 'UserPromptExpansion', suppressOriginalPrompt: true },
    });
  });

  it('knows what the host can do', () => {
    expect(HOST_IDS).toContain(claudeCode.id);
    expect(claudeCode.capabilities).toMatchObject({ continuesAtStop: true, continuationsInRowMax: 8 });
  });
});
