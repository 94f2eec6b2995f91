import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_TIMING } from '../core/loop.ts';
import { parseFlags } from './flags.ts';
import { RUN_FLAGS } from './loop-flags.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import { buildSpec } from '../engine/spec/build-spec.ts';
import { specOptions, TYPED_FLAGS } from './spec-options.ts';
import { faultOf } from '../../test/support/fault-of.ts';

function aSpecOf(args: readonly string[], repository: RepositoryConfig | null = null) {
  const { values } = parseFlags(RUN_FLAGS, ['--agent-command', 'my-agent', ...args]);
  const configs = { project: repository, user: null };
  return buildSpec({ loop: 'a-loop', goal: 'goal', options: specOptions(values), configs }, TYPED_FLAGS);
}

const aConfig = (overrides: Partial<RepositoryConfig>): RepositoryConfig => ({
  file: 'f',
  content: 'c',
  checks: [],
  protect: [],
  limits: {},
  ...overrides,
});

describe('the spec of what was typed', () => {
  it('is finite by default, needs a claim only on request, and needs no tracker', () => {
    expect(aSpecOf([])).toEqual({
      version: 1,
      goal: 'goal',
      driver: 'outer',
      claim: { texts: ['DONE'], form: 'tag-alone-on-line', tag: 'promise', fold: true },
      claimRequired: false,
      checks: [],
      checksInOrder: false,
      criteria: [],
      protect: [],
      limits: DEFAULT_LIMITS,
      timing: DEFAULT_TIMING,
      approveFinish: false,
      greenProvesNothing: true,
      agent: { kind: 'command', command: 'my-agent' },
    });
  });

  it('takes claim and maximum of a template, which the repository may lower and the flags replace', () => {
    const of = (args: readonly string[], repository: RepositoryConfig | null = null) => {
      const { values: flags } = parseFlags(RUN_FLAGS, ['--agent-command', 'my-agent', ...args]);
      const template = { claim: 'all of it works', iterationsMax: 12 };
      const configs = { project: repository, user: null };
      const options = specOptions(flags);
      return buildSpec({ loop: 'a-loop', goal: 'goal', options, configs, template }, TYPED_FLAGS);
    };
    expect(of([])).toMatchObject({ claim: { texts: ['all of it works'] }, claimRequired: false });
    expect(of([]).limits).toEqual({ ...DEFAULT_LIMITS, iterationsMax: 12 });
    expect(of([], aConfig({ limits: { iterationsMax: 5 } })).limits.iterationsMax).toBe(5);
    expect(of([], aConfig({ limits: { iterationsMax: 15 } })).limits.iterationsMax).toBe(12);
    const typed = of(['--claim', 'READY', '--max-iterations', '30']);
    expect(typed).toMatchObject({ claim: { texts: ['READY'] }, claimRequired: true, limits: { iterationsMax: 30 } });
  });

  it('gives a report to the check that is named with it, or to the only command', () => {
    expect(
      aSpecOf(['--check', 'npm test', '--check-exists', 'x', '--check-report', './out//junit.xml']).checks,
    ).toEqual([
      expect.objectContaining({ name: 'npm test', reports: ['out/junit.xml'] }),
      expect.not.objectContaining({ reports: expect.anything() }),
    ]);
    const two = ['--check', 'unit:: npm test', '--check', 'npm run lint', '--holdout', 'npm run more'];
    const reports = [
      '--check-report',
      'unit:: a.xml',
      '--check-report',
      'unit:: b/*.xml',
      '--check-report',
      'holdout-1:: c',
    ];
    expect(aSpecOf([...two, ...reports]).checks.map((check) => check.reports)).toEqual([
      ['a.xml', 'b/*.xml'],
      undefined,
      ['c'],
    ]);
    const refused = (...args: string[]): unknown => faultOf(() => aSpecOf(args)).message;
    expect(refused('--check-report', 'a.xml')).toContain('without a command that writes it');
    expect(refused(...two, '--check-report', 'a.xml')).toContain('Cannot tell which check writes a.xml');
    expect(refused(...two, '--check-report', 'e2e:: a.xml')).toContain('no command has this name');
    for (const file of ['/tmp/a.xml', '../a.xml', 'a/../../b.xml', '.', '', 'C:\\a.xml'])
      expect(refused('--check', 'npm test', '--check-report', file)).toMatch(
        /^Cannot use ".*" for --check-report: it takes/,
      );
  });

  it('names a check after its command, or as it was named', () => {
    const { checks } = aSpecOf([
      '--check',
      'npm test',
      '--check',
      'unit:: npm run unit',
      '--check',
      'npm run test:all',
      '--check',
      'std::move',
      '--check',
      'npm test',
    ]);
    expect(checks.map(({ name }) => name)).toEqual([
      'npm test',
      'unit',
      'npm run test:all',
      'std::move',
      'npm test (2)',
    ]);
    expect(checks[1]?.probe).toEqual({ kind: 'command', command: 'npm run unit' });
  });

  it('keeps the command of a hold-out out of its name', () => {
    const [check] = aSpecOf(['--holdout', 'npm run secret']).checks;
    expect(check).toMatchObject({ name: 'holdout-1', holdout: true, probe: { command: 'npm run secret' } });
  });

  it('makes a check of every predicate', () => {
    const { checks } = aSpecOf([
      '--check-exists=docs/a.md',
      '--check-matches',
      'CHANGELOG.md::^## 2\\.0::x',
      '--check-json',
      'package.json#/a/b="x=y"',
      '--check-git-clean',
      '--watch-file',
      'todo/a.md',
      '--done-folder',
      'done',
    ]);
    expect(checks.map(({ probe }) => probe)).toEqual([
      { kind: 'file-exists', path: 'docs/a.md' },
      { kind: 'file-matches', path: 'CHANGELOG.md', pattern: '^## 2\\.0::x' },
      { kind: 'json-value', path: 'package.json', pointer: '/a/b', equals: 'x=y' },
      { kind: 'git-clean' },
      { kind: 'file-moved', path: 'todo/a.md', folder: 'done' },
    ]);
  });

  it('makes a tracker of its own when there are criteria, and takes the one that was named', () => {
    expect(aSpecOf(['--criterion', 'a', '--criterion', 'a', '--criterion', 'b'])).toMatchObject({
      tracker: '.tireless/tracker-a-loop.md',
      criteria: [
        { text: 'a', by: 'agent' },
        { text: 'b', by: 'agent' },
      ],
    });
    expect(aSpecOf(['--tracker', 'notes.md']).tracker).toBe('notes.md');
  });

  it('lets a repository lower a limit and never raise one, and lets what was typed win', () => {
    const low = aConfig({ limits: { iterationsMax: 5, costMaxUsd: 1 } });
    const high = aConfig({ limits: { iterationsMax: 500, durationMaxMs: 'unlimited', noProgressMax: 'unlimited' } });
    expect(aSpecOf([], low).limits).toMatchObject({
      iterationsMax: 5,
      costMaxUsd: 1,
      durationMaxMs: DEFAULT_LIMITS.durationMaxMs,
    });
    expect(aSpecOf([], high).limits).toEqual(DEFAULT_LIMITS);
    expect(aSpecOf(['--max-iterations', '30'], low).limits.iterationsMax).toBe(30);
  });

  it('adds the checks of the repository after those that were typed, under names of their own', () => {
    const repository = aConfig({
      checks: [{ name: 'npm test', probe: { kind: 'git-clean' }, timeoutMs: 1, holdout: false }],
      protect: ['test/**'],
    });
    const spec = aSpecOf(['--check', 'npm test', '--protect', 'a'], repository);
    expect(spec.checks.map(({ name }) => name)).toEqual(['npm test', 'npm test (2)']);
    expect(spec.protect).toEqual(['a', 'test/**']);
  });

  it.each([
    [['--check', ''], 'empty command'],
    [['--check', 'unit:: '], 'empty command'],
    [['--check-matches', 'file'], 'PATH::REGEX'],
    [['--check-matches', 'file::('], 'regular expression'],
    [['--check-json', 'file#/a=done'], 'double quotes'],
    [['--check-json', 'file=1'], 'FILE#/POINTER=JSON'],
    [['--check-exists', '/etc/passwd'], 'relative to the project'],
    [['--check-exists', 'C:\\x'], 'relative to the project'],
    [['--watch-file', 'a'], 'Give both'],
    [['--done-folder', 'a'], 'Give both'],
    [['--claim', ' '], 'nothing would match'],
    [['--criterion', 'a\nb'], 'one line of the tracker'],
    [['--agent', 'demo'], 'both --agent and --agent-command'],
  ])('refuses %j', (args, message) => {
    expect(() => aSpecOf(args)).toThrowError(message);
  });
});

describe('the agent', () => {
  it.each([
    [[], 'No agent was given. Add --agent NAME'],
    [['--agent-command', ' '], 'Cannot use an empty --agent-command'],
    [['--agent', 'claude'], 'Did you mean claude-code? This version knows claude-code'],
  ])('is refused when it is %j', (args, message) => {
    const { values } = parseFlags(RUN_FLAGS, args);
    const request = { loop: 'a-loop', goal: 'goal', options: specOptions(values) };
    expect(() => buildSpec(request, TYPED_FLAGS)).toThrowError(message);
  });
});
