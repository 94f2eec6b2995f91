import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HookServerOptions, RuntimeEvent } from '../../src/facades/athena/index.ts';
import {
  cleanupOnExit,
  forwardEvent,
  forwardPayload,
  loopCallbacks,
  startHookServer,
} from '../../src/facades/athena/index.ts';
import { serveLines } from '../../src/system/line-socket.ts';
import { aProject } from '../support/a-project.ts';
import type { AthenaFixture } from '../support/athena-fixture.ts';
import { anAthenaFixture, CONFIG } from '../support/athena-fixture.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist-test/athena-session.mjs');
const stopPayload = (more: object = {}): string =>
  JSON.stringify({ hook_event_name: 'Stop', session_id: 's', stop_hook_active: false, ...more });
const event = (hookName: string, more: Partial<RuntimeEvent> = {}): RuntimeEvent => ({ id: 'e-1', hookName, ...more });

async function serving(options: Partial<HookServerOptions> = {}, fixture: AthenaFixture = anAthenaFixture()) {
  const socketPath = path.join(aProject(), 's');
  const warnings: string[] = [];
  const server = await startHookServer({
    socketPath,
    ...options,
    callbacks: {
      getRules: () => [],
      enqueuePermission: () => undefined,
      enqueueQuestion: () => undefined,
      logger: { warn: (text) => void warnings.push(text), info: () => undefined },
      ...loopCallbacks(fixture.manager()),
      ...options.callbacks,
    },
  });
  onTestFinished(() => server.close());
  return { socketPath, server, warnings, fixture };
}

describe('a hook server', () => {
  it('blocks forwarded stops and counts every one of many at once', async () => {
    const { socketPath, fixture } = await serving();
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, id) => forwardEvent(socketPath, event('Stop', { id: String(id) }))),
    );
    expect(results.filter(({ result }) => result.action === 'json_output')).toHaveLength(CONFIG.maxIterations);
    expect(fixture.read()).toMatch(/iteration: 3[\s\S]*active: false/u);
    expect(fixture.loops()[0]?.state.counted).toBe(CONFIG.maxIterations + 1);
  });

  it('answers a person has to give later, while others are answered', async () => {
    const asked: RuntimeEvent[] = [];
    const { socketPath, server } = await serving({ onEvent: (seen) => void asked.push(seen) });
    const permission = forwardEvent(socketPath, event('PermissionRequest', { id: 'p', toolName: 'Bash' }));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect((await forwardEvent(socketPath, event('Stop'))).result.action).toBe('json_output');
    expect(server.sendDecision('p', { type: 'json', source: 'user', intent: { kind: 'permission_allow' } })).toBe(true);
    expect(await permission).toMatchObject({
      result: { stdout_json: { hookSpecificOutput: { decision: { behavior: 'allow' } } } },
    });
    expect(server.sendDecision('p', { type: 'passthrough', source: 'user' })).toBe(false);
  });

  it('waits for nobody once an event is answered, or the server is closed', async () => {
    const asked: RuntimeEvent[] = [];
    const { socketPath, server } = await serving({ onEvent: (seen) => void asked.push(seen) });
    await forwardEvent(socketPath, event('Stop'));
    expect(server.sendDecision('e-1', { type: 'passthrough', source: 'user' })).toBe(false);
    const permission = forwardEvent(socketPath, event('PermissionRequest', { id: 'p', toolName: 'Bash' }));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    await server.close();
    expect(server.sendDecision('p', { type: 'passthrough', source: 'user' })).toBe(false);
    expect((await permission).result).toEqual({ action: 'passthrough' });
  });

  it('takes an answer that is given while it is asked', async () => {
    const { socketPath, server } = await serving({
      callbacks: {
        getRules: () => [],
        enqueuePermission: () => undefined,
        enqueueQuestion: (id) => {
          server.sendDecision(id, {
            type: 'json',
            source: 'user',
            intent: { kind: 'question_answer', answers: { q: 'a' } },
          });
        },
      },
    });
    expect(await forwardEvent(socketPath, event('PreToolUse', { toolName: 'AskUserQuestion' }))).toMatchObject({
      result: { stdout_json: { hookSpecificOutput: { updatedInput: { answers: { q: 'a' } } } } },
    });
  });

  it('passes an event through that no person answers in time', async () => {
    const { socketPath } = await serving({ decisionTimeoutMs: 5 });
    const { result } = await forwardEvent(socketPath, event('PermissionRequest', { toolName: 'Bash' }));
    expect(result).toEqual({ action: 'passthrough' });
  });

  it('passes what it cannot read through, with a warning, and continues', async () => {
    const { socketPath, warnings } = await serving();
    const { askLine } = await import('../../src/system/line-socket.ts');
    expect(await askLine(socketPath, 'no JSON', 5000)).toMatchObject({ line: '{"action":"passthrough"}' });
    expect(warnings).toHaveLength(1);
    expect((await forwardEvent(socketPath, event('Stop'))).result.action).toBe('json_output');
  });
});

describe('a hook server in trouble', () => {
  it('continues when a client is gone before its answer', async () => {
    const asked: string[] = [];
    const { socketPath, server } = await serving({ onEvent: ({ id }) => void asked.push(id) });
    const client = connect(socketPath);
    client.write(`${JSON.stringify(event('PermissionRequest', { id: 'p', toolName: 'Bash' }))}\n{"id":"half`);
    await vi.waitFor(() => expect(asked).toEqual(['p']));
    client.destroy();
    expect((await forwardEvent(socketPath, event('Stop'))).result.action).toBe('json_output');
    expect(server.sendDecision('p', { type: 'json', source: 'user', intent: { kind: 'permission_allow' } })).toBe(true);
    expect((await forwardEvent(socketPath, event('Stop'))).result.action).toBe('json_output');
  });

  it('decides, with a warning, while a display that listens fails', async () => {
    const { socketPath, warnings } = await serving({
      onEvent: () => {
        throw new Error('no screen');
      },
    });
    expect((await forwardEvent(socketPath, event('Stop'), { timeoutMs: 2000 })).result.action).toBe('json_output');
    expect(warnings).toEqual([expect.stringContaining('no screen')]);
  });
});

describe('the forwarder', () => {
  it('prints the block of a stop as the host wants it', async () => {
    const { socketPath } = await serving();
    const reply = await forwardPayload(socketPath, stopPayload({ stop_hook_active: true }));
    expect(JSON.parse(reply.stdout)).toEqual({ decision: 'block', reason: expect.any(String) });
    expect([reply.stderr, reply.exitCode]).toEqual(['', 0]);
  });

  it('fails open, with a note, when nobody listens, nobody answers, or the answer makes no sense', async () => {
    const nobody = await forwardPayload(path.join(aProject(), 'none'), stopPayload());
    const at = path.join(aProject(), 's');
    const mute = await serveLines(at, (line) =>
      line.includes('odd') ? 'what?' : { later: new Promise(() => undefined) },
    );
    onTestFinished(() => mute.close());
    const replies = [
      nobody,
      await forwardPayload(at, stopPayload(), { timeoutMs: 10 }),
      await forwardPayload(at, stopPayload({ session_id: 'odd' })),
      await forwardPayload(at, 'not JSON'),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({
        stdout: '',
        exitCode: 0,
        stderr: expect.stringContaining('the hook changes nothing'),
      });
    }
  });

  it('blocks with stderr and exit code 2 where the decision says so', async () => {
    const { socketPath, server } = await serving({
      onEvent: (seen) =>
        setImmediate(() => server.sendDecision(seen.id, { type: 'block', source: 'user', reason: 'No.' })),
    });
    const payload = JSON.stringify({ hook_event_name: 'PermissionRequest', tool_name: 'Bash' });
    expect(await forwardPayload(socketPath, payload)).toEqual({ stdout: '', stderr: 'No.\n', exitCode: 2 });
  });
});

describe.runIf(process.platform !== 'win32')('a program with a loop', () => {
  async function started(
    fixture: AthenaFixture,
    then: 'wait' | 'leave',
  ): Promise<{ child: ChildProcess; socket: string }> {
    const socket = path.join(aProject(), 's');
    const child = spawn(process.execPath, [PROGRAM, fixture.home, fixture.file, socket, then], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(child.stdout, 'data');
    expect(String(line)).toBe('ready\n');
    return { child, socket };
  }

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('removes its tracker when it is ended by %s', async (signal) => {
    const fixture = anAthenaFixture();
    const { child, socket } = await started(fixture, 'wait');
    expect((await forwardPayload(socket, stopPayload())).stdout).toContain('block');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(fixture.read()).toBeUndefined();
    expect(fixture.archived()).toEqual([expect.stringContaining('iteration: 1')]);
  });

  it('removes its tracker when it leaves by itself', async () => {
    const fixture = anAthenaFixture();
    const { child } = await started(fixture, 'leave');
    if (child.exitCode === null) await once(child, 'exit');
    expect([fixture.read(), child.exitCode]).toEqual([undefined, 0]);
    expect(fixture.archived()).toEqual([expect.stringContaining('# Loop Progress')]);
  });

  it('is taken over after kill -9, with its counter', async () => {
    const fixture = anAthenaFixture();
    const { child, socket } = await started(fixture, 'wait');
    await forwardPayload(socket, stopPayload());
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(fixture.read()).toContain('active: true');
    expect((await forwardPayload(socket, stopPayload())).stdout).toBe('');
    expect(fixture.manager().getState()).toMatchObject({ active: true, iteration: 1 });
    expect(fixture.loops()).toHaveLength(1);
  });
});

describe('cleanupOnExit', () => {
  it('can be taken back', () => {
    const before = process.listenerCount('exit');
    const cleanup = vi.fn<() => void>();
    cleanupOnExit({ cleanup })();
    expect([process.listenerCount('exit'), cleanup.mock.calls.length]).toEqual([before, 0]);
  });
});
