import { describe, expect, it } from 'vitest';
import { aResult } from '../../test/support/a-loop.ts';
import type { Decision } from '../core/decision.ts';
import type { Progress } from './display.ts';
import { jsonStream } from './json-stream.ts';
import { liveDisplay } from './live-display.ts';
import { drawRegion, emptyRegion, regionAfter } from './live-region.ts';
import { plainLines } from './plain-lines.ts';
import { painter, wantsColours } from './style.ts';
import { fitWidth } from './fit-width.ts';

const clock = { wallMs: 0, monotonicMs: 0, boot: 'b' };
const goOn: Decision = {
  kind: 'continue',
  iteration: 2,
  strategy: 'steady',
  last: false,
  delayMs: 0,
  rerun: false,
  unmet: [{ kind: 'check', name: 'unit', result: 'failed' }],
};
const STORY: readonly Progress[] = [
  { kind: 'loop-opened', loop: 'a-loop', goal: 'Do\nit', checks: 1, fresh: true, runningMs: 0 },
  { kind: 'iteration-began', iteration: 1, max: 20, rerun: false },
  {
    kind: 'agent-active',
    iteration: 1,
    activity: { kind: 'output', stream: 'message', text: 'one\n\u001B[2J\u001B]0;owned\u0007two' },
  },
  { kind: 'check-began', name: 'unit' },
  { kind: 'check-ended', result: aResult('unit', 'failed') },
  {
    kind: 'decided',
    event: { kind: 'turn-ended', iteration: 1, worker: null },
    evidence: { clock, claim: { made: 'DONE', blocked: null } },
    decision: goOn,
  },
];

function aScreen(columns = 40) {
  const written: string[] = [];
  return { written, screen: { write: (text: string) => void written.push(text), columns: () => columns } };
}

/** What a terminal would show. Knows only the few codes we use, and fails on any other. */
function shown(written: readonly string[]): string[] {
  const codes = new RegExp(String.raw`(\u001B\[(?:\d*[AJ]|\?25[lh]|\d+m))`);
  let lines: string[] = [];
  for (const part of written.join('').split(codes)) {
    const up = part.startsWith('\u001B') ? /^\[(\d+)A$/.exec(part.slice(1))?.[1] : undefined;
    if (up !== undefined) lines = lines.slice(0, lines.length - Number(up));
    if (part.startsWith('\u001B')) continue;
    expect(part).not.toContain('\u001B');
    const text = part.replaceAll('\r', '');
    lines.push(...text.split('\n').slice(0, -1));
  }
  return lines;
}

it.each([
  ['it can only end unverified', {}],
  ['only your approval verifies the work', { approval: true }],
] as const)('warns about a loop without checks: %s', (warning, approval) => {
  const { written, screen } = aScreen();
  const [opened] = STORY;
  if (opened?.kind === 'loop-opened') plainLines(screen).show({ ...opened, checks: 0, ...approval });
  expect(written.join('')).toContain(`no checks: ${warning}`);
});

describe('plainLines', () => {
  it('shows what failed, and the same failure only once', () => {
    const { written, screen } = aScreen();
    const display = plainLines(screen);
    const failed = (took: string, right = 3): Progress => ({
      kind: 'check-ended',
      result: aResult('unit', 'failed', {
        tail: `✖ failing tests:\n\ntest at a.test.js:4:1\n✖ adds (${took})\n  -1 !== ${right}\n    at file:///p/a.test.js:4:39\n`,
      }),
    });
    for (const progress of [failed('1.2ms'), failed('3.4ms'), failed('1ms', 4)]) display.show(progress);
    expect(written.join('').split('\n')).toEqual([
      '  ✗ unit (exit 1, 100ms)',
      '    | test at a.test.js:4:1',
      '    | ✖ adds (1.2ms)',
      '    |   -1 !== 3',
      '    |     at /p/a.test.js:4:39',
      '  ✗ unit (second run, exit 1, 100ms)',
      '    | the same failure as before',
      '  ✗ unit (run 3, exit 1, 100ms)',
      '    | test at a.test.js:4:1',
      '    | ✖ adds (1ms)',
      '    |   -1 !== 4',
      '    |     at /p/a.test.js:4:39',
      '',
    ]);
  });

  it('gives no reason that no agent could have removed, before the first iteration', () => {
    const { written, screen } = aScreen();
    const unmet = [{ kind: 'claim' }, { kind: 'check', name: 'unit', result: 'failed' }] as const;
    plainLines(screen).show({
      kind: 'decided',
      event: { kind: 'baseline-taken' },
      evidence: { clock },
      decision: { kind: 'continue', iteration: 1, unmet, strategy: 'steady', delayMs: 0, rerun: false, last: false },
    });
    expect(written.join('')).toBe('  → begin with iteration 1: 1 check still fails: unit\n');
  });

  it('leaves how the loop ended to the report, but shows that a claim was refused', () => {
    const { written, screen } = aScreen();
    const halted = { kind: 'halt', guard: 'iterations-max', limit: 1, actual: 1, unmet: [] } as const;
    const event = { kind: 'turn-ended', iteration: 1, worker: null } as const;
    const display = plainLines(screen);
    display.show({ kind: 'decided', event, evidence: { clock }, decision: halted });
    expect(written).toEqual([]);
    const claim = { made: 'DONE', blocked: null };
    display.show({ kind: 'decided', event, evidence: { clock, claim }, decision: halted });
    expect(written.join('')).toContain('  → the claim is refused\n');
    expect(written.join('')).not.toContain('halted');
  });

  it('leaves what the loop waits for to the report', () => {
    const { written, screen } = aScreen();
    const event = { kind: 'turn-ended', iteration: 1, worker: null } as const;
    const decision = { kind: 'pause', cause: 'blocked', question: 'Postgres?' } as const;
    plainLines(screen).show({ kind: 'decided', event, evidence: { clock }, decision });
    expect(written).toEqual([]);
  });

  it('shows no failure of a check that was ended with the loop', () => {
    const { written, screen } = aScreen();
    const display = plainLines(screen);
    const paused: Progress = {
      kind: 'decided',
      event: { kind: 'pause-requested' },
      evidence: { clock },
      decision: { kind: 'pause', cause: 'user' },
    };
    const failed: Progress = { kind: 'check-ended', result: aResult('unit', 'failed') };
    for (const progress of [paused, failed]) display.show(progress);
    expect(written.join('')).toBe('  → paused: you paused it\n');
  });

  it('tells one plain line per step, without a single control character', () => {
    const { written, screen } = aScreen();
    const display = plainLines(screen);
    for (const progress of STORY) display.show(progress);
    expect(written.join('')).toBe(
      [
        'loop a-loop: Do it',
        'before the first iteration',
        'iteration 1 of 20',
        '  ✗ unit (exit 1, 100ms)',
        '  the agent claims DONE',
        '  → the claim is refused; continue with iteration 2: 1 check still fails: unit',
        '',
      ].join('\n'),
    );
  });
});

describe('jsonStream', () => {
  it('writes one object per line, with the time', () => {
    const { written, screen } = aScreen();
    const display = jsonStream(screen, () => 0);
    for (const progress of STORY) display.show(progress);
    const objects = written.map((line) => JSON.parse(line) as { kind: string; at: string });
    expect(objects.map(({ kind }) => kind)).toEqual(STORY.map(({ kind }) => kind));
    expect(objects[0]?.at).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('drawRegion', () => {
  it('says that the agent is being stopped, whatever it still prints', () => {
    const paused: Progress = {
      kind: 'decided',
      event: { kind: 'pause-requested' },
      evidence: { clock },
      decision: { kind: 'pause', cause: 'user' },
    };
    const output = { kind: 'output', stream: 'message', text: 'late words' } as const;
    const late: Progress = { kind: 'agent-active', iteration: 1, activity: output };
    const after = (...story: readonly Progress[]): string =>
      drawRegion(
        story.reduce((region, each) => regionAfter(region, each, 0), emptyRegion(0)),
        0,
      )
        .map(({ text }) => text)
        .join('\n');
    expect(after(late)).toContain('working');
    expect(after(late, paused, late)).toContain('stopping');
    expect(after(late, paused, late)).not.toContain('late words');
    expect(after(paused, { kind: 'iteration-began', iteration: 2, max: 20, rerun: false })).toContain('working');
  });
});

describe('liveDisplay', () => {
  function aLive(columns = 40) {
    const { written, screen } = aScreen(columns);
    const ticks: (() => void)[] = [];
    const exits: (() => void)[] = [];
    const display = liveDisplay({
      screen,
      paint: painter(false),
      nowMs: () => 0,
      repeat: (_, act) => (ticks.push(act), { stop: () => void ticks.splice(0) }),
      onExit: (act) => (exits.push(act), { stop: () => void exits.splice(0) }),
    });
    return { written, display, tick: () => ticks.forEach((act) => act()), exit: () => exits.forEach((act) => act()) };
  }

  it('keeps the story above and what happens now below', () => {
    const { written, display, tick } = aLive();
    for (const progress of STORY.slice(0, 3)) display.show(progress);
    tick();
    expect(shown(written)).toEqual([
      'loop a-loop: Do it',
      'before the first iteration',
      'iteration 1 of 20',
      '  › one',
      '⠋ iteration 1 of 20 · 0ms · working',
      '  two',
    ]);
  });

  it('shows what the agent said once: above, when the line is complete', () => {
    const { written, display, tick } = aLive(80);
    display.show({
      kind: 'agent-active',
      iteration: 1,
      activity: { kind: 'output', stream: 'message', text: 'I look at the tests first.\n' },
    });
    tick();
    expect(shown(written)).toEqual(['  › I look at the tests first.', '⠋ before the first iteration · 0ms · working']);
  });

  it('breaks the lines that stay at words', () => {
    const { written, display } = aLive(40);
    for (const progress of STORY) display.show(progress);
    expect(shown(written)).toEqual(
      expect.arrayContaining([
        '  → the claim is refused; continue with',
        '    iteration 2: 1 check still fails:',
        '    unit',
      ]),
    );
  });

  it('shows each check while it runs and its mark when it is done', () => {
    const { written, display, tick } = aLive();
    for (const progress of STORY.slice(0, 4)) display.show(progress);
    tick();
    expect(shown(written).at(-1)).toBe('  ⠋ unit (0ms)');
    const ended = STORY[4];
    if (ended !== undefined) display.show(ended);
    expect(shown(written)).toContain('  ✗ unit (exit 1, 100ms)');
  });

  it('never lets a drawn line wrap', () => {
    const { written, display, tick } = aLive(20);
    display.show({
      kind: 'agent-active',
      iteration: 1,
      activity: { kind: 'output', stream: 'message', text: '漢'.repeat(100) },
    });
    tick();
    expect(shown(written).at(-1)).toBe(`  ${'漢'.repeat(7)}…`);
  });

  it('draws by the clock, not by the output of the agent', () => {
    const { written, display } = aLive();
    const before = written.length;
    for (let count = 0; count < 1000; count++) {
      display.show({
        kind: 'agent-active',
        iteration: 1,
        activity: { kind: 'output', stream: 'message', text: 'noise' },
      });
    }
    expect(written.length).toBe(before);
  });

  it('gives the cursor back when it is closed, and when the process ends without closing it', () => {
    const closed = aLive();
    closed.display.close();
    closed.display.close();
    expect(closed.written.join('').split('\u001B[?25h')).toHaveLength(2);
    const crashed = aLive();
    crashed.exit();
    expect(crashed.written.at(-1)).toContain('\u001B[?25h');
  });
});

describe('style', () => {
  it('has no colours when NO_COLOR is set and not empty, or the terminal is dumb', () => {
    expect([{}, { NO_COLOR: '' }, { NO_COLOR: '1' }, { TERM: 'dumb' }].map(wantsColours)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('fits by columns, not by characters', () => {
    expect(fitWidth('abc', 3)).toBe('abc');
    expect(fitWidth('abcd', 3)).toBe('ab…');
    expect(fitWidth('e\u0301e\u0301', 2)).toBe('e\u0301e\u0301');
  });
});
