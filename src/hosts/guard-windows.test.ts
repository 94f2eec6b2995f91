import { describe, expect, it } from 'vitest';
import { guardLineWindows } from './guard-windows.ts';

const place = {
  home: String.raw`C:\Users\A B\AppData\Local\tireless`,
  node: String.raw`C:\Program Files\nodejs\node.exe`,
  script: String.raw`C:\tools\hook.cjs`,
};
const RUN = String.raw`set "NODE_EXTRA_CA_CERTS=" & set "NODE_OPTIONS=" & "C:\Program Files\nodejs\node.exe" --no-opt C:\tools\hook.cjs claude-code "C:\Users\A B\AppData\Local\tireless"`;

describe('the guard for cmd.exe, as text', () => {
  it('asks for the file of this session, and only when there is one', () => {
    const line = guardLineWindows(
      { host: 'claude-code', wake: 'own-session', sessionVariable: 'SESSION', drainInput: false },
      place,
    );
    expect(line).toBe(
      String.raw`cmd /d /s /v:on /c "if defined SESSION (if exist "C:\Users\A B\AppData\Local\tireless\armed\claude-code\!SESSION!" (${RUN}))"`,
    );
    // Before the line is parsed nothing of the session is in it.
    expect(line).not.toContain('%');
  });

  it('reads its input to the end where the host wants that', () => {
    const line = guardLineWindows(
      { host: 'claude-code', wake: 'any-session', sessionVariable: null, drainInput: true },
      place,
    );
    expect(line).toBe(
      String.raw`cmd /d /s /v:on /c "if exist "C:\Users\A B\AppData\Local\tireless\armed\claude-code\*" (${RUN}) else (findstr "^" >nul & exit 0)"`,
    );
  });

  it('asks for the mark of a loop with a time before a tool', () => {
    const guarded = { host: 'claude-code', wake: 'timed-session', drainInput: false } as const;
    expect(guardLineWindows({ ...guarded, sessionVariable: 'SESSION' }, place)).toContain(
      String.raw`if exist "C:\Users\A B\AppData\Local\tireless\timed\claude-code\!SESSION!" (`,
    );
    expect(guardLineWindows({ ...guarded, sessionVariable: null }, place)).toContain(
      String.raw`if exist "C:\Users\A B\AppData\Local\tireless\timed\claude-code\*" (`,
    );
  });

  it('hands words over, and always runs where it is asked to', () => {
    const line = guardLineWindows(
      { host: 'claude-code', wake: 'always', sessionVariable: null, drainInput: false, words: ['--dialect', 'prd'] },
      place,
    );
    expect(line).toBe(`cmd /d /s /v:on /c "${RUN} --dialect prd"`);
  });
});
