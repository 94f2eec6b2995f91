import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { LoopMechanics, LoopMechanicsOptions, LoopState } from '../../src/facades/loop-mechanics/index.ts';
import { openLoopMechanics, stopCheck } from '../../src/facades/loop-mechanics/index.ts';

export const GOAL =
  'Make `npm test` pass in src/auth:\n1. write the test\n2. fix the bug\n\nDone when:\n- npm test passes\n- no lint errors';
export const ALL_MET = { 'npm test passes': true, 'no lint errors': true };

/** A project and a home of their own for each test of the file that calls this. */
export function mechanicsFixture() {
  let folder = '';
  const opened: LoopMechanics[] = [];
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tireless-mechanics-'));
    mkdirSync(path.join(folder, 'project'));
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const fixture = {
    get folder(): string {
      return folder;
    },
    get project(): string {
      return path.join(folder, 'project');
    },
    get home(): string {
      return path.join(folder, 'home');
    },
    mechanics: (more: Partial<LoopMechanicsOptions> = {}): LoopMechanics => {
      const made = openLoopMechanics({ project: fixture.project, session: 'session-1', home: fixture.home, ...more });
      opened.push(made);
      return made;
    },
    stateFile: (): string => path.join(fixture.project, '.loop', 'state.json'),
    onDisk: (): LoopState => JSON.parse(readFileSync(fixture.stateFile(), 'utf8')) as LoopState,
    change: (changes: Partial<LoopState>): void =>
      writeFileSync(fixture.stateFile(), JSON.stringify({ ...fixture.onDisk(), ...changes })),
    check: (more: Record<string, unknown> = {}, session = 'session-1'): { ok: boolean; reason: string } => {
      const stop = { hook_event_name: 'Stop', last_assistant_message: 'hm' };
      const payload = { session_id: session, cwd: fixture.project, ...stop, ...more };
      const reply = stopCheck(JSON.stringify(payload), { home: fixture.home });
      expect(reply).toMatchObject({ stderr: '', exitCode: 0 });
      return JSON.parse(reply.stdout) as { ok: boolean; reason: string };
    },
  };
  return fixture;
}
