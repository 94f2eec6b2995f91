/** Claims of an earlier loop, in a host that was really started again. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LIBRARY = pathToFileURL(path.resolve(import.meta.dirname, '../../dist/supercode.js')).href;
let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tireless-restart-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const asks = (content: string) => ({ role: 'user', content });
const says = (content: string) => ({ role: 'assistant', content });
const CLAIM = says('All green. <promise>DONE</promise>');

/** One process of a host. `script` has the hook, its messages and `idle`; the answer is the iteration of the file, or `null`. */
function host(script: string, messages: readonly object[]): unknown {
  const program = `
    import { createRalphLoopHook, setLog } from ${JSON.stringify(LIBRARY)};
    setLog({ info() {}, warn() {}, error() {} });
    const messages = ${JSON.stringify(messages)};
    const hook = createRalphLoopHook({ workdir: ${JSON.stringify(root)}, getMessages: async () => messages });
    const idle = () => hook.handler({ event: 'session.idle', sessionId: 's1' });
    ${script}
    await new Promise((done) => setTimeout(done, 20));
    console.log(JSON.stringify(hook.getState()?.iteration ?? null));`;
  const env = { ...process.env, TIRELESS_HOME: path.join(root, 'home') };
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' }));
}

const FIRST = [asks('first'), CLAIM];
const START = `hook.startLoop('s1', 'second');`;

describe('in a new process of the host', () => {
  it('the claim that completed the last loop completes nothing, also before the agent has answered', () => {
    expect(host(`hook.startLoop('s1', 'first'); await idle();`, FIRST)).toBe(null);
    expect(host(`${START} await idle();`, FIRST)).toBe(2);
    expect(host('await idle();', [...FIRST, says('Working.')])).toBe(3);
    expect(host('await idle();', [...FIRST, says('Working.'), CLAIM])).toBe(null);
  });

  it('a claim that a cancelled or aborted loop never received completes nothing', () => {
    const abort = `await hook.handler({ event: 'session.error', sessionId: 's1', data: { error: { name: 'AbortError' } } });`;
    for (const end of [`hook.cancelLoop('s1');`, abort]) {
      expect(host(`hook.startLoop('s1', 'first'); ${end}`, FIRST)).toBe(null);
      expect(host(`${START} await idle();`, FIRST)).toBe(2);
      expect(host('await idle();', [...FIRST, says('Working.')])).toBe(3);
    }
  });

  it('a claim made after startLoop counts', () => {
    host(`hook.startLoop('s1', 'first'); await idle();`, FIRST);
    expect(host(`${START} messages.push(${JSON.stringify(CLAIM)}); await idle();`, FIRST)).toBe(null);
  });

  it('a claim counts in a host that shows the same message at every call', () => {
    for (let run = 1; run <= 2; run++) expect(host(`${START} await idle();`, [CLAIM])).toBe(null);
  });
});
