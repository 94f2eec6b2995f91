import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Loop } from '../core/journal.ts';
import type { Unmet } from '../core/decision.ts';
import type { Outcome, State } from '../core/loop.ts';
import type { RoomBaseline, RoomFacts } from '../core/room.ts';
import { roomLines } from './explain-room.ts';
import { viewOf } from './loop-view.ts';
import { reviewAdvice, roomWarnings } from './room-words.ts';
import { statusLines } from './status-lines.ts';

const kept = { kind: 'kept', files: 12, judgeFiles: 3, judgeHash: 'h' } as const;
const fit = { name: 'unit', fit: true, tests: { ran: 4, failed: 1, skipped: 0 } } as const;
const unfit = { name: 'e2e', fit: false, result: 'failed', tail: "Cannot find module 'dist/cli.js'\n" } as const;
const clock = { wallMs: 0, monotonicMs: 0, boot: 'b' };
const spec = aSpec({ checks: [aCheck('unit'), aCheck('e2e', { holdout: true })], room: { keep: [], free: [] } });

function aLoop(room: RoomBaseline, outcome: Outcome | null = null): Loop {
  const status = outcome === null ? 'running' : 'completed';
  return { asked: spec, spec, state: aState({ room, outcome, status }) };
}

describe('what the user reads at the start', () => {
  it.each<[string, RoomBaseline, string]>([
    ['why there is no room', { kind: 'none', why: 'git-missing', detail: '' }, 'no clean room: git is not installed'],
    [
      'the ignored folder that the output names',
      { ...kept, fits: [unfit], ignored: ['.env', 'dist/'] },
      'git ignores dist/: try --room-keep dist/, or --room-setup "npm run build"',
    ],
    [
      'ignored files that the check may need',
      { ...kept, fits: [{ ...unfit, tail: '' }], ignored: ['my env'] },
      "try --room-keep 'my env'",
    ],
    ['a command, where nothing is ignored', { ...kept, fits: [unfit] }, 'try --room-setup "npm run build"'],
    ['patterns that match nothing', { ...kept, fits: [], unmatched: ['tset/**'] }, 'no file matches tset/**'],
  ])('is %s', (_, baseline, text) => {
    expect(roomWarnings(baseline).join('\n')).toContain(text);
  });

  it('is nothing where every check works in the room', () => {
    expect(roomWarnings({ ...kept, fits: [fit] })).toEqual([]);
  });

  it('names no hold-out check, and nothing of its output', () => {
    const lines = roomWarnings({ ...kept, fits: [unfit] }, ['e2e']).join('\n');
    expect(lines).toContain('the clean room does not work for a hold-out check');
    expect(lines).not.toMatch(/e2e|cli\.js/);
  });
});

describe('the level of a completion', () => {
  const completed = (level: 'room' | 'tree' | 'approval'): Outcome => ({ kind: 'completed', verified: true, level });

  it.each([
    [completed('room'), { ...kept, fits: [fit] }, 'verified:  clean room', null],
    [
      completed('tree'),
      { kind: 'none', why: 'no-space', detail: '' },
      'verified:  work tree only (the disk is full)',
      'the disk is full',
    ],
    [
      completed('tree'),
      { ...kept, fits: [fit, unfit] },
      'verified:  work tree only (it does not work for a hold-out check)',
      'it does not work for a hold-out check',
    ],
    [completed('approval'), { ...kept, fits: [fit] }, 'verified:  approval', null],
  ] as const)('is in status and in --json: %j', (outcome, room, line, noRoom) => {
    const loop = aLoop(room, outcome);
    expect(statusLines(loop, null).join('\n')).toContain(line);
    const level = outcome.kind === 'completed' ? outcome.level : null;
    expect(viewOf(loop).outcome).toMatchObject({ verified: true, level, noRoom });
  });
});

describe('explain', () => {
  it('has what was kept at the start', () => {
    expect(roomLines({ clock, roomBaseline: { ...kept, fits: [fit] } }, aLoop({ ...kept, fits: [] }))).toEqual([
      'kept 12 files for the clean room; 3 of them judge the work',
      '"unit" works in the clean room (4 tests ran)',
    ]);
  });

  it('has each run in the room, what was changed, and the signs', () => {
    const room: RoomFacts = {
      kind: 'judged',
      work: 'w',
      runs: [
        {
          name: 'unit',
          judged: aResult('unit', 'failed', {
            tests: { ran: 4, failed: 1, skipped: 0 },
            tail: 'fine\na.c:3:5: error: no such thing\nbye',
          }),
          asLeft: aResult('unit', 'passed'),
        },
        { name: 'e2e', judged: aResult('e2e', 'failed', { tail: 'Error: secret words' }) },
      ],
      changes: [{ path: 'package.json', part: 'scripts/test', change: 'modified' }],
      signs: [{ code: 'exits-early', path: 'src/a.js', line: 3, text: 'process.exit(0)' }],
    };
    expect(roomLines({ clock, room }, aLoop({ ...kept, fits: [fit] }))).toEqual([
      'in the clean room "unit" failed (4 tests ran, 4 at the start; 100ms)',
      '    | a.c:3:5: error: no such thing',
      "  and with the judge's files as the agent left them it passed (100ms)",
      'in the clean room a hold-out check failed (100ms)',
      'changed files that judge the work:',
      '    package.json (scripts/test) modified',
      'signs of tampering:',
      '    src/a.js:3 ends the process when it is loaded: process.exit(0)',
    ]);
  });

  it('has the reason where no room could be made', () => {
    const room: RoomFacts = { kind: 'lost', why: 'baseline-lost', detail: '/home/x' };
    expect(roomLines({ clock, room }, null)).toEqual([
      'no clean room could be made (the copy kept at the start is missing or damaged: /home/x)',
    ]);
  });
});

describe('which flag would have spared the person a pause', () => {
  const paused = (unmet: readonly Unmet[], more: Partial<State> = {}): State => {
    const state = aState({ status: 'paused', pause: { cause: 'review' }, ...more });
    return { ...state, plan: { ...state.plan, unmet } };
  };
  const fails = { kind: 'room', name: 'unit', result: 'failed', doubt: 'fails' } as const;
  const deleted: Unmet = { kind: 'judge-file', path: 'test/old.test.js', change: 'deleted' };
  const sign: Unmet = { kind: 'sign', code: 'exits-early', path: 'src/a.js', line: 1, text: 'process.exit(0)' };
  const room: RoomBaseline = { ...kept, fits: [fit], ignored: ['dist/', '.env'] };

  it('frees a file that the agent changed', () => {
    expect(reviewAdvice(paused([fails, deleted], { room }))).toBe(
      'if the goal is to change such files, start with --free test/old.test.js, so that they do not judge the work',
    );
  });

  it('carries what git ignores into the room where no file explains the failure', () => {
    const roomChecks = [aResult('unit', 'failed', { tail: "Cannot find module 'dist/a.js'" })];
    expect(reviewAdvice(paused([fails], { room, roomChecks }))).toContain('git ignores dist/: try --room-keep dist/');
    expect(reviewAdvice(paused([fails], { room }))).toContain('git ignores dist/, .env: if it needs one of them');
    expect(reviewAdvice(paused([fails]))).toContain('--room-setup');
  });

  it('is space where the check found none', () => {
    const roomChecks = [aResult('unit', 'failed', { tail: 'head: write error: No space left on device' })];
    expect(reviewAdvice(paused([fails], { room, roomChecks }))).toContain('free some space');
    const full = { ...fit, fit: false, result: 'failed', tail: 'ENOSPC: no space left on device, write' } as const;
    expect(roomWarnings({ ...kept, fits: [full], ignored: ['dist/'] }).join('\n')).toContain('on a larger disk');
  });

  it('is missing for signs, parts of a file, other doubts and other pauses', () => {
    expect(reviewAdvice(paused([fails, sign], { room }))).toBeNull();
    expect(reviewAdvice(paused([fails, { ...deleted, part: 'scripts/test' }], { room }))).toBeNull();
    expect(reviewAdvice(paused([{ ...fails, doubt: 'no-tests' }], { room }))).toBeNull();
    expect(reviewAdvice(paused([fails], { room, pause: { cause: 'approval' } }))).toBeNull();
  });
});
