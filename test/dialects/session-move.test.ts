import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { ralphLoop } from '../../src/dialects/ralph-loop/dialect.ts';
import { ralphWiggum } from '../../src/dialects/ralph-wiggum/dialect.ts';
import { supercode } from '../../src/dialects/supercode/dialect.ts';
import { SUPERCODE_FILE } from '../../src/dialects/supercode/descriptor.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import { takeOver } from '../../src/engine/take-over.ts';
import { aDialectWorld, PROJECT } from '../support/dialect-world.ts';

const TEXT = readFileSync(path.join(import.meta.dirname, '../fixtures/dialects/supercode/started.json'), 'utf8');
const FILE = path.posix.join(PROJECT, SUPERCODE_FILE);
const OLD = 'ses_5f2c81';
const place = { live: { dialect: supercode, path: FILE } };
const session = { host: 'claude-code', id: 'b' };

describe('a file that names its session', () => {
  it('keeps its loop when the power fails before it names the new one, which the next stop there does', () => {
    const world = aDialectWorld(supercode);
    world.files.set(FILE, TEXT);
    world.stop(SUPERCODE_FILE, 'one', OLD);
    const fails = (): never => {
      throw new Error('the power failed');
    };
    expect(() => runSync(takeOver(place, session), { ...world.effects, replaceFile: fails })).toThrow('power');

    expect(world.stop(SUPERCODE_FILE, 'two', OLD).decision).toEqual({ kind: 'abstain', because: 'no-loop' });
    expect(world.stop(SUPERCODE_FILE, 'three', 'b').decision.kind).toBe('continue');
    expect(supercode.read(world.files.get(FILE) ?? '')).toMatchObject({ session: 'b', counted: 2 });
    runSync(takeOver(place, session), world.effects);
    expect(supercode.read(world.files.get(FILE) ?? '')).toMatchObject({ session: 'b' });
    world.stop(SUPERCODE_FILE, 'four', 'b');
    expect(supercode.read(world.files.get(FILE) ?? '')).toMatchObject({ counted: 3 });
    expect(world.loop(SUPERCODE_FILE)?.state).toMatchObject({ status: 'running', counted: 3, session });
  });

  it('heeds what was edited before it is moved', () => {
    const world = aDialectWorld(supercode);
    world.files.set(FILE, TEXT);
    world.stop(SUPERCODE_FILE, 'one', OLD);
    world.files.set(FILE, (world.files.get(FILE) ?? '').replace('100', '7'));
    runSync(takeOver(place, session), world.effects);
    expect(world.loop(SUPERCODE_FILE)?.state).toMatchObject({ limits: { iterationsMax: 7 }, session });
  });

  it.each<[Dialect, string]>([
    [supercode, TEXT],
    [ralphLoop, '---\niteration: 1\nmax_iterations: 9\nsession_id: "a"\n---\n\nBuild it.\n'],
    [ralphWiggum, '{\n  "prompt": "Build it.",\n  "session_id": "a"\n}\n'],
  ])('changes nothing else ($name)', (dialect, text) => {
    const moved = dialect.withSession?.(text, 'b: "c"') ?? '';
    expect(dialect.read(moved)).toMatchObject({ kind: 'loop', session: 'b: "c"' });
    expect(dialect.withSession?.(moved, dialect === supercode ? OLD : 'a')).toBe(text);
  });
});
