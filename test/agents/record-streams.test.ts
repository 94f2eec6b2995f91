/** What claude-code and codex print when tireless starts them by name: recorded, and compared with the recording. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NAMED_AGENTS, type AgentName } from '../../src/runner/agents/registry.ts';
import type { Script } from '../../src/setup/fake-model/script.ts';
import { agentWorld, type AgentWorld } from './support/agent-world.ts';
import { hostsToTry, installedClient } from './support/clients.ts';
import { sanitizer } from './support/sanitize.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/agents/', import.meta.url));
const isRecording = process.env['TIRELESS_RECORD'] === '1';
const RESETS_AT = Math.floor(Date.now() / 1000) + 7200;

type Scene = {
  readonly script: (project: () => string) => Script;
  readonly environment?: Record<string, string | undefined>;
};

/** A subscription that is at its limit, as both services say it. */
const LIMIT = {
  status: 429,
  message: "This request would exceed your account's rate limit.",
  headers: {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(RESETS_AT),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': String(RESETS_AT),
  },
  fields: { type: 'usage_limit_reached', plan_type: 'plus', resets_at: RESETS_AT },
} as const;

const SCENES: Readonly<Record<string, Scene>> = {
  work: {
    script:
      (project) =>
      ({ turn }) =>
        turn === 1
          ? [{ text: 'I look first.' }, { shell: 'ls' }]
          : turn === 2
            ? { write: { path: path.join(project(), 'made.txt'), content: 'made\n' } }
            : { text: 'All of it is done.\n<promise>DONE</promise>' },
  },
  'server-error': { script: () => () => ({ status: 500, message: 'Something broke.' }) },
  'late-server-error': {
    script:
      () =>
      ({ turn }) =>
        turn === 1
          ? { shell: 'echo usage limit reached, try again in 2 hours' }
          : { status: 500, message: 'Something broke.' },
  },
  'rate-limit': { script: () => () => ({ status: 429, message: 'Too many requests.' }) },
  'usage-limit': {
    script: () => () => LIMIT,
    environment: {
      ANTHROPIC_API_KEY: undefined,
      CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake-token-of-the-agent-tests',
    },
  },
  unauthorized: { script: () => () => ({ status: 401, message: 'invalid x-api-key' }) },
  'too-long': { script: () => () => ({ status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' }) },
};

for (const { host, absent, title } of hostsToTry(['claude-code', 'codex'])) {
  const name: AgentName = host === 'codex' ? 'codex' : 'claude-code';
  describe.skipIf(absent !== null)(`the stream of ${title}`, () => {
    it.each(Object.keys(SCENES))('is as it was recorded: %s', async (scene) => {
      const { script, environment = {} } = SCENES[scene] ?? SCENES['work']!;
      let project = '';
      const world = await agentWorld(
        host,
        script(() => project),
      );
      project = world.project;
      const [, ...args] = NAMED_AGENTS[name].words([]);
      const merged: Record<string, string | undefined> = {
        ...world.launcher.headless(world.place, { prompt: '' }).environment,
        ...environment,
      };
      const known = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const { done } = world.launch({ args, environment: Object.fromEntries(known), stdin: 'make the tests pass\n' });
      expectStream(world, scene, (await done).stdout);
    });
  });
}

function expectStream(world: AgentWorld, scene: string, stdout: string): void {
  const session = /"(?:session|thread)_id":"([^"]+)"/u.exec(stdout)?.[1] ?? '';
  const clean = sanitizer(world.place, session);
  const lines = stdout.split('\n').flatMap((line) => (line === '' ? [] : [clean(JSON.parse(line)) as Line]));
  const file = path.join(FIXTURES, world.host, `${installedClient(world.host).version}-${scene}.jsonl`);
  if (isRecording) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(
      file,
      `${lines
        .filter(isKept)
        .map((line) => JSON.stringify(line))
        .join('\n')}\n`,
    );
    return;
  }
  expect(existsSync(file), `${file} was never recorded`).toBe(true);
  const recorded = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  expect(kindsIn(lines)).toEqual(kindsIn(recorded));
}

type Line = Readonly<Record<string, unknown>>;

/** Long, and of no use to a reader. */
function isKept(line: Line): boolean {
  return line['subtype'] !== 'init';
}

/** Which lines there are, and the names of their fields; how often and in which pieces is the client's business. */
function kindsIn(lines: readonly Line[]): readonly string[] {
  const kinds = lines.filter(isKept).map((line) => {
    const item = line['item'] as Line | undefined;
    const what = [line['type'], line['subtype'], item?.['type']].filter((word) => typeof word === 'string').join(' ');
    return `${what}: ${Object.keys(line).toSorted().join(' ')}`;
  });
  return [...new Set(kinds)]
    .filter((kind) => /^(?:assistant|result|rate_limit|turn|error|item)/u.test(kind))
    .toSorted();
}
