import * as z from 'zod/mini';
import type { HostId } from '../../hosts/ids.ts';
import { scriptOf } from '../../hosts/guard.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { HookCall } from '../../hosts/setup.ts';
import { readTextIfExists } from '../../system/files.ts';
import { sha256 } from '../../system/ids.ts';
import { isFile } from '../../system/settings-files.ts';
import { isStrictJson, valueIn } from '../settings/json-text.ts';
import type { FileRecord, InstallRecord } from '../settings/install-record.ts';
import { allRecords } from '../settings/install-record.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';
import type { HookEntry } from './hook-entries.ts';
import { entriesIn, filesInScript, filesOf } from './hook-entries.ts';
import { isShim } from './program.ts';

/** Checks run in a hook, and few of them finish in less time than this. */
const TIMEOUT_SECONDS_MIN = 60;

/** The paths of this machine inside a module that a host loads. */
const EmbeddedPathsSchema = z.object({ node: z.string(), script: z.string() });

/** `refusal`: why an install would be refused at the moment. */
export function installedFindings(
  host: HostId,
  records: readonly InstallRecord[],
  home: string,
  refusal: string | null = null,
): readonly Finding[] {
  const again = installCommand(host, records);
  if (records.length === 0) {
    const text = 'tireless is not installed here, neither for your user nor for this project';
    return refusal === null
      ? [problem(host, { about: 'installed', text, fix: again })]
      : [problem(host, { about: 'installed', text: `${text}. ${refusal}`, fix: `correct the file, then: ${again}` })];
  }
  return records.flatMap((record) => recordFindings(record, home));
}

/** The command that restores everything, with the options of the last install. */
export function installCommand(host: HostId, records: readonly InstallRecord[]): string {
  const [record] = records;
  const words = record === undefined ? [] : wordsOf(record);
  return ['tireless install', host, ...words, '--yes'].join(' ');
}

function wordsOf({ scope, native, dialects, onDemand, trust }: InstallRecord): readonly string[] {
  return [
    ...(native ? (scope === 'user' ? [] : ['--project']) : [`--dialect ${dialects[0] ?? ''}`]),
    ...(onDemand ? ['--on-demand'] : []),
    ...(trust ? ['--trust'] : []),
  ];
}

const WHERE: Readonly<Record<InstallRecord['scope'], string>> = {
  user: 'for your user',
  project: 'for this project',
  armed: 'for the loops of this project',
};

function recordFindings(record: InstallRecord, home: string): readonly Finding[] {
  const { host, scope } = record;
  const fix = installCommand(host, [record]);
  const missing = record.files.filter(({ file }) => !isFile(file)).map(({ file }) => file);
  const entries = record.files.flatMap(({ file }) => entriesOf(file, host, home));
  const modules = record.files.flatMap(({ file }) => pathsEmbeddedIn(file));
  const where = WHERE[scope];
  if (entries.length === 0 && modules.length === 0) {
    const settings = record.files.find(({ isGuard }) => isGuard !== true);
    const text = `installed ${where}, but its hooks are missing from ${settings?.file ?? ''}`;
    return [problem(host, { about: 'installed', text, fix })];
  }
  const what = entries.length === 0 ? 'a plugin' : `${entries.length} hooks`;
  const changed = record.files.filter((each) => isChangedGuard(each, home)).map(({ file }) => file);
  const wrong = missing.length > 0 ? `${missing.join(', ')} is gone` : `${changed.join(', ')} was changed since`;
  const installed =
    missing.length + changed.length === 0
      ? ok(host, { about: 'installed', text: `${where}, ${what}` })
      : problem(host, { about: 'installed', text: `${where}, but ${wrong}`, fix });
  return [
    installed,
    ...unreadFindings(record),
    ...pathFindings(host, [...entries.flatMap(({ call }) => startedBy(call)), ...modules], fix),
    ...timeoutFindings(host, entries, fix),
  ];
}

/** The content of our script was not written by any of the installs that share it. */
function isChangedGuard({ file, isGuard }: FileRecord, home: string): boolean {
  const text = isGuard === true ? readTextIfExists(file) : undefined;
  if (text === undefined) return false;
  const written = allRecords(home).flatMap(({ files }) => files.filter((each) => each.file === file));
  return !written.some((each) => each.written === sha256(text));
}

/** Comments were added after the install, and the host has ignored the file since then. */
function unreadFindings({ host, files }: InstallRecord): readonly Finding[] {
  const { install, capabilities } = HOSTS[host];
  if (install.strictJson !== true) return [];
  return files
    .filter(({ file, kind }) => kind === 'json' && !isStrictJson(readTextIfExists(file) ?? '{}'))
    .map(({ file }) =>
      problem(host, {
        about: 'hooks-off',
        text: `${file} contains comments or trailing commas, and ${capabilities.title} ignores such a file: no hook in it runs`,
        fix: `remove the comments and trailing commas from ${file}`,
      }),
    );
}

type Files = { readonly node: string; readonly script: string };

function pathFindings(host: HostId, used: readonly Files[], fix: string): readonly Finding[] {
  if (used.length === 0) return [];
  const files = [...new Set(used.flatMap(({ node, script }) => [node, script]))];
  const gone = files.filter((file) => !isFile(file));
  if (gone.length > 0) {
    const text = `the hooks start ${gone.join(' and ')}, which is missing: they do nothing`;
    return [problem(host, { about: 'paths', text, fix })];
  }
  const shim = files.find((file) => isShim(file));
  if (shim !== undefined) {
    const text = `the hooks start ${shim}, which a version manager may remove`;
    return [problem(host, { about: 'shim', text, fix: `run tireless with a permanent Node, then: ${fix}` })];
  }
  return [
    ok(host, {
      about: 'paths',
      text: `the files that the hooks start exist (${[...new Set(used.map(({ node }) => node))].join(', ')})`,
    }),
  ];
}

function timeoutFindings(host: HostId, entries: readonly HookEntry[], fix: string): readonly Finding[] {
  const times = entries.flatMap(({ timeoutSeconds }) => timeoutSeconds ?? []);
  if (times.length === 0) return [];
  const least = Math.min(...times);
  return least >= TIMEOUT_SECONDS_MIN
    ? [ok(host, { about: 'timeout', text: `a hook may take ${least} s` })]
    : [
        problem(host, {
          about: 'timeout',
          text: `a hook may take only ${least} s: slower checks never finish`,
          fix,
        }),
      ];
}

/** A missing script is reported as a missing file of the install. */
function startedBy(call: HookCall): readonly Files[] {
  const script = scriptOf(call.line);
  const text = script === undefined ? undefined : readTextIfExists(script);
  const files = script === undefined ? filesOf(call) : text === undefined ? null : filesInScript(text);
  return files === null ? [] : [files];
}

function entriesOf(file: string, host: HostId, home: string): readonly HookEntry[] {
  const text = file.endsWith('.json') ? readTextIfExists(file) : undefined;
  return text === undefined ? [] : entriesIn(valueIn({ file, text }), host, home);
}

function pathsEmbeddedIn(file: string): readonly Files[] {
  const text = /\.[jt]s$/u.test(file) ? readTextIfExists(file) : undefined;
  const [json] = text === undefined ? [] : (/\{"node":[^\n]*?\}/u.exec(text) ?? []);
  const parsed = json === undefined ? undefined : EmbeddedPathsSchema.safeParse(valueIn({ file, text: json }));
  return parsed?.success === true ? [parsed.data] : [];
}
