/** What each host is told to run before a tool, run by a real shell: Node is started only where a loop has something to say there. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fieldsOf } from '../../src/hosts/fields.ts';
import type { Spec } from '../../src/core/loop.ts';
import { DEFAULT_TIMING } from '../../src/core/loop.ts';
import { NO_ITERATION_TIMEOUT_MS } from '../../src/core/overdue.ts';
import type { HostId } from '../../src/hosts/ids.ts';
import { HOST_IDS } from '../../src/hosts/ids.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import type { SetupPlace } from '../../src/hosts/setup.ts';
import type { FileStore } from '../../src/stores/file-store.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aSessionSpec, aStartDraft, commit } from '../support/drafts.ts';
import { guardCall } from '../support/guard-call.ts';

const PLUGINS = path.resolve(import.meta.dirname, '../../plugins');
const TOOL_EVENTS = new Set(['PreToolUse', 'BeforeTool']);
const STOP_EVENTS = new Set(['Stop', 'AfterAgent']);

type Line = { readonly event: string; readonly matcher: string | undefined; readonly line: string };
type Fixture = {
  readonly home: string;
  readonly store: FileStore;
  readonly woken: (line: string, session?: string) => number;
};

function aFixture(host: HostId): Fixture {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-guards-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  // It counts, and stands in for Node and for the hook.
  writeFileSync(path.join(home, 'node'), `#!/bin/sh\necho x >>'${home}/starts'\ncat >/dev/null\n`);
  chmodSync(path.join(home, 'node'), 0o755);
  writeFileSync(path.join(home, 'hook.cjs'), '');
  // Where the packaged plugins look for both.
  writeFileSync(path.join(home, 'launch'), `${home}/node\n${home}/hook.cjs\n`);
  const starts = (): number =>
    existsSync(path.join(home, 'starts')) ? readFileSync(path.join(home, 'starts'), 'utf8').length / 2 : 0;
  return {
    home,
    store: openFileStore({ home }),
    woken: (line, session = 's1') => {
      const before = starts();
      const variable = HOSTS[host].capabilities.sessionVariable;
      const env = { PATH: '/usr/bin:/bin', TIRELESS_HOME: home, ...(variable === null ? {} : { [variable]: session }) };
      const ran = spawnSync('/bin/sh', ['-c', line], { input: '{}', env, encoding: 'utf8' });
      expect({ status: ran.status, stdout: ran.stdout, stderr: ran.stderr }).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      });
      return starts() - before;
    },
  };
}

/** As `tireless install` would write them. */
function installedLines(host: HostId, home: string, more: Partial<SetupPlace> = {}): readonly Line[] {
  const place: SetupPlace = {
    scope: 'user',
    home: '/home/ada',
    project: '/home/ada/shop',
    variables: {},
    isWindows: false,
    hookCall: (hook) => ({
      line: guardCall(host, hook, { home, node: `${home}/node`, script: `${home}/hook.cjs` }),
    }),
    guards: [],
    dialectCalls: [],
    dialectErrorCalls: [],
    dialectEndCalls: [],
    dialectsTimed: false,
    dialectsOnly: false,
    hookTimeoutSeconds: 600,
    plugins: PLUGINS,
    node: `${home}/node`,
    script: `${home}/hook.cjs`,
    tirelessHome: home,
    onDemand: false,
    trust: false,
    ...more,
  };
  return HOSTS[host].install.edits(place).flatMap((edit): readonly Line[] => {
    if (edit.kind === 'own-file') return edit.file.endsWith('.json') ? linesIn(JSON.parse(edit.text)) : [];
    if (edit.kind !== 'json') return [];
    return edit.puts.flatMap(({ path: [top, event = ''], value }) =>
      top === 'hooks' ? linesIn({ hooks: { [event]: [value] } }) : [],
    );
  });
}

function linesIn(settings: unknown): readonly Line[] {
  return Object.entries(fieldsOf(fieldsOf(settings)?.['hooks']) ?? {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group) => {
      const { matcher, hooks = [group] } = fieldsOf(group) ?? {};
      return listOf(hooks).map((hook) => {
        const { command, bash } = fieldsOf(hook) ?? {};
        return { event, matcher: typeof matcher === 'string' ? matcher : undefined, line: String(command ?? bash) };
      });
    }),
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const PACKAGED: Partial<Readonly<Record<HostId, { readonly folder: string; readonly root: string }>>> = {
  'claude-code': { folder: 'claude-code', root: '${CLAUDE_PLUGIN_ROOT}' },
  codex: { folder: 'codex/tireless', root: '${PLUGIN_ROOT}' },
  gemini: { folder: 'gemini', root: '${extensionPath}' },
};

/** As the packaged plugin of the host has them; the script is copied, so that the real hook is not beside it. */
function packagedLines(host: HostId, home: string): readonly Line[] {
  const packaged = PACKAGED[host];
  if (packaged === undefined) return [];
  const hooks = path.join(PLUGINS, packaged.folder, 'hooks');
  mkdirSync(path.join(home, 'plugin/hooks'), { recursive: true });
  writeFileSync(path.join(home, 'plugin/hooks/ask.sh'), readFileSync(path.join(hooks, 'ask.sh')));
  return linesIn(JSON.parse(readFileSync(path.join(hooks, 'hooks.json'), 'utf8'))).map((each) => ({
    ...each,
    line: each.line.replace(packaged.root, `${home}/plugin`),
  }));
}

const WITH_HOOKS = HOST_IDS.filter((host) => installedLines(host, '/x').length > 0);
const WAYS = [
  ...WITH_HOOKS.map((host) => ({ title: `the hooks of ${host}`, host, lines: installedLines })),
  ...WITH_HOOKS.filter((host) => host in PACKAGED).map((host) => ({
    title: `the plugin for ${host}`,
    host,
    lines: packagedLines,
  })),
];

/** What the host runs before this tool: Codex, the only one with patterns here, looks for them anywhere in the name. */
function toolLines(lines: readonly Line[], tool = 'Bash'): readonly string[] {
  return lines
    .filter(({ event, matcher = '' }) => TOOL_EVENTS.has(event) && new RegExp(matcher, 'u').test(tool))
    .map(({ line }) => line);
}

function arm(
  store: FileStore,
  host: HostId,
  { loop = 'a', session = 's1', timeoutMs = NO_ITERATION_TIMEOUT_MS } = {},
): void {
  const timing: Spec['timing'] = { ...DEFAULT_TIMING, iterationTimeoutMs: timeoutMs };
  const draft = aStartDraft(loop, aSessionSpec({ timing }));
  const ref = { host, id: session };
  const created = store.create(loop, { ...draft, event: { ...draft.event, session: ref } as typeof draft.event });
  if (created.kind === 'conflict') throw new Error('there is one already');
  store.bindSession(ref, loop);
  commit(store, created.loaded, { kind: 'baseline-taken' });
}

function loadedOf(store: FileStore, loop = 'a') {
  const loaded = store.load(loop);
  if (loaded === undefined) throw new Error('no such loop');
  return loaded;
}

it('sees the hosts it judges', () => {
  expect(WITH_HOOKS).toEqual(['claude-code', 'codex', 'gemini', 'qwen', 'copilot', 'droid']);
});

describe.each(WAYS)('$title', ({ host, lines: linesOf }) => {
  const parts = (): Fixture & { readonly tool: string; readonly stop: string; readonly lines: readonly Line[] } => {
    const fixture = aFixture(host);
    const lines = linesOf(host, fixture.home);
    const [tool, ...more] = toolLines(lines);
    const stop = lines.find(({ event }) => STOP_EVENTS.has(event))?.line;
    if (tool === undefined || stop === undefined || more.length > 0) throw new Error('one line each');
    return { ...fixture, lines, tool, stop };
  };

  it('start Node at a tool only for a loop with a time, until it has ended', () => {
    const { store, woken, tool, stop } = parts();
    expect([woken(tool), woken(stop)]).toEqual([0, 0]);
    arm(store, host);
    expect([woken(tool), woken(stop)]).toEqual([0, 1]);
    arm(store, host, { loop: 'b', timeoutMs: 1000 });
    expect([woken(tool), woken(stop)]).toEqual([1, 1]);
    // Where the host does not say whose tool it is, any such loop wakes the hook, and the hook looks closer.
    expect(woken(tool, 's2')).toBe(HOSTS[host].capabilities.sessionVariable === null ? 1 : 0);
    commit(store, loadedOf(store, 'b'), { kind: 'cancel-requested' });
    expect([woken(tool), woken(stop)]).toEqual([0, 0]);
  });

  it('answer the session of a loop, no matter what its id looks like', () => {
    const { store, woken, tool, stop } = parts();
    const ids = ['7C1A9E0B-1111-4222-8333-ABCDEF012345', 'Éa', 'a.b c', '-x', '*', 'con', 'lpt1', 'x'.repeat(101)];
    for (const [index, session] of ids.entries()) {
      const loop = `l${index}`;
      expect({ session, woken: [woken(tool, session), woken(stop, session)] }).toEqual({ session, woken: [0, 0] });
      arm(store, host, { loop, session, timeoutMs: 1000 });
      expect({ session, woken: [woken(tool, session), woken(stop, session)] }).toEqual({ session, woken: [1, 1] });
      commit(store, loadedOf(store, loop), { kind: 'cancel-requested' });
    }
  });

  it('follow the loop to another session, and out of every session', () => {
    const { store, woken, tool } = parts();
    arm(store, host, { timeoutMs: 1000 });
    commit(store, loadedOf(store), { kind: 'session-changed', session: { host, id: 's2' } });
    expect(woken(tool)).toBe(0);
    store.bindSession({ host, id: 's2' }, 'a');
    expect(woken(tool, 's2')).toBe(1);
    commit(store, loadedOf(store), { kind: 'driver-changed', agent: { kind: 'command', command: 'true' } });
    expect(woken(tool, 's2')).toBe(0);
  });

  it('follow the session to its next loop', () => {
    const { store, woken, tool } = parts();
    arm(store, host, { loop: 'a', timeoutMs: 1000 });
    arm(store, host, { loop: 'b' });
    expect(woken(tool)).toBe(0);
    arm(store, host, { loop: 'c', timeoutMs: 1000 });
    // The end of a loop that had the session before takes nothing from the one that has it now.
    commit(store, loadedOf(store, 'a'), { kind: 'cancel-requested' });
    expect(woken(tool)).toBe(1);
  });
});

describe.each(WAYS.filter(({ host }) => host === 'codex'))(
  '$title before a tool of its own goal',
  ({ lines: linesOf }) => {
    it('start Node for every loop, because "complete" may not be true', () => {
      const { store, home, woken } = aFixture('codex');
      const [line = '', ...more] = toolLines(linesOf('codex', home), 'update_goal');
      expect(more).toEqual([]);
      expect(woken(line)).toBe(0);
      arm(store, 'codex');
      expect(woken(line)).toBe(1);
    });

    it('ask about each tool once, whatever it is called', () => {
      const lines = linesOf('codex', aFixture('codex').home);
      const names = [
        'l',
        'al',
        'oal',
        'goal',
        '_goal',
        'a_goal',
        'agoal',
        'shell',
        'apply_patch',
        'mcp__x__goal',
        'goals',
      ];
      for (const name of names) expect({ name, asked: toolLines(lines, name).length }).toEqual({ name, asked: 1 });
      fc.assert(fc.property(fc.stringMatching(/^[\w-]{1,20}$/u), (name) => toolLines(lines, name).length === 1));
    });
  },
);

/** When everything stood in one line of the settings. */
function oldSettings(host: 'claude-code' | 'codex', home: string): string {
  return readFileSync(path.join(import.meta.dirname, `../fixtures/long-form/${host}-user.json`), 'utf8')
    .replaceAll('@KEPT@', home)
    .replaceAll('/opt/old/node', `${home}/node`)
    .replaceAll('/opt/old/dist', home);
}

describe.each(['claude-code', 'codex'] as const)('the hooks of %s as an older version wrote them', (host) => {
  it('keep working', () => {
    const { store, home, woken } = aFixture(host);
    const old = linesIn(JSON.parse(oldSettings(host, home))).find(({ event }) => event === 'Stop')?.line ?? '';
    expect(old).toContain(`${home}/armed/${host}/`);
    arm(store, host);
    arm(store, host, { loop: 'b', session: 's2', timeoutMs: 1000 });
    expect([woken(old, 's1'), woken(old, 's2')]).toEqual([1, 1]);
  });
});

describe.each(HOST_IDS)('a dialect in %s', (host) => {
  it('is asked at a stop, and before every tool where its iterations have a time; or it is not answered for at all', () => {
    const linesWith = (dialectsTimed: boolean): readonly Line[] =>
      installedLines(host, '/x', { dialectCalls: [{ line: 'ask' }], dialectsTimed, dialectsOnly: true });
    const asked = HOSTS[host].capabilities.answersDialects ? ['ask'] : [];
    const stops = linesWith(false).filter(({ event }) => STOP_EVENTS.has(event));
    expect(stops.map(({ line }) => line)).toEqual(asked);
    expect(toolLines(linesWith(false))).toEqual([]);
    for (const tool of ['Bash', 'update_goal']) expect(toolLines(linesWith(true), tool)).toEqual(asked);
  });

  it('is notified of a failed turn where its document has rules for that, and the host reports it', () => {
    const lines = installedLines(host, '/x', {
      dialectCalls: [{ line: 'ask' }],
      dialectErrorCalls: [{ line: 'ask about the error' }],
      dialectsOnly: true,
    });
    const failed = lines.filter(({ event }) => event === 'StopFailure').map(({ line }) => line);
    expect(failed).toEqual(host === 'claude-code' ? ['ask about the error'] : []);
  });
});
