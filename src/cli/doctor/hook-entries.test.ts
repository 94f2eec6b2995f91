import { describe, expect, it } from 'vitest';
import { guardLine } from '../../hosts/guard.ts';
import { dialectLine } from '../settings/dialect-lines.ts';
import { entriesIn, filesOf } from './hook-entries.ts';

const HOME = "/home/o'neill/it is";
const NODE = "/opt/my 'node'/bin/node";
const SCRIPT = '/opt/a b/dist/hook.cjs';

function aLine(wake: 'own-session' | 'any-session' | 'always'): string {
  const guarded = { host: 'claude-code', wake, sessionVariable: 'S', drainInput: true } as const;
  return guardLine(guarded, { home: HOME, node: NODE, script: SCRIPT });
}

describe('filesOf', () => {
  it.each(['own-session', 'any-session', 'always'] as const)('reads the two files of a guard (%s)', (wake) => {
    expect(filesOf(aLine(wake))).toEqual({ node: NODE, script: SCRIPT });
  });

  it('reads the two files of the line of a dialect', () => {
    const program = { node: NODE, cli: '/opt/a b/dist/cli.js', hook: SCRIPT, plugins: '/p' };
    const line = dialectLine('athena', { host: 'codex', home: HOME, project: '/p', program, drainInput: true });
    expect(filesOf(line)).toEqual({ node: NODE, script: '/opt/a b/dist/cli.js' });
  });

  it('knows nothing of other lines', () => {
    expect(filesOf('npm test')).toBeNull();
    expect(filesOf('exec cat >/dev/null')).toBeNull();
  });
});

describe('entriesIn', () => {
  it('finds our lines with their timeouts, whatever the shape, and no line of others', () => {
    const line = aLine('always');
    const settings = {
      hooks: {
        Stop: [{ hooks: [{ type: 'command', command: line, timeout: 600 }] }, { hooks: [{ command: 'say hello' }] }],
        Other: [{ bash: line, timeoutSec: 5 }, { command: line }],
      },
    };
    expect(entriesIn(settings, 'claude-code', HOME)).toEqual([
      { line, timeoutSeconds: 600 },
      { line, timeoutSeconds: 5 },
      { line, timeoutSeconds: null },
    ]);
    expect(entriesIn(settings, 'codex', HOME)).toEqual([]);
  });

  it('counts in milliseconds where the host does', () => {
    const line = aLine('always').replace('claude-code', 'gemini');
    expect(entriesIn([{ command: line, timeout: 600_000 }], 'gemini', HOME)).toEqual([{ line, timeoutSeconds: 600 }]);
  });
});
