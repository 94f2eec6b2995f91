import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { faultOf } from '../../test/support/fault-of.ts';
import type { State } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { parseFlags } from './flags.ts';
import { SELECT_FLAGS, selectionOf, selectLoops, STATUS_FLAG } from './list-flags.ts';

const TABLE = { ...STATUS_FLAG, ...SELECT_FLAGS };

function aSelection(...args: string[]) {
  const { words, values } = parseFlags(TABLE, args, 'list');
  return selectionOf(words, values, 'list');
}

function aLoop(loop: string, state: Partial<State> = {}): Loaded {
  return { spec: aSpec(), asked: null as never, state: aState({ loop, ...state }), head: { revision: 1, hash: 'h' } };
}

describe('selectLoops', () => {
  const here = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-list-')));
  afterAll(() => rmSync(here, { recursive: true, force: true }));
  const loops = [
    aLoop('running', { status: 'running', cwd: here, updatedAt: new Date(Date.now() - 3_600_000).toISOString() }),
    aLoop('halted', { status: 'halted', cwd: '/gone/away', updatedAt: '2026-01-02T00:00:00.000Z' }),
    aLoop('cancelled', { status: 'cancelled', cwd: here, updatedAt: '2026-01-03T00:00:00.000Z' }),
  ];
  const names = (cwd: string, ...args: string[]): readonly string[] =>
    selectLoops(loops, aSelection(...args), cwd).map(({ state }) => state.loop);

  it.each<[readonly string[], readonly string[]]>([
    [[], ['running', 'halted', 'cancelled']],
    [['--project'], ['running', 'cancelled']],
    [['--project', '/gone/away'], ['halted']],
    [['--project=/gone/away'], ['halted']],
    [['--status', 'open'], ['running']],
    [
      ['--status', 'ended'],
      ['halted', 'cancelled'],
    ],
    [
      ['--status=halted', '--status', 'running'],
      ['running', 'halted'],
    ],
    [['--since', '2h'], ['running']],
    [
      ['--since', '2026-01-03T00:00Z', '--project'],
      ['running', 'cancelled'],
    ],
  ])('answers %j with %j', (args, expected) => {
    expect(names(here, ...args)).toEqual(expected);
  });

  it('takes a relative folder for one below the current directory', () => {
    expect(names(path.dirname(here), '--project', path.basename(here))).toEqual(['running', 'cancelled']);
  });

  it.each<[readonly string[], string]>([
    [['--status', 'runing'], 'Did you mean running?'],
    [['--since', 'yesterday'], 'such as 12h or 7d, or a date'],
    [['--since', '2026-13-45'], 'or a date'],
    [['--limit', '0'], 'a whole number from 1'],
    [['shop'], 'tireless list --project DIR'],
    [['--project=a', 'b'], 'takes no words'],
  ])('refuses %j', (args, message) => {
    expect(faultOf(() => aSelection(...args))).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message) as string,
    });
  });
});
