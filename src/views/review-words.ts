import type { Unmet } from '../core/decision.ts';
import { signText } from '../core/prompt-room.ts';
import { lostWords } from './room-words.ts';
import { oneLine } from './printable.ts';

const NAME_CHARS_MAX = 80;
const PATH_CHARS_MAX = 200;
const NAMED_MAX = 3;

type RoomUnmet = Unmet & { readonly kind: 'room' };

/** Why a person has to review the work: what does not agree, where, and whether the agent kept it. */
export function reviewReason(unmet: readonly Unmet[], kept: boolean): string {
  const lost = unmet.find((what) => what.kind === 'room-lost');
  if (lost !== undefined)
    return `all checks pass in the project, but ${lostWords(lost.why, lost.detail)}, so nothing is proven`;
  const checks = unmet.flatMap((what) => (what.kind === 'room' ? [checkWords(what)] : []));
  const signs = unmet.flatMap((what) =>
    what.kind === 'sign' ? [`${oneLine(what.path, PATH_CHARS_MAX)}:${what.line} ${signText(what.code)}`] : [],
  );
  const files = unmet.flatMap((what) => (what.kind === 'judge-file' ? [fileWords(what)] : []));
  const found = [...listed(checks), ...listed(signs)];
  if (found.length === 0) found.push('all checks pass, but files that judge the work are not as they were');
  const changed = files.length === 0 ? '' : `: ${listed(files).join(', ')}`;
  if (kept) return `${found.join('; ')}, and the agent kept its change${changed}`;
  return `${found.join('; ')}${changed === '' ? '' : `; the agent changed what judges it${changed}`}`;
}

function checkWords(what: RoomUnmet): string {
  const name = `"${oneLine(what.name, NAME_CHARS_MAX)}"`;
  if (what.holdout !== true) return `${name} passes in the project but ${inRoom(what)}`;
  const how = what.doubt === 'fails' ? 'passes only with files that the agent changed' : inRoom(what);
  return `the hold-out check ${name} ${how}`;
}

function inRoom({ doubt, before = 0, now = 0 }: RoomUnmet): string {
  switch (doubt) {
    case 'fails':
      return 'fails in the clean room';
    case 'no-answer':
      return 'gives no result in the clean room';
    case 'no-count':
      return 'does not report in the clean room how many tests it ran';
    case 'no-tests':
      return 'runs no test in the clean room';
    case 'fewer-tests':
      return `runs only ${now} of ${before} tests in the clean room`;
    case 'more-skipped':
      return `skips ${now} tests in the clean room (${before} at the start)`;
    case 'failed-tests':
      return `reports ${now} failed ${now === 1 ? 'test' : 'tests'} in the clean room although it exits 0`;
    case 'cannot-fail':
      return 'cannot fail: tests that must fail pass in the clean room too';
  }
}

function fileWords({ path, part, change }: Unmet & { readonly kind: 'judge-file' }): string {
  return oneLine(`${path}${part === undefined ? '' : ` (${part})`} ${change}`, PATH_CHARS_MAX);
}

function listed(all: readonly string[]): string[] {
  return all.length > NAMED_MAX ? [...all.slice(0, NAMED_MAX), `${all.length - NAMED_MAX} more`] : [...all];
}
