import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { AgentWorld } from './agent-world.ts';
import { installedClient } from './clients.ts';
import { sanitizer, shapeOf } from './sanitize.ts';

type Json = Record<string, unknown>;
export type Recorded = { readonly event: string; readonly payload: Json };

const FIXTURES = fileURLToPath(new URL('../../fixtures/hosts/', import.meta.url));
/** What the model of a recording says before its first stop. */
export const LAST_WORDS = 'turn 3 text, not done';
const isRecording = process.env['TIRELESS_RECORD'] === '1';

/**
 * One file per payload, the transcript, and one prepared reply used up by each call. Plain `sh`, because a host starts it. At a stop it
 * waits until the transcript contains the last words: some hosts write it after they called the hook.
 */
const SCRIPT = `#!/bin/sh
dir="$(dirname "$0")"
name="$(date +%s%N)-$1"
cat > "$dir/payloads/$name"
transcript="$(sed -n 's/.*"transcript_*[pP]ath":"\\([^"]*\\)".*/\\1/p' "$dir/payloads/$name")"
case "$1" in *Stop|AfterAgent)
  for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    if grep -q '${LAST_WORDS}' "$transcript"; then break; fi
    sleep 0.1
  done
esac
if [ -f "$transcript" ]; then cp "$transcript" "$dir/transcripts/$name"; fi
for reply in "$dir/replies/$1".*; do
  if mv "$reply" "$dir/said-$1.$$" 2>/dev/null; then cat "$dir/said-$1.$$"; exit 0; fi
done
exit 0
`;

/** The command that records an event; `replies` are given to its first calls, in order. */
export function recorder(
  world: AgentWorld,
  replies: Readonly<Record<string, readonly string[]>> = {},
): (event: string) => string {
  const directory = recordings(world);
  for (const name of ['payloads', 'transcripts', 'replies']) mkdirSync(path.join(directory, name), { recursive: true });
  const script = path.join(directory, 'record.sh');
  writeFileSync(script, SCRIPT, { mode: 0o755 });
  for (const [event, texts] of Object.entries(replies)) {
    for (const [index, text] of texts.entries()) writeFileSync(path.join(directory, `replies/${event}.${index}`), text);
  }
  return (event) => `${script} ${event}`;
}

/** Registers it for these events in the settings of the host. */
export function recordEvents(
  world: AgentWorld,
  events: readonly string[],
  replies: Readonly<Record<string, readonly string[]>> = {},
): void {
  const command = recorder(world, replies);
  const entries = events.map((event) => [event, { command: command(event) }]);
  world.launcher.addHooks?.(world.place, Object.fromEntries(entries));
}

export function recordings(world: AgentWorld): string {
  return path.join(path.dirname(world.home), 'recordings');
}

/** In the order of the calls. */
export function recorded(world: AgentWorld): Recorded[] {
  const directory = path.join(recordings(world), 'payloads');
  return readdirSync(directory)
    .toSorted()
    .map((name) => ({
      event: name.slice(name.indexOf('-') + 1),
      payload: JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as Json,
    }));
}

/**
 * Compares the first payload of each name with the fixture of that name: same fields, same kinds. With `TIRELESS_RECORD=1` the fixture is
 * written instead. `wanted`: the names that this run has to produce.
 */
export function expectPayloads(
  world: AgentWorld,
  wanted: readonly string[],
  { session, nameOf }: { readonly session: string; readonly nameOf: (recorded: Recorded) => string },
): void {
  const clean = sanitizer(world.place, session);
  const found = new Map<string, unknown>();
  for (const one of recorded(world)) {
    const name = nameOf(one);
    if (!found.has(name)) found.set(name, clean(one.payload));
  }
  expect([...found.keys()]).toEqual(expect.arrayContaining([...wanted]));
  for (const name of wanted) expectPayload(world, name, found.get(name));
}

export function expectPayload(world: AgentWorld, name: string, payload: unknown): void {
  const { version } = installedClient(world.host);
  const file = path.join(FIXTURES, world.host, `${version}-${name}.json`);
  if (isRecording) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(payload)}\n`);
    return;
  }
  expect(existsSync(file), `${file} was never recorded`).toBe(true);
  const shapes = (value: unknown): unknown => ({ [name]: shapeOf(value) });
  expect(shapes(payload)).toEqual(shapes(JSON.parse(readFileSync(file, 'utf8'))));
}

/** The transcript as it was at the event: does it contain the last message, and in which shape? */
export function expectTranscript(world: AgentWorld, event: string, session: string): void {
  const directory = path.join(recordings(world), 'transcripts');
  const name = readdirSync(directory)
    .toSorted()
    .find((file) => file.endsWith(`-${event}`));
  const text = name === undefined ? '' : readFileSync(path.join(directory, name), 'utf8');
  const clean = sanitizer(world.place, session);
  const lines = text.split('\n').filter((line) => line !== '');
  const steady = lines.map((line) => JSON.stringify(clean(JSON.parse(line))));
  const { version } = installedClient(world.host);
  const file = path.join(FIXTURES, world.host, `${version}-transcript-at-stop.jsonl`);
  if (isRecording) writeFileSync(file, `${steady.join('\n')}\n`);
  const lastShape = (all: readonly string[]): unknown => {
    const line = all.findLast((one) => one.includes(LAST_WORDS));
    return line === undefined ? `nobody says "${LAST_WORDS}"` : shapeOf(JSON.parse(line));
  };
  expect(steady.join('\n')).toContain(LAST_WORDS);
  expect(lastShape(steady)).toEqual(lastShape(readFileSync(file, 'utf8').split('\n')));
}

/** The recorded payload with something missing, for decoders that must not fail on it. Written only when recording. */
export function keepDamaged(world: AgentWorld, name: string): void {
  if (!isRecording) return;
  const { version } = installedClient(world.host);
  const at = (suffix: string): string => path.join(FIXTURES, world.host, `${version}-${suffix}.json`);
  const text = readFileSync(at(name), 'utf8');
  const without = (field: string): string => {
    const { [field]: _, ...rest } = JSON.parse(text) as Json;
    return `${JSON.stringify(rest)}\n`;
  };
  writeFileSync(at(`${name}-without-message`), without('last_assistant_message'));
  writeFileSync(at(`${name}-without-session`), without('session_id'));
  writeFileSync(at('garbage'), text.slice(0, Math.floor(text.length / 2)));
}

/** `StopFailure`, `agentStop`, `session.idle` → `stop-failure`, `agent-stop`, `session-idle`. */
export function kebab(event: string): string {
  return event
    .replaceAll(/([a-z])([A-Z])/gu, '$1-$2')
    .replaceAll(/[._]/gu, '-')
    .toLowerCase();
}

/** Tells apart the cases of an event that has several. */
export function plainName({ event, payload }: Recorded): string {
  const name = kebab(event);
  const source = payload['source'];
  if (typeof source === 'string' && /session-?start/u.test(name) && source !== 'startup' && source !== 'new') {
    return `${name}-${source}`;
  }
  if (payload['stop_hook_active'] === true) return `${name}-again`;
  if (payload['status'] === 'failed') return `${name}-failed`;
  return name;
}
