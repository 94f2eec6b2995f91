import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Unmet } from './decision.ts';
import { finishRuleOf } from './finish-rule.ts';
import { loopOf } from './journal.ts';
import type { Plan, Probe, Spec, State } from './loop.ts';
import { DEFAULT_LIMITS } from './loop.ts';
import { NO_ITERATION_TIMEOUT_MS } from './overdue.ts';
import {
  isCurrentPrompt,
  isStalePrompt,
  isStopPrompt,
  PROMPT_EXTRA_BYTES_MAX,
  promptOf,
  promptWithHistory,
} from './prompt.ts';
import { bytesOf } from './quoting.ts';

const TAG = '<promise>DONE</promise>';

function aPlan(overrides: Partial<Plan> = {}): Plan {
  return { ...aState().plan, ...overrides };
}

/** The second iteration, after a decision that found this unmet. */
function later(unmet: readonly Unmet[], overrides: Partial<State> = {}): State {
  return aState({ counted: 1, plan: aPlan({ unmet }), ...overrides });
}

const failed = (name: string): Unmet => ({ kind: 'check', name, result: 'failed' });

it('a prompt that comes late is stale once its iteration or its loop is over', () => {
  const state = later([]);
  const prompt = promptOf(aSpec(), state);
  expect(isStalePrompt(prompt, state)).toBe(false);
  // Somebody steers before it is read.
  expect(isStalePrompt(prompt, { ...state, plan: aPlan({ rerun: true }) })).toBe(false);
  expect(isStalePrompt(prompt, { ...state, counted: 2 })).toBe(true);
  expect(isStalePrompt(prompt, { ...state, status: 'cancelled' })).toBe(true);
  expect(isStalePrompt(prompt, { ...state, status: 'paused' })).toBe(true);
  expect(isStalePrompt('What is iteration 2 of a loop?', { ...state, status: 'cancelled' })).toBe(false);
});

it('a prompt of a stop is known by its mark, whatever its sentences say', () => {
  const state = later([]);
  const waiting = later([], { plan: aPlan({ waiting: true }) });
  expect(promptOf(aSpec(), state)).toMatch(/^\[tireless:2\] /u);
  expect(promptOf(aSpec(), waiting)).toMatch(/^\[tireless:wait\] /u);
  for (const [ours, now] of [
    ['[tireless:2] Other words.', state],
    ['This is iteration 2 of a loop on the goal below. As the first version said it.', state],
    ['[tireless:wait] Other words.', waiting],
    ['Your work is being checked, and that takes longer than a stop may last. So said the first version.', waiting],
  ] as const) {
    expect(isStopPrompt(ours)).toBe(true);
    expect(isCurrentPrompt(ours, now)).toBe(true);
    expect(isCurrentPrompt(ours, { ...now, status: 'paused' })).toBe(false);
  }
  expect(isCurrentPrompt('[tireless:2] Other words.', waiting)).toBe(false);
  expect(isCurrentPrompt('[tireless:3] Other words.', state)).toBe(false);
  expect(isStalePrompt('[tireless:wait] Other words.', state)).toBe(false);
  expect(isStopPrompt('What does [tireless:2] mean?')).toBe(false);
});

describe('the first prompt', () => {
  it('names the goal, the checks, the criteria, the notes, the limits and the way to end', () => {
    const spec = aSpec({
      goal: 'Make it work.\nAll of it.',
      checks: [aCheck('npm test'), aCheck('types', { probe: { kind: 'command', command: 'npx tsc' } })],
      claimRequired: true,
      criteria: [
        { text: 'the page loads', by: 'agent' },
        { text: 'it looks nice', by: 'human' },
      ],
      tracker: '.tireless/notes.md',
      protect: ['test/**'],
      approveFinish: true,
    });
    const prompt = promptOf(spec, aState({ baseline: [aResult('npm test', 'failed'), aResult('types', 'passed')] }));
    for (const part of [
      '```\nMake it work.\nAll of it.\n```',
      '- `npm test` (fails now)',
      '- `types` runs `npx tsc` (passes now; keep it passing)',
      '- the page loads\n',
      '- it looks nice (a person decides)',
      'Tick a line off in your notes',
      'Your notes are in `.tireless/notes.md`.',
      '- `test/**`',
      'Limits: iteration 1 of 20; 4 h of 4 h left; 30 min for one iteration.',
      `contains only \`${TAG}\`, without the backticks`,
      'A person reviews the result',
      'contains only `<blocked>what you need</blocked>`',
    ]) {
      expect(prompt).toContain(part);
    }
  });

  it('says nothing about what a loop does not have', () => {
    const prompt = promptOf(aSpec(), aState());
    for (const part of [
      '# What is checked',
      '# From the user',
      '# Still open',
      'notes',
      'last iteration',
      'undefined',
      'null',
    ]) {
      expect(prompt).not.toContain(part);
    }
  });

  it.each([
    [{ kind: 'file-exists', path: 'a.txt' }, 'checks that `a.txt` exists'],
    [{ kind: 'file-moved', path: 'a.md', folder: 'done' }, 'checks that `a.md` was moved to `done`'],
    [{ kind: 'file-matches', path: 'a', pattern: '^x$' }, 'checks that `a` matches `^x$`'],
    [{ kind: 'json-value', path: 'a.json', pointer: '/ok', equals: true }, 'checks that `/ok` in `a.json` is `true`'],
    [{ kind: 'git-clean' }, 'checks that git has no uncommitted changes'],
  ] as const)('describes a check of kind $kind', (probe: Probe, text) => {
    expect(promptOf(aSpec({ checks: [aCheck('it', { probe })] }), aState())).toContain(`- \`it\` ${text}`);
  });

  it('asks for no claim when checks alone complete the loop', () => {
    const prompt = promptOf(
      aSpec({ checks: [aCheck('npm test')] }),
      aState({ baseline: [aResult('npm test', 'failed')] }),
    );
    expect(prompt).not.toContain('<promise>');
    expect(prompt).toContain('you need not announce anything');
  });

  it('promises nobody who is only watched that they are sent back', () => {
    const watched = aSpec({ driver: 'session', observe: true });
    for (const state of [aState(), later([])]) {
      const prompt = promptOf(watched, state);
      expect(prompt).toContain('The loop only watches: when you stop, your work is checked');
      expect(prompt).not.toContain('you are sent back');
      expect(prompt).not.toContain('Ask no questions');
    }
    // Taken out of its session it is a loop like every other.
    const taken = loopOf(watched, aState({ edits: { driver: 'outer' } }));
    expect(promptOf(taken.spec, taken.state)).toContain('the next iteration starts');
  });

  it('passes a large goal through verbatim', () => {
    const goal = 'Do this: `x` ~~~ \r\n'.repeat(60_000);
    expect(promptOf(aSpec({ goal }), aState())).toContain(`\n${goal}\n`);
  });
});

describe('a later prompt', () => {
  const spec = aSpec({ checks: [aCheck('npm test'), aCheck('lint')], claimRequired: true });

  it.each<[string, Unmet, Partial<State>, string]>([
    [
      'shows the end of the output of a failed check',
      failed('npm test'),
      { checks: [aResult('npm test', 'failed', { tail: 'expected 1\nto be 2\n' })] },
      'The check `npm test` fails with exit code 1. From its output:\n\n```\nexpected 1\nto be 2\n```',
    ],
    [
      'says that a check was broken since the start',
      { kind: 'check', name: 'lint', result: 'failed', regressed: true },
      {},
      'The check `lint` fails. It passed before you began; a change since then broke it.',
    ],
    [
      'says that a check timed out',
      { kind: 'check', name: 'lint', result: 'unknown' },
      { checks: [aResult('lint', 'unknown')] },
      'timed out after 600 s.',
    ],
    [
      'says that a check could not be run',
      { kind: 'check', name: 'lint', result: 'unknown' },
      { checks: [aResult('lint', 'unknown', { unknown: 'not-runnable', tail: 'lint: not found' })] },
      'The check `lint` could not be run. From its output:\n\n```\nlint: not found\n```',
    ],
    [
      'says that a check is not allowed',
      { kind: 'check', name: 'lint', result: 'unknown' },
      { checks: [aResult('lint', 'unknown', { unknown: 'not-allowed' })] },
      'may not run before a person allows it.',
    ],
    [
      'says that a check was not run',
      { kind: 'check', name: 'lint', result: 'not-run' },
      {},
      'The check `lint` was not run.',
    ],
    [
      'names an open criterion',
      { kind: 'criterion', text: 'the page\nloads' },
      {},
      'These are not true yet:\n\n- the page ⏎ loads',
    ],
    [
      'names what must not hold',
      { kind: 'forbidden', what: 'check old-api' },
      {},
      'These are true, and must not be:\n\n- check old-api',
    ],
    [
      'asks for the claim when that alone is missing',
      { kind: 'claim' },
      { checks: [aResult('npm test', 'passed'), aResult('lint', 'passed')] },
      '# Still open\n\nAll checks pass. If the goal is really met, say so as described under "How to end"; otherwise continue.',
    ],
    [
      'does not call checks green that are not',
      { kind: 'claim' },
      {},
      '# Still open\n\nYou have not said that the goal is met.',
    ],
    [
      'tells the end of the last message',
      failed('lint'),
      { lastMessage: 'I changed a.ts.' },
      '# The end of the last message\n\n```\nI changed a.ts.\n```',
    ],
    [
      'refuses a claim plainly',
      failed('lint'),
      { claimed: 'DONE' },
      'You said it is done, but the work is not accepted yet.',
    ],
    [
      'tells that the last turn was cut short',
      failed('lint'),
      { lastTrouble: { code: 'idle-timeout' } },
      'The last turn was cut short: it was silent for too long.',
    ],
    [
      'lists what passes',
      failed('lint'),
      { checks: [aResult('npm test', 'passed')] },
      'These checks pass; keep them passing:\n\n- `npm test`',
    ],
  ])('%s', (_, unmet, overrides, text) => {
    expect(promptOf(spec, later([unmet], overrides))).toContain(text);
  });

  it.each<[string, Partial<Plan>, string]>([
    ['nudges', { strategy: 'nudge' }, 'Choose the most important open point'],
    ['asks for a diagnosis', { strategy: 'diagnose' }, 'Stop changing code: first find out why'],
    [
      'says that it is the last one',
      { last: true },
      'This is the last iteration. Wrap up: leave the work in a good state, and write down in `notes.md` what is missing.',
    ],
    [
      'says that an attempt is repeated',
      { rerun: true },
      'This iteration runs again: the last attempt failed: exit code 3 ⏎ no such model\n',
    ],
  ])('%s', (_, plan, text) => {
    const state = later([], {
      plan: aPlan({ unmet: [failed('lint')], ...plan }),
      lastTrouble: { code: 'turn-failed', detail: 'exit code 3\nno such model' },
    });
    expect(promptOf({ ...spec, tracker: 'notes.md' }, state)).toContain(text);
  });

  it('says why an interrupted attempt is repeated', () => {
    const state = later([], { plan: aPlan({ rerun: true }), lastTrouble: { code: 'paused' } });
    expect(promptOf(spec, state)).toContain('This iteration runs again: the last attempt was paused.\nSome changes of');
  });

  it('repeats no words to the agent that has just said them, unless they may be out of its sight', () => {
    const inSession = { ...spec, driver: 'session' as const };
    const state = later([failed('lint')], { lastMessage: 'I changed a.ts.' });
    expect(promptOf(inSession, state)).not.toContain('I changed a.ts.');
    const diagnosing = { ...state, plan: { ...state.plan, strategy: 'diagnose' as const } };
    expect(promptOf(inSession, diagnosing)).toContain('I changed a.ts.');
    expect(promptWithHistory(inSession, state)).toContain('I changed a.ts.');
    expect(promptWithHistory(spec, state)).toBe(promptOf(spec, state));
  });

  it('does not call open what passes by now', () => {
    const state = later([failed('lint'), { kind: 'criterion', text: 'c' }], {
      checks: [aResult('lint', 'passed')],
      criteriaMet: ['c'],
      claimed: 'DONE',
    });
    expect(promptOf(spec, state)).toContain('# Still open\n\nThe work is not accepted yet. Reread the whole goal');
  });

  it('tells the limits that are left', () => {
    const limits = { ...DEFAULT_LIMITS, costMaxUsd: 10, tokensMax: 5000 };
    const plan = aPlan({ runningMs: 61 * 60_000 });
    const known = promptOf(spec, aState({ counted: 2, limits, plan, usage: { costUsd: 3.5, tokens: 6000 } }));
    expect(known).toContain(
      'Limits: iteration 3 of 20; 2 h 59 min of 4 h left; 30 min for one iteration; $6.50 of $10.00 left; 0 tokens of 5000 tokens left.',
    );
    const unknown = promptOf(spec, aState({ limits, usage: { costUsd: 'unknown', tokens: 'unknown' } }));
    expect(unknown).toContain('$10.00, amount left unknown');
    const unlimited = {
      ...limits,
      iterationsMax: 'unlimited',
      durationMaxMs: 'unlimited',
      costMaxUsd: 'unlimited',
      tokensMax: 'unlimited',
    } as const;
    const timing = { ...spec.timing, iterationTimeoutMs: NO_ITERATION_TIMEOUT_MS };
    const free = { ...spec, driver: 'session', timing } as const;
    expect(promptOf(free, aState({ limits: unlimited }))).toContain('Limits: iteration 1.\n');
  });

  it('carries the messages of the user verbatim, before all else that is open', () => {
    const prompt = promptOf(spec, later([failed('lint')], { steering: ['Use $& and ```.\n', TAG] }));
    expect(prompt).toContain(
      `# From the user\n\nSaid after the goal was set. Where it differs from the goal, follow this.\n\n~~~\nUse $& and \`\`\`.\n\n~~~\n\n\`\`\`\n${TAG}\n\`\`\``,
    );
    expect(prompt.indexOf('# From the user')).toBeLessThan(prompt.indexOf('# Still open'));
  });
});

describe('a prompt', () => {
  it('reads the same before and after its delivery', () => {
    const ready = later([failed('npm test')], { steeringSent: ['again'], steering: ['new'], runningMs: 5 });
    const working: State = {
      ...ready,
      phase: 'working',
      steeringSent: ['again', 'new'],
      steering: ['too late'],
      runningMs: 900_000,
    };
    expect(promptOf(aSpec(), working)).toBe(promptOf(aSpec(), ready));
  });

  it('leaves no trace of a hold-out check', () => {
    const hidden = aCheck('secret-name', { holdout: true, probe: { kind: 'command', command: 'secret-command' } });
    const open = aCheck('lint');
    const without = aSpec({ checks: [open], criteria: [{ text: 'c', by: 'agent' }], claimRequired: true });
    const spec: Spec = {
      ...without,
      checks: [open, hidden],
      criteria: [{ text: 'c', by: 'check', check: 'secret-name' }],
    };
    const tail = 'secret-output';
    const states: State[] = [
      aState({
        plan: aPlan({
          unmet: [failed('lint'), { kind: 'check', name: 'secret-name', result: 'not-run', holdout: true }],
        }),
      }),
      later([{ kind: 'check', name: 'secret-name', result: 'failed' }], {
        checks: [aResult('secret-name', 'failed', { tail, holdout: true })],
      }),
      later([failed('lint'), { kind: 'check', name: 'secret-name', result: 'not-run' }], {
        checks: [aResult('secret-name', 'passed', { tail })],
      }),
      later([
        { kind: 'forbidden', what: 'all of check secret-name, claim' },
        { kind: 'criterion', text: 'c' },
      ]),
    ];
    for (const state of states) expect(promptOf(spec, state)).not.toContain('secret');
    const finish = finishRuleOf(spec, []);
    expect(promptOf(spec, aState({ finish }))).toBe(promptOf(without, aState({ finish })));
    expect(promptOf(spec, states[1] ?? aState())).toContain('Reread the whole goal');
  });

  it('adds no more than its maximum to the goal and the messages of the user', () => {
    const long = '`~'.repeat(2000) + '`'.repeat(3000) + '~'.repeat(3000) + 'é😀\n'.repeat(1000);
    const names = Array.from({ length: 60 }, (_, index) => `${index}${long}`);
    const probe: Probe = { kind: 'json-value', path: long, pointer: long, equals: long };
    const spec = aSpec({
      checks: [...names.map((name) => aCheck(name, { probe })), aCheck(long)],
      criteria: names.map((text) => ({ text, by: 'agent' })),
      protect: names,
      tracker: long,
    });
    const unmet = names.flatMap((name): Unmet[] => [
      failed(name),
      { kind: 'criterion', text: name },
      { kind: 'forbidden', what: name },
    ]);
    const checks = [...names.map((name) => aResult(name, 'failed', { tail: long })), aResult(long, 'passed')];
    const extra = {
      checks,
      baseline: checks,
      lastMessage: long,
      lastTrouble: { code: 'turn-failed' as const, detail: long },
    };
    for (const counted of [0, 1]) {
      for (const strategy of ['nudge', 'diagnose'] as const) {
        const state = aState({ ...extra, counted, plan: aPlan({ unmet, rerun: true, last: true, strategy }) });
        const prompt = promptOf(spec, state);
        expect(bytesOf(prompt)).toBeLessThan(PROMPT_EXTRA_BYTES_MAX);
        expect(prompt).toMatch(/and \d+ more/);
      }
    }
  });
});
