import type { CheckResult } from '../../core/evidence.ts';
import type { RoomFit } from '../../core/room.ts';

/**
 * Does the check have the same result in the room as in the work tree? A hold-out did not run in the work tree, so any result is enough.
 * `ignored`: what the project has and a room has not.
 */
export function fitOf(result: CheckResult, tree: CheckResult | undefined, ignored: readonly string[] = []): RoomFit {
  const { name, tests, tail } = result;
  const counted = tests === undefined ? {} : { tests };
  const tolerates = result.result === 'passed' && (tests?.failed ?? 0) > 0 ? { tolerates: tests?.failed ?? 0 } : {};
  const green = result.result === 'passed' ? ({ green: true } as const) : {};
  const because = result.unknown === 'timed-out' ? ({ because: 'timed-out' } as const) : {};
  const isSame = result.result !== 'unknown' && (tree === undefined || isSameResult(result, tree, ignored));
  return isSame
    ? { name, fit: true, ...green, ...counted, ...tolerates }
    : { name, fit: false, ...counted, result: result.result, tail, ...because };
}

/** A check that fails in both places may fail in the room for another reason, and then the best work would fail there, too. */
function isSameResult(result: CheckResult, tree: CheckResult, ignored: readonly string[]): boolean {
  if (tree.result !== result.result || tree.exitCode !== result.exitCode) return false;
  if (tree.tests?.ran !== result.tests?.ran) return false;
  if ((result.tests?.failed ?? 0) > (tree.tests?.failed ?? 0)) return false;
  return result.result === 'passed' || !isShortOf(result.tail, tree.tail, ignored);
}

const NO_REPOSITORY = /\bnot a git repository\b/i;
const MISSING =
  /\bno such file\b|\bcannot (?:find|open|stat|access)\b|\bcan't open\b|\bnot found\b|\bENOENT\b|\bNo module named\b|\bcould not (?:find|open|read|resolve)\b|\bdoes not exist\b|\bunable to (?:find|open|resolve)\b/i;

/** Only in the room, the output says that something is missing. */
function isShortOf(room: string, tree: string, ignored: readonly string[]): boolean {
  if (NO_REPOSITORY.test(room) && !NO_REPOSITORY.test(tree)) return true;
  const lines = room.split('\n').filter((line) => MISSING.test(line));
  return ignored
    .map((file) => file.replace(/\/$/, ''))
    .some((file) => lines.some((line) => namesPath(line, file)) && !namesPath(tree, file));
}

/** As a whole path, or as the end or the beginning of one. */
function namesPath(text: string, file: string): boolean {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + file.length)] as const;
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
