import { describe, expect, it } from 'vitest';
import { helpLines } from './help-lines.ts';

describe('a page of help', () => {
  it('breaks descriptions between words, in their own column', () => {
    const line = '  --agent NAME        a known agent: claude-code, codex, gemini, qwen';
    expect(helpLines([line], 50)).toEqual([
      '  --agent NAME        a known agent: claude-code,',
      '                      codex, gemini, qwen',
    ]);
  });

  it('joins a sentence that the page breaks elsewhere', () => {
    const lines = [
      'A claim of the agent is not proof: with checks, only',
      'passed checks complete a loop.',
      'Next one.',
    ];
    expect(helpLines(lines, 60)).toEqual([
      'A claim of the agent is not proof: with checks, only passed',
      'checks complete a loop.',
      'Next one.',
    ]);
  });

  it('breaks commands so that they can be pasted', () => {
    const line = '  tireless run "make the tests pass" --agent claude-code --check "npm test"';
    expect(helpLines([line], 40)).toEqual([
      '  tireless run "make the tests pass" \\',
      '    --agent claude-code \\',
      '    --check "npm test"',
    ]);
  });

  it('keeps titles and lists as they are', () => {
    const lines = ['Usage: tireless run', '', 'Exit codes:', '  0    completed'];
    expect(helpLines(lines, 80)).toEqual(lines);
  });
});
