import { describe, expect, it } from 'vitest';
import { hasExcluded, withExcluded, withoutExcluded } from './exclude-text.ts';

const NAMES = ['/.claude/settings.local.json', '/.claude/commands/ralph.md'];

describe('lines in a file of ignored names', () => {
  it.each(['', '# mine\n*.log\n', 'a\r\nb\r\n'])('come and go, and leave %j as it was', (text) => {
    const full = withExcluded(text, 'claude-code in /shop', NAMES);
    expect(full).toContain('/.claude/settings.local.json');
    expect(full.startsWith(text)).toBe(true);
    expect(hasExcluded(full, 'claude-code in /shop', NAMES)).toBe(true);
    expect(withExcluded(full, 'claude-code in /shop', NAMES)).toBe(full);
    expect(withoutExcluded(full, 'claude-code in /shop')).toBe(text);
  });

  it('belong to one install each, and what somebody wrote between and after them stays', () => {
    const both = withExcluded(withExcluded('a', 'codex in /shop', ['/.codex/hooks.json']), 'codex in /tree', ['/x']);
    const text = `${both}/mine\n`;
    expect(withoutExcluded(text, 'codex in /shop')).toBe(`${withExcluded('a\n', 'codex in /tree', ['/x'])}/mine\n`);
    expect(withoutExcluded(withoutExcluded(text, 'codex in /shop'), 'codex in /tree')).toBe('a\n/mine\n');
    expect(hasExcluded(text, 'codex in /other', ['/x'])).toBe(false);
    const cut = text.replaceAll('# [tireless] end\n', '');
    expect(withoutExcluded(cut, 'codex in /shop')).toBe(cut);
  });
});
