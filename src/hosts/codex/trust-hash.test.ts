import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { trustedHash, trustKey } from './trust-hash.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As `hooks/list` of the app-server of Codex 0.166.0 gave them for these hooks. */
describe('trustedHash', () => {
  it('is the one that Codex computes', () => {
    expect(trustedHash({ event: 'Stop', command: 'true', timeout: 600 }, sha256)).toBe(
      'sha256:2ba34c7a02841fada06b868a093d041fd3d9de81883c789a321916b0aa118851',
    );
  });

  it('covers the matcher, the message and letters beyond ASCII', () => {
    const hook = { event: 'PreToolUse', matcher: 'update_goal', command: 'echo "é" && exit 0', timeout: 30 } as const;
    expect(trustedHash({ ...hook, statusMessage: 'asks' }, sha256)).toBe(
      'sha256:626250ab574505c97211ea0406dc3a3d80856a6d21a9211e784f421c85b75982',
    );
    expect(trustedHash(hook, sha256)).not.toBe(trustedHash({ ...hook, matcher: 'get_goal' }, sha256));
  });

  it('is kept under the place of the hook', () => {
    expect(trustKey('/home/a/.codex/hooks.json', 'UserPromptSubmit', 2, 0)).toBe(
      '/home/a/.codex/hooks.json:user_prompt_submit:2:0',
    );
  });

  it('is kept under the path as Windows writes it', () => {
    expect(trustKey(String.raw`C:\Users\a b/.codex/hooks.json`, 'Stop', 0, 0)).toBe(
      String.raw`C:\Users\a b\.codex\hooks.json:stop:0:0`,
    );
    expect(trustKey(String.raw`\\server\a/.codex/hooks.json`, 'Stop', 0, 0)).toBe(
      String.raw`\\server\a\.codex\hooks.json:stop:0:0`,
    );
  });
});
