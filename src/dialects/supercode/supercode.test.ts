import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aDialectWorld, PROJECT } from '../../../test/support/dialect-world.ts';
import { supercode } from './dialect.ts';
import { SUPERCODE_FILE } from './descriptor.ts';

const SESSION = 'ses_5f2c81';
const FILE = path.posix.join(PROJECT, SUPERCODE_FILE);
const fixture = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../../test/fixtures/dialects/supercode', name), 'utf8');

describe('supercode', () => {
  it('reads the fields of the document', () => {
    expect(supercode.read(fixture('custom.json'))).toMatchObject({
      kind: 'loop',
      active: true,
      session: SESSION,
      goal: 'Fix all TypeScript errors in src/',
      claim: { texts: ['ALL_FIXED'], form: 'tag-anywhere', tag: 'promise', fold: true },
      counted: 6,
      iterationsMax: 25,
    });
  });

  it('reads a byte order mark, other line ends, tabs and one line', () => {
    for (const name of ['bom.json', 'windows.json', 'tabs-and-own-keys.json', 'one-line.json'])
      expect(supercode.read(fixture(name))).toMatchObject({ kind: 'loop', active: true, session: SESSION });
  });

  it('does not loop without an active key, and names no session without a sessionId', () => {
    expect(supercode.read(fixture('no-active.json'))).toMatchObject({ active: false });
    expect(supercode.read(fixture('no-session.json'))).toMatchObject({ active: true, session: null });
  });

  it('gives a missing maximum the default of the document, and rounds an odd one up', () => {
    const withMax = (max: string): string => fixture('started.json').replace('"maxIterations": 100,', max);
    expect(supercode.read(withMax(''))).toMatchObject({ iterationsMax: 100 });
    expect(supercode.read(withMax('"maxIterations": 2.5,'))).toMatchObject({ iterationsMax: 3 });
    expect(supercode.read(withMax('"maxIterations": -3,'))).toMatchObject({ iterationsMax: -3 });
    expect(supercode.read(withMax('"maxIterations": 1e300,'))).toMatchObject({ kind: 'loop' });
    expect(supercode.read(withMax('"maxIterations": "5",'))).toMatchObject({ kind: 'invalid' });
  });

  it('says what is wrong with a file it cannot read', () => {
    expect(supercode.read(fixture('comments.json'))).toEqual({
      kind: 'invalid',
      why: expect.stringMatching(/^line \d+ is not JSON: /u) as string,
    });
    expect(supercode.read(fixture('no-prompt.json'))).toMatchObject({
      kind: 'invalid',
      why: expect.stringContaining('prompt'),
    });
    expect(supercode.read('{"active":true,"prompt":"x","maxIterations":"5"}')).toEqual({
      kind: 'invalid',
      why: 'maxIterations is not a number',
    });
    for (const odd of ['', 'null', '[]', '7', '{"active":1,"prompt":"x"}'])
      expect(supercode.read(odd)).toMatchObject({ kind: 'invalid' });
  });

  it('changes nothing but the counter and its time', () => {
    const world = aDialectWorld(supercode);
    const text = fixture('tabs-and-own-keys.json');
    world.files.set(FILE, text);
    world.stop(SUPERCODE_FILE, 'hm', SESSION);
    const now = world.files.get(FILE) ?? '';
    const at = /"lastIterationAt": "([^"]+)"/u.exec(now)?.[1] ?? '';
    expect(new Date(at).toISOString()).toBe(at);
    expect(now.replace(/,\s*"lastIterationAt": "[^"]+"/u, '')).toBe(
      text.replace('"iteration"  :  3', '"iteration"  :  4'),
    );
  });

  it('has the words of the document for a hook', () => {
    const world = aDialectWorld(supercode);
    world.files.set(FILE, fixture('started.json').replace('100', '2'));
    const words = (message: string) => {
      const { decision, loaded, reading } = world.stop(SUPERCODE_FILE, message, SESSION);
      return supercode.wordsFor({ decision, loop: loaded ?? null, reading });
    };
    const first = words('hm');
    expect(first).toMatchObject({ sendsBack: true, reason: 'Iteration 2/2', notice: 'Ralph Loop: Iteration 2/2' });
    expect(first.text).toMatch(
      /^\[RALPH LOOP - ITERATION 2\/2\]\n[\s\S]*<promise>DONE<\/promise>[\s\S]*Original task:\nImplement/u,
    );
    expect(words('hm')).toEqual({
      sendsBack: false,
      text: '',
      reason: 'Max iterations (2) reached without completion',
      notice: 'Ralph Loop Stopped: Max iterations (2) reached without completion',
    });
    expect(words('hm')).toEqual({ sendsBack: false, text: '', reason: '' });
    world.files.set(FILE, fixture('started.json'));
    expect(words('<promise>DONE</promise>')).toMatchObject({
      reason: 'Task completed after 1 iteration(s)',
      notice: 'Ralph Loop Complete! Task completed after 1 iteration(s)',
    });
  });
});
