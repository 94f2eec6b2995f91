import type { Tone } from './narrate.ts';

export type Paint = (tone: Tone, text: string) => string;

const CODES: Readonly<Record<Tone, readonly [string, string] | null>> = {
  plain: null,
  strong: ['1', '22'],
  good: ['32', '39'],
  bad: ['31', '39'],
  doubtful: ['33', '39'],
  quiet: ['2', '22'],
  alarm: ['1;31', '22;39'],
};

/** Colours help, but never carry meaning alone: every tone also has its word or its mark. */
export function painter(colours: boolean): Paint {
  return (tone, text) => {
    const codes = colours ? CODES[tone] : null;
    return codes === null ? text : `\u001B[${codes[0]}m${text}\u001B[${codes[1]}m`;
  };
}

/** The convention of no-color.org: set and not empty. */
export function wantsColours(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
