import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ignoringErrno } from '../system/errno.ts';
import { sha256 } from '../system/ids.ts';

/** The shell's output as a person sees it: no colours, no cursor moves, and only the last state of a line that was redrawn. */
export function cleanText(raw: string): string {
  return raw
    .replaceAll(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => (line.includes('\r') ? (line.split('\r').findLast((state) => state.trim() !== '') ?? '') : line))
    .join('\n')
    .replaceAll(UNPRINTABLE, '');
}

export type Output = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Only the end of a stream is available. */
  readonly cut: { readonly stdout: boolean; readonly stderr: boolean };
  readonly cwd: string;
};

/**
 * Equal for two runs that fail the same way. Removes what differs from run to run (times, addresses, line numbers, paths of temporary
 * files), and the order of lines, which differs if tests run in parallel. Each stream is taken by itself, because they mix by chance. The
 * number of failures is kept: it is the one number that shows progress.
 */
export function outputFingerprint(output: Output): string {
  const replacements = pathReplacements(output.cwd);
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const lines = cleanText(output[name]).split('\n');
    const whole = output.cut[name] ? steadyEnd(lines.slice(1)) : lines;
    return [...new Set([...new Set(whole)].map((line) => normalise(line, replacements)))].toSorted().join('\n');
  });
  return sha256([String(output.exitCode), ...streams].join('\0')).slice(0, FINGERPRINT_LENGTH);
}

const FINGERPRINT_LENGTH = 16;
const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
/** CSI, then strings (OSC, DCS and the like; never past the end of a line, or a stray one would swallow the rest), then the short ones. */
const ESCAPES = new RegExp(
  String.raw`${ESC}(?:\[[0-?]*[ -/]*[@-~]|\][^${BEL}${ESC}\n]*(?:${BEL}|${ESC}\\)?|[PX^_][^${ESC}\n]*(?:${ESC}\\)?|[ -/]*[0-~])?`,
  'g',
);
/** Control characters except tab and line feed, and characters that change the direction of writing. */
const UNPRINTABLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

const SPACE_OF_TIME = 'ms|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?';
const RULES: readonly (readonly [RegExp, string])[] = [
  [/(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s'"`:;,()[\]<>]*/g, '<tmp>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#'],
  [/\b0x[0-9a-f]+\b/gi, '#'],
  [/\b(?=[a-f]*\d)[0-9a-f]{7,}\b/gi, '#'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},?\s+(?=\d|[JFMASOND][a-z]{2})/g, ''],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?\s+(?=\d)/g, ''],
  // Not after a letter: `case1` and `case2` are two names.
  [
    new RegExp(
      String.raw`(?<![A-Za-z_\d])\d+(?:[.,:_/T-]\d+)*(?:\s?(?:${SPACE_OF_TIME}|[kmg]?i?b|bytes|am|pm|%)(?![A-Za-z_])|Z\b)?`,
      'gi',
    ),
    '#',
  ],
  [/#(?:[\s,]*#)+/g, '#'],
  // Progress bars and columns.
  [/([^\w\s#])\1{2,}/g, '$1'],
  [/\s+/g, ' '],
];
const FAILED_COUNTS = [
  /(?<![\w.:,/-])(?:\d{1,4} (?:tests? )?(?:failed|failing|failures|errors|problems)|1 (?:failure|error|problem))\b/gi,
  /\b(?:failed|failures|errors|problems)\s?[:=]\s?\d{1,4}\b(?![.:/-])/gi,
];

function normalise(line: string, replacements: readonly PathReplacement[]): string {
  const counts = FAILED_COUNTS.flatMap((pattern) => line.match(pattern) ?? []);
  const known = replacements.reduce((text, { from, to }) => text.replaceAll(from, to), line);
  const plain = RULES.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), known).trim();
  return counts.length === 0 ? plain : `${plain} ${counts.join(' ')}`;
}

type PathReplacement = { readonly from: string; readonly to: string };

/** The project's path as it may be printed: as given, resolved, with either slash. Then the user's own temporary directory, which may be anywhere. */
function pathReplacements(cwd: string): readonly PathReplacement[] {
  const project = [...new Set([cwd, ignoringErrno(() => realpathSync(cwd)) ?? cwd])].flatMap(written);
  return [
    ...project.map((from) => ({ from, to: '<cwd>' })),
    ...written(tmpdir()).map((from) => ({ from, to: '/tmp' })),
  ];
}

function written(place: string): string[] {
  return place.length > 1 ? [...new Set([place, place.replaceAll('\\', '/')])] : [];
}

/**
 * The start of the tail moves with every digit more or less. A power of two of lines from the end moves only when the number of lines
 * nearly doubles.
 */
function steadyEnd(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? lines : lines.slice(-(2 ** Math.floor(Math.log2(lines.length))));
}
