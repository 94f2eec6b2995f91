import { fieldsOf } from '../../hosts/fields.ts';
import { guardFolder, quoted, scriptOf } from '../../hosts/guard.ts';
import type { HostId } from '../../hosts/ids.ts';
import type { HookCall } from '../../hosts/setup.ts';
import { windowsWords } from '../../hosts/windows-call.ts';

/** Is this call ours, for this host and this home? Recognised by its content, because its paths change with every version. */
export function isOurCall(call: HookCall, host: HostId, home: string): boolean {
  return isOurLine(call.line, host, home) || isOurOnWindows(windowsWords(call), host, home);
}

/** Everything that a value of the settings could start: each text in it, and a program with its arguments. */
export function callsIn(value: unknown): readonly HookCall[] {
  if (typeof value === 'string') return [{ line: value }];
  if (typeof value !== 'object' || value === null) return [];
  return [
    ...callsOf(value),
    ...Object.values(value).flatMap((each) => (typeof each === 'string' ? [] : callsIn(each))),
  ];
}

/** Without nested values. */
export function callsOf(value: object): readonly HookCall[] {
  const fields = Array.isArray(value) ? undefined : fieldsOf(value);
  const [command, args] = [fields?.['command'], fields?.['args']];
  const withArgs: readonly HookCall[] =
    typeof command === 'string' && Array.isArray(args)
      ? [{ line: command, otherKeys: { args: args.filter((each): each is string => typeof each === 'string') } }]
      : [];
  const texts = Object.values(value).filter((each): each is string => typeof each === 'string');
  return [...withArgs, ...texts.map((line) => ({ line }))];
}

function isOurLine(text: string, host: HostId, home: string): boolean {
  const script = scriptOf(text);
  if (script !== undefined) return /^[.-]/u.test(textAfter(script, `${guardFolder(home)}/${host}`));
  // The form of older versions: everything in one line.
  const isHook = /hook\.cjs'? /u.test(text) && text.includes(` ${quoted(host)} ${quoted(home)}`);
  const isDialect = text.includes(`TIRELESS_HOME=${quoted(home)} `) && text.includes(` hook ${host} --dialect `);
  return isHook || isDialect;
}

function textAfter(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : '';
}

function isOurOnWindows(words: readonly string[], host: HostId, home: string): boolean {
  const wordsAfter = (end: string): readonly string[] => {
    const at = words.findIndex((word) => word.endsWith(end));
    return at < 0 ? [] : words.slice(at + 1);
  };
  const isHook = isSameStart(wordsAfter('\\hook.cjs'), [host, home]);
  const isDialect = isSameStart(wordsAfter('\\cli.js'), ['hook', host, '--dialect']);
  return isHook || (isDialect && isSameStart(wordsAfter('$env:TIRELESS_HOME='), [home]));
}

function isSameStart(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, at) => words[at] === word);
}
