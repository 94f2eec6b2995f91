import { readFileSync } from 'node:fs';
import type { AgentActivity, TurnEnd } from '../../src/engine/ports.ts';
import type { TurnReader } from '../../src/runner/agents/process-agent.ts';
import type { SpawnResult } from '../../src/system/spawn.ts';

/** `test/fixtures/agents/<host>/<version>-<scene>.jsonl` */
export function recordedStream(name: string): string {
  return readFileSync(new URL(`../fixtures/agents/${name}.jsonl`, import.meta.url), 'utf8');
}

function spawnResult(overrides: Partial<SpawnResult> = {}): SpawnResult {
  return {
    exitCode: 0,
    signal: null,
    stdoutTail: '',
    stderrTail: '',
    stdoutBytes: 0,
    stderrBytes: 0,
    durationMs: 1,
    leftovers: 0,
    ...overrides,
  };
}

type Read = { readonly activities: readonly AgentActivity[]; readonly end: TurnEnd };

/** Reads in pieces of seven characters, because a pipe may cut anywhere. */
export function readStream(reader: TurnReader, stdout: string, result: Partial<SpawnResult>, nowMs: number): Read {
  const pieces = stdout.match(/[\s\S]{1,7}/gu) ?? [];
  const activities = pieces.flatMap((piece) => reader.read?.(piece) ?? []);
  return { activities, end: reader.end(spawnResult({ stdoutTail: stdout, ...result }), nowMs) };
}
