import type { DialectName } from '../../dialects/names.ts';
import { quoted } from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/host.ts';
import type { Program } from '../../system/settings-files.ts';

/** Where the files of a dialect stand in a project, as a shell writes it: `*` is any name. Plain words: nothing in them needs quotes. */
export const DIALECT_FILES: Readonly<Record<DialectName, readonly string[]>> = {
  athena: ['.athena/sessions/*/loop-tracker.md'],
  'loop-mechanics': ['.loop/state.json'],
  supercode: ['.supercoin/ralph-loop-state.json'],
  // Open TODOs are reminded of without a loop, too.
  stravinsky: ['.stravinsky/continuation-loop.md', '.stravinsky/todos.json'],
  'ralph-wiggum': ['AI_Employee_Vault/Ralph_State/RALPH_*.json'],
  'ralph-loop': ['.claude/ralph-loop.local.md'],
};

/** Hosts that name the project to a hook; for the others its path is written down. */
const PROJECT_VARIABLES: Partial<Readonly<Record<HostId, string>>> = { 'claude-code': 'CLAUDE_PROJECT_DIR' };

export type DialectPlace = {
  readonly host: HostId;
  readonly home: string;
  readonly project: string;
  readonly program: Program;
  readonly drainInput: boolean;
  /** The time of one iteration; absent = no limit. */
  readonly iterationTimeoutMs?: number | undefined;
};

/** Asks for the file, and starts Node only where it is. */
export function dialectLine(name: DialectName, place: DialectPlace): string {
  const { host, home, project, program, drainInput, iterationTimeoutMs: time } = place;
  const variable = PROJECT_VARIABLES[host];
  const root = variable === undefined ? quoted(project) : `"$${variable}"`;
  const files = DIALECT_FILES[name].map((file) => `${root}/${file}`).join(' ');
  const words = [program.node, program.cli, 'hook', host, '--dialect', name, '--reply', 'json'];
  if (time !== undefined) words.push('--iteration-timeout', `${time}ms`);
  const run = `TIRELESS_HOME=${quoted(home)} exec ${words.map(quoted).join(' ')}`;
  return `for file in ${files}; do [ -e "$file" ] && ${run}; done; ${drainInput ? 'exec cat >/dev/null' : 'exit 0'}`;
}

/** Is this line of shell one of ours, for this host and this home? By what stands in it: its paths change with every version. */
export function isOurLine(text: string, host: HostId, home: string): boolean {
  const isHook = /hook\.cjs'? /u.test(text) && text.includes(` ${quoted(host)} ${quoted(home)}`);
  const isDialect = text.includes(`TIRELESS_HOME=${quoted(home)} `) && text.includes(` hook ${host} --dialect `);
  return isHook || isDialect;
}
