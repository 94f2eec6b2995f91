import { describe, expect, it } from 'vitest';
import type { WindowsWay } from './setup.ts';
import { windowsCall, windowsHook, windowsWords } from './windows-call.ts';

const place = {
  home: String.raw`C:\Users\A B\AppData\Local\tireless`,
  node: String.raw`C:\Program Files (x86)\nodejs\node.exe`,
  script: String.raw`C:\it's & that\hook.cjs`,
};
const guarded = { host: 'codex', wake: 'any-session', sessionVariable: null, drainInput: true } as const;
const WORDS = [place.node, '--no-opt', '--no-rehash-snapshot', '--v8-pool-size=1', place.script, 'codex', place.home];
const HOOK = String.raw`$env:NODE_EXTRA_CA_CERTS=$null; $env:NODE_OPTIONS=$null; & 'C:\Program Files (x86)\nodejs\node.exe' '--no-opt' '--no-rehash-snapshot' '--v8-pool-size=1' 'C:\it''s & that\hook.cjs' 'codex' 'C:\Users\A B\AppData\Local\tireless'; exit $LASTEXITCODE`;

describe('a hook on Windows, as text', () => {
  it('is a program with its arguments where the host starts that: there is nothing to quote', () => {
    expect(windowsHook({ ...guarded, words: ['--more'] }, place, { shell: 'none', isNamed: true })).toEqual({
      line: place.node,
      otherKeys: { args: [...WORDS.slice(1), '--more'] },
    });
  });

  it('is a call of PowerShell, in single quotes only', () => {
    expect(windowsHook(guarded, place, { shell: 'powershell' })).toEqual({ line: HOOK });
    expect(windowsHook(guarded, place, { shell: 'powershell', isNamed: true })).toEqual({
      line: HOOK,
      otherKeys: { shell: 'powershell' },
    });
  });

  it('needs a shell where a variable is to be set', () => {
    const call = windowsCall(WORDS, { TIRELESS_HOME: place.home }, { shell: 'none', isNamed: true });
    expect(call).toEqual({
      line: String.raw`$env:TIRELESS_HOME='C:\Users\A B\AppData\Local\tireless'; ${HOOK}`,
      otherKeys: { shell: 'powershell' },
    });
  });

  it.each<WindowsWay>([{ shell: 'none' }, { shell: 'powershell' }])('is read back (%o)', (way) => {
    for (const home of [place.home, String.raw`C:\a’b^c‘‘d`, String.raw`C:\100% & 'more'!`]) {
      const words = windowsWords(windowsHook(guarded, { ...place, home }, way));
      expect(words.slice(words.indexOf(place.node)).slice(0, WORDS.length)).toEqual([...WORDS.slice(0, -1), home]);
    }
  });
});
