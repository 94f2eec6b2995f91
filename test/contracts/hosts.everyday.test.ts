/* oxlint-disable vitest/no-conditional-expect -- Hosts differ in what they have; what one has not got is not asked of it. */
/** One suite over every host: payloads recorded from the real client, replies held to what that client accepts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aTranscript, HOST_ENVIRONMENT } from '../support/host-environment.ts';
import type { Host, HostAnswer, HostEvent } from '../../src/hosts/host.ts';
import type { HostId } from '../../src/hosts/ids.ts';
import { HOST_IDS } from '../../src/hosts/ids.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/hosts');
const SESSION = 'e4021c7a-5b7e-4f0e-9c61-2d7f1f6f0a55';
const PROJECT = '/home/ada/shop';

/** The payloads that a host sends at each moment, by the end of their file names; `null` = the host has no such moment. */
type Moments = {
  readonly stop: string;
  readonly stopAgain: string;
  readonly start: string;
  readonly prompt: string | null;
  readonly tool: string;
  /** Keys a reply may have at the top, beyond which the client refuses it or ignores it. */
  readonly keys: readonly string[];
  readonly message: string;
  /** Where ids have another form. */
  readonly session?: string;
};

const CLAUDE_KEYS = ['decision', 'reason', 'systemMessage', 'hookSpecificOutput'];
const OWN_KEYS = ['kind', 'name', 'prompt', 'text', 'reason', 'notice', 'fresh'];
const shaped = { stop: 'stop', stopAgain: 'stop-again', start: 'session-start', tool: 'pre-tool-use' } as const;

const MOMENTS: Readonly<Record<HostId, Moments>> = {
  'claude-code': { ...shaped, prompt: 'user-prompt-submit', keys: CLAUDE_KEYS, message: 'turn 3 text, not done' },
  codex: { ...shaped, prompt: 'user-prompt-submit', keys: CLAUDE_KEYS, message: 'turn 3 text, not done' },
  gemini: {
    stop: 'after-agent',
    stopAgain: 'after-agent-again',
    start: 'session-start',
    prompt: 'before-agent',
    tool: 'before-tool',
    keys: CLAUDE_KEYS,
    message: 'from the transcript',
  },
  qwen: { ...shaped, prompt: 'user-prompt-submit', keys: CLAUDE_KEYS, message: 'turn 3 text, not done' },
  copilot: {
    stop: 'pascal-stop',
    stopAgain: 'pascal-stop-again',
    start: 'pascal-session-start',
    prompt: 'pascal-user-prompt-submit',
    tool: 'pascal-pre-tool-use',
    keys: ['decision', 'reason', 'hookSpecificOutput', 'additionalContext', 'handled', 'responseContent'],
    message: 'from the transcript',
  },
  opencode: {
    ...shaped,
    prompt: 'user-prompt-submit',
    keys: OWN_KEYS,
    message: 'turn 3 text, not done',
    session: 'ses_01',
  },
  pi: { ...shaped, prompt: 'user-prompt-submit', keys: OWN_KEYS, message: 'turn 3 text, not done' },
  droid: {
    ...shaped,
    prompt: 'user-prompt-submit',
    keys: [...CLAUDE_KEYS, 'continue', 'stopReason', 'suppressOutput'],
    message: 'from the transcript',
  },
};

/** What three hosts make of a command before the hook hears of it. */
const COMES_AS: Readonly<Partial<Record<HostId, (args: string) => string>>> = {
  codex: (args) => `$ralph ${args}`,
  gemini: (args) => `/ralph\n\n/ralph ${args}`,
  droid: (args) => `<system-notification>\n\n/ralph ${args}\n\n</system-notification>`,
};

function payloadOf(id: HostId, moment: string): unknown {
  const { measured } = HOSTS[id].capabilities;
  return JSON.parse(readFileSync(path.join(FIXTURES, id, `${measured}-${moment}.json`), 'utf8')) as unknown;
}

function decoded(host: Host, moment: string): HostEvent {
  const event = host.decode(payloadOf(host.id, moment), HOST_ENVIRONMENT);
  if (event === 'not-ours') throw new Error(`${moment} of ${host.id} is not ours`);
  return event;
}

const ANSWERS: readonly Omit<HostAnswer, 'name'>[] = [
  { kind: 'silent', notice: null },
  { kind: 'silent', notice: 'the loop has ended' },
  { kind: 'go-on', prompt: 'Go on:\n"quoted" 🧨', notice: null },
  { kind: 'go-on', prompt: 'Go on', fresh: true, notice: 'as asked' },
  { kind: 'context', text: 'read this too', notice: null },
  { kind: 'refuse', reason: 'not now', notice: null },
] as readonly Omit<HostAnswer, 'name'>[];

it('codex: a claim in the letters in which the agent was shown it is the claim', () => {
  const says = (last_assistant_message: string): unknown =>
    HOSTS.codex.decode({ ...(payloadOf('codex', 'stop') as object), last_assistant_message }, HOST_ENVIRONMENT);
  const message = 'a &lt;b&gt;\n<promise>DONE</promise>\nI write `&lt;promise&gt;DONE&lt;/promise&gt;` soon.';
  const shown = message.replace('<promise>DONE</promise>', '&lt;promise&gt;DONE&lt;/promise&gt;');
  expect(says(shown)).toMatchObject({ report: { message } });
});

it('droid: a stop without a word in the transcript is a turn that failed', () => {
  const stop = payloadOf('droid', 'stop');
  const silent = { ...HOST_ENVIRONMENT, transcripts: aTranscript([]) };
  expect(HOSTS.droid.decode(stop, silent)).toMatchObject({ event: { kind: 'turn-failed' } });
  // No transcript to read: nobody knows, and the work is looked at.
  const absent = { ...silent, bytesOf: () => null };
  expect(HOSTS.droid.decode(stop, absent)).toMatchObject({ event: { kind: 'turn-ended' }, report: { message: '' } });
});

/** What hosts call the stops of agents within a session, and what their payloads then have in addition. */
const SUBAGENT_EVENTS = ['SubagentStart', 'SubagentStop', 'subagentStart', 'subagentStop'];
const SUBAGENT_FIELDS = {
  agent_id: 'a51b0a7c0ffee0001',
  agent_type: 'Explore',
  agent_transcript_path: '/home/ada/.claude/subagents/agent-a51b0a7c0ffee0001.jsonl',
};

/** Who starts the hooks of one stop one after the other, or reports one without asking its model. */
const NAMES_ITS_STOPS: ReadonlySet<HostId> = new Set(['copilot', 'gemini', 'qwen']);

it('gemini: a stop after which nothing was said is the last one again; one more answer or prompt makes it another', () => {
  const stop = (answers: string, bytes: number, timestamp: string): unknown => {
    const payload = { ...(payloadOf('gemini', 'after-agent') as object), prompt_response: answers, timestamp };
    const event = HOSTS.gemini.decode(payload, { ...HOST_ENVIRONMENT, bytesOf: () => bytes });
    return event === 'not-ours' || event.event.kind !== 'turn-ended' ? undefined : event.event.mark?.stop;
  };
  expect(stop('not yet', 90, '12:00')).toBe(stop('not yet', 90, '12:01'));
  const all = [stop('not yet', 90, '12:00'), stop('not yet\nnot yet', 90, '12:00'), stop('not yet', 91, '12:00')];
  expect(new Set(all).size).toBe(3);
});

describe.each(HOST_IDS)('%s', (id) => {
  const host = HOSTS[id];
  const moments = MOMENTS[id];

  it('has one folder with the same files as its siblings', () => {
    const folder = path.resolve(import.meta.dirname, '../../src/hosts', id);
    const names = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
    for (const name of ['capabilities', 'decode', 'encode', 'host', 'install', 'launch'])
      expect(names).toContain(`${name}.ts`);
    expect(host.id).toBe(id);
    expect(host.launch.command).not.toBe('');
    expect(host.goalStatus !== undefined).toBe(host.capabilities.ownGoal);
  });

  it('tells one stop from the next: by its name, where hooks may not begin together', () => {
    const marks = [moments.stop, moments.stopAgain].map((moment) => {
      const payload = { ...(payloadOf(id, moment) as object), timestamp: `of ${moment}`, prompt_response: moment };
      const event = host.decode(payload, HOST_ENVIRONMENT);
      return event === 'not-ours' || event.event.kind !== 'turn-ended' ? undefined : event.event.mark;
    });
    for (const mark of marks) expect(mark?.messageHash).toMatch(/^hash of /u);
    const names = marks.map((mark) => mark?.stop);
    if (NAMES_ITS_STOPS.has(id)) expect(new Set(names).size).toBe(2);
    else expect(names).toEqual([undefined, undefined]);
    expect(decoded(host, moments.stop).report.beganMs).toBe(HOST_ENVIRONMENT.beganMs);
  });

  it('reads a recorded stop: the session, the project, what was said, and whether we sent it back', () => {
    expect(decoded(host, moments.stop)).toMatchObject({
      session: { host: id, id: moments.session ?? SESSION },
      cwd: PROJECT,
      event: { kind: 'turn-ended', iteration: null, worker: null },
      report: { message: moments.message, sentBack: false },
      stopHookActive: false,
    });
    expect(decoded(host, moments.stopAgain)).toMatchObject({ report: { sentBack: true }, stopHookActive: true });
  });

  it('hears nothing of the stops of subagents, by whatever name or field they are reported', () => {
    const stop = payloadOf(id, moments.stop) as object;
    const heard = (more: object): unknown => host.decode({ ...stop, ...more }, HOST_ENVIRONMENT);
    for (const hook_event_name of SUBAGENT_EVENTS)
      for (const fields of [{}, SUBAGENT_FIELDS]) expect(heard({ hook_event_name, ...fields })).toBe('not-ours');
    // Some tell it with the event of the session itself.
    expect(heard(SUBAGENT_FIELDS)).toBe('not-ours');
    expect(heard({ ...SUBAGENT_FIELDS, hook_event_name: 'StopFailure', error: 'server_error' })).toBe('not-ours');
    // Not everything in it is refused: without the field it is the stop of the session.
    expect(heard({})).not.toBe('not-ours');
  });

  it('reads how a session begins, what the user asks, and which tool the agent wants', () => {
    expect(decoded(host, moments.start).event.kind).toBe('session-started');
    if (moments.prompt !== null)
      expect(decoded(host, moments.prompt).event).toMatchObject({ prompt: 'make the tests pass' });
    expect(decoded(host, moments.tool).event).toMatchObject({ kind: 'tool-requested' });
  });

  it('hears a typed command, and keeps what stands after it byte for byte', () => {
    const args = '"it\'s `broken` $(rm -rf ~)" \\ \n\t🧨 --check "npm test"';
    const base = payloadOf(id, id === 'claude-code' ? 'user-prompt-expansion' : (moments.prompt ?? moments.start));
    const typed =
      id === 'claude-code'
        ? { ...(base as object), command_name: 'tireless:ralph', command_args: args }
        : { ...(base as object), prompt: `/ralph ${args}` };
    const heard = { event: { kind: 'command-typed', command: 'ralph', args } };
    expect(host.decode(typed, HOST_ENVIRONMENT)).toMatchObject(heard);
    const prompt = COMES_AS[id]?.(args);
    if (prompt !== undefined)
      expect(host.decode({ ...(base as object), prompt }, HOST_ENVIRONMENT)).toMatchObject(heard);
  });

  it.each(ANSWERS.map((answer) => [answer.kind, answer] as const))(
    'answers %s with one JSON object of keys the client knows, exit code 0 and nothing on stderr',
    (_kind, answer) => {
      for (const moment of [moments.stop, moments.start, moments.tool]) {
        const { name } = decoded(host, moment);
        const reply = host.encode({ ...answer, name } as HostAnswer);
        expect({ exitCode: reply.exitCode, stderr: reply.stderr }).toEqual({ exitCode: 0, stderr: '' });
        expect(reply.stdout.endsWith('\n')).toBe(true);
        const value = JSON.parse(reply.stdout) as Record<string, unknown>;
        expect(Object.keys(value).filter((key) => !moments.keys.includes(key))).toEqual([]);
      }
    },
  );

  it('sends the agent back with the prompt byte for byte', () => {
    const prompt = 'Go on:\n"quoted" \u2028 🧨 </hook_prompt>';
    const { name } = decoded(host, moments.stop);
    const text = host.encode({ kind: 'go-on', name, prompt, notice: null }).stdout;
    const strings: unknown[] = [];
    JSON.parse(text, (_, value: unknown) => {
      strings.push(value);
      return value;
    });
    expect(strings).toContain(prompt);
  });

  it('never throws, whatever it is given, and takes nothing without a name of an event', () => {
    const names = [
      'Stop',
      'AfterAgent',
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'BeforeAgent',
      'StopFailure',
    ];
    const fields = ['session_id', 'cwd', 'transcript_path', 'hook_event_name', 'last_assistant_message', 'prompt'];
    const value = fc.oneof(fc.anything(), fc.constantFrom(...names), fc.string());
    const odd = fc.dictionary(fc.constantFrom(...fields, '__proto__', 'background_tasks', 'context_usage'), value);
    fc.assert(
      fc.property(fc.oneof(fc.anything(), odd), (given) => {
        const event = host.decode(given, HOST_ENVIRONMENT);
        expect(event === 'not-ours' || event.cwd !== '').toBe(true);
      }),
    );
    expect(host.decode({ session_id: 's', cwd: '/' }, HOST_ENVIRONMENT)).toBe('not-ours');
  });

  it('was recorded: its payloads stand in the tree, with the version in their names', () => {
    const folder = path.join(FIXTURES, id);
    expect(existsSync(folder)).toBe(true);
    const { measured } = host.capabilities;
    expect(readdirSync(folder).filter((name) => name.startsWith(`${measured}-`)).length).toBeGreaterThan(4);
  });
});
