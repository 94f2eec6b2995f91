/** A plugin that a host installs by itself is the same as what `tireless install` writes for that host, in other files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODE_FLAGS } from '../../src/hosts/guard.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import type { SettingsEdit, SetupPlace } from '../../src/hosts/setup.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const PLUGINS = [
  { host: 'claude-code', folder: 'plugins/claude-code', manifest: '.claude-plugin/plugin.json', commands: 'commands' },
  { host: 'codex', folder: 'plugins/codex/tireless', manifest: '.codex-plugin/plugin.json', commands: 'skills' },
  { host: 'gemini', folder: 'plugins/gemini', manifest: 'gemini-extension.json', commands: 'commands' },
] as const;

/** Only the wake of a line is of interest: its words differ. */
const PLACE: SetupPlace = {
  scope: 'user',
  home: '/home',
  project: '/project',
  variables: {},
  isWindows: false,
  hookCall: ({ wake }) => ({ line: wake }),
  guards: [],
  dialectCalls: [],
  dialectErrorCalls: [],
  dialectEndCalls: [],
  dialectsTimed: false,
  dialectsOnly: false,
  hookTimeoutSeconds: 600,
  plugins: '/plugins',
  node: '/node',
  script: '/hook.cjs',
  tirelessHome: '/tireless',
  onDemand: false,
  trust: false,
};

type Hook = {
  readonly event: string;
  readonly matcher: string | null;
  readonly wake: string;
  readonly timeout: number;
};
type Group = { readonly matcher?: string; readonly hooks: readonly { command: string; timeout: number }[] };

function read(...parts: readonly string[]): string {
  return readFileSync(path.join(ROOT, ...parts), 'utf8');
}

function hooksIn(event: string, { matcher, hooks }: Group): readonly Hook[] {
  return hooks.map(({ command, timeout }) => ({ event, matcher: matcher ?? null, wake: command, timeout }));
}

function written(edits: readonly SettingsEdit[]): readonly Hook[] {
  const puts = edits.flatMap((edit) => (edit.kind === 'json' ? edit.puts : []));
  return puts.flatMap(({ path: [top, event = ''], value }) => (top === 'hooks' ? hooksIn(event, value as Group) : []));
}

const byEvent = (a: Hook, b: Hook): number => a.event.localeCompare(b.event);

for (const { host, folder, manifest, commands } of PLUGINS) {
  describe(`the plugin of ${host}`, () => {
    const edits = HOSTS[host].install.edits(PLACE);

    it('hears of the same events as "tireless install", and is woken by the same sessions', () => {
      const { hooks } = JSON.parse(read(folder, 'hooks/hooks.json')) as { hooks: Record<string, readonly Group[]> };
      const packaged = Object.entries(hooks).flatMap(([event, groups]) =>
        groups.flatMap((group) => hooksIn(event, group)),
      );
      const wakes = { own: 'own-session', tool: 'tool-session', any: 'any-session', always: 'always' } as const;
      const { sessionVariable } = HOSTS[host].capabilities;
      const meant = packaged.map((hook) => {
        const [, of, wake] = /ask(?:\.sh)?" (\S+) (own|tool|any|always)(?: |;|$)/u.exec(hook.wake) ?? [];
        expect(of).toBe(host);
        // The name of a command begins with that of its plugin there.
        const matcher = hook.matcher?.replaceAll('tireless:', '') ?? null;
        return { ...hook, matcher, wake: wakes[wake as keyof typeof wakes] };
      });
      // Where no variable names the session, a line of shell knows only that some loop is armed.
      const asked = written(edits).map((hook) => ({
        ...hook,
        // Other names, for who has commands of the same names: a plugin's cannot be mistaken for them.
        matcher: hook.matcher?.replaceAll(/\|tireless-[a-z-]+/gu, '') ?? null,
        wake: hook.wake === 'own-session' && sessionVariable === null ? 'any-session' : hook.wake,
      }));
      expect(meant.toSorted(byEvent)).toEqual(asked.toSorted(byEvent));
    });

    it('makes the same commands known, in the same words', () => {
      const wanted = edits.flatMap((edit) =>
        edit.kind === 'own-file' ? [[edit.file.split(`/${commands}/`)[1], edit.text] as const] : [],
      );
      const place = path.join(ROOT, folder, commands);
      const all = existsSync(place) ? readdirSync(place, { recursive: true, encoding: 'utf8' }) : [];
      const there = all.filter((name) => path.extname(name) !== '');
      expect(Object.fromEntries(there.map((file) => [file, read(folder, commands, file)]))).toEqual(
        Object.fromEntries(wanted),
      );
      expect(wanted.length).toBeGreaterThanOrEqual(4);
    });

    it('asks by the one script, and has the version of the package', () => {
      expect(read(folder, 'hooks/ask.sh')).toBe(read('tools/ask.sh'));
      const { version } = JSON.parse(read('package.json')) as { version: string };
      expect(JSON.parse(read(folder, manifest))).toMatchObject({ name: 'tireless', version });
    });
  });
}

it('starts Node as the guard does, in the script of the plugins and in the benchmark', () => {
  const flags = NODE_FLAGS.join(' ');
  const started = read('tools/ask.sh').match(/"\$node" --.*"\$script"/gu);
  expect(started).toEqual(Array.from({ length: 3 }, () => `"$node" ${flags} "$script"`));
  expect(read('bench/hook.mjs').split(`execPath} ${flags} \${HOOK}`)).toHaveLength(3);
});
