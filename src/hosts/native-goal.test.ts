import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcriptReader } from '../evidence/transcript-tail.ts';
import type { HostId } from './ids.ts';
import { HOSTS } from './hosts.ts';
import * as nativeGoal from './native-goal.ts';

const hasNativeGoal = (host: HostId, file: string): boolean =>
  nativeGoal.hasNativeGoal(HOSTS[host], file, transcriptReader);

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-goal-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As Codex 0.166.0 writes them. */
const line = (payload: object): string => JSON.stringify({ type: 'response_item', payload });
const user = (text: string): string => line({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const context = (source: string, text: string): string =>
  user(`<codex_internal_context source="${source}">\n${text}\n</codex_internal_context>`);
const answered = (status: string): string =>
  line({ type: 'function_call_output', output: JSON.stringify({ goal: { objective: 'x', status } }) });

const SET = context('user_goal', 'User set the goal: "paint it"\nUser set goal status: "active".');
const PAUSED = context('user_goal', 'User set goal status: "paused".');
const CLEARED = context('user_goal', 'User cleared the goal.');
const GOES_ON = context('goal', 'Continue working toward the active thread goal.');
const OTHER = line({ type: 'function_call_output', output: 'the goal is {"goal":1' });

/** As Qwen Code 0.24.4 writes them. */
const state = (goal: object | null): string =>
  JSON.stringify({
    type: 'system',
    subtype: 'goal_state',
    systemPayload: { v: 2, snapshot: { goal, activity: 'idle' } },
  });
const GOAL = { objective: 'paint it', status: 'active', revision: 1 };

/** As Claude Code 2.1.325 writes them. */
const claude = (met: boolean): string =>
  JSON.stringify({
    type: 'attachment',
    attachment: { type: 'goal_status', met, sentinel: true, condition: 'paint it' },
  });

describe('hasNativeGoal', () => {
  it.each<[string, readonly string[], boolean]>([
    ['nothing about a goal', [user('what is our goal?'), OTHER], false],
    ['the user set one', [SET, OTHER], true],
    ['it sends the agent on', [SET, GOES_ON, user('and another thing'), OTHER], true],
    ['the user paused it', [SET, GOES_ON, PAUSED, user('hello')], false],
    ['the user cleared it', [SET, GOES_ON, CLEARED, user('hello')], false],
    ['the user set another one after that', [SET, CLEARED, SET], true],
    ['the agent made one', [answered('active')], true],
    ['the agent completed it', [SET, GOES_ON, answered('complete')], false],
    ['Qwen Code: the user set one', [state(GOAL), '{"type":"user","message":{"parts":[{"text":"goal"}]}}'], true],
    ['Qwen Code: it came to its limit', [state(GOAL), state({ ...GOAL, status: 'usage_limited' })], false],
    ['Qwen Code: the user cleared it', [state(GOAL), state(null)], false],
    ['Claude Code: the user set one', [claude(false), '{"type":"user","message":{"content":"a goal"}}'], true],
    ['Claude Code: it was met, or cleared', [claude(false), claude(true)], false],
    ['Claude Code: the user set another one', [claude(false), claude(true), claude(false)], true],
    ['someone only quotes it', [user(`what is ${JSON.stringify('<codex_internal_context source="goal">')}?`)], false],
  ])('asks the last word: %s', (note, lines, expected) => {
    const file = path.join(folder, 'rollout.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const host = note.startsWith('Qwen') ? 'qwen' : note.startsWith('Claude') ? 'claude-code' : 'codex';
    expect(hasNativeGoal(host, file)).toBe(expected);
  });

  it('finds none where there is no transcript', () => {
    expect(hasNativeGoal('codex', path.join(folder, 'absent.jsonl'))).toBe(false);
    expect(hasNativeGoal('codex', folder)).toBe(false);
  });
});
