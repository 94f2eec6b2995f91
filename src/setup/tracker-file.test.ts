import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, aRepository, git, put } from '../../test/support/a-project.ts';
import { aSpec } from '../../test/support/a-loop.ts';
import { ensureTracker } from './tracker-file.ts';

const spec = aSpec({
  goal: 'Do $& it\n```\n- [x] docs',
  tracker: '.tireless/tracker-a-loop.md',
  criteria: [
    { text: 'docs', by: 'agent' },
    { text: 'tests', by: 'agent' },
  ],
});

describe('ensureTracker', () => {
  it('writes the criteria open, and the goal so that nothing in it counts as the agent', () => {
    const project = aProject();
    ensureTracker(spec, project);
    const text = readFileSync(path.join(project, '.tireless/tracker-a-loop.md'), 'utf8');
    expect(text).toContain('- [ ] docs\n- [ ] tests\n');
    expect(text).toContain('> Do $& it\n> ```\n> - [x] docs\n');
  });

  it('leaves what is there alone, and adds only the lines that are missing', () => {
    const project = aProject({ '.tireless/tracker-a-loop.md': '# mine\n- [x] docs\n' });
    ensureTracker(spec, project);
    ensureTracker(spec, project);
    expect(readFileSync(path.join(project, '.tireless/tracker-a-loop.md'), 'utf8')).toBe(
      '# mine\n- [x] docs\n\n- [ ] tests\n',
    );
  });

  it('shows nothing in git status, and lets a team commit its configuration and templates', () => {
    const project = aRepository({ 'a.txt': 'a' });
    ensureTracker(spec, project);
    expect(git(project, 'status', '--porcelain')).toBe('');
    put(project, { '.tireless/config.json': '{}', '.tireless/templates/a.md': '' });
    expect(git(project, 'status', '--porcelain', '-uall')).toBe(
      '?? .tireless/config.json\n?? .tireless/templates/a.md\n',
    );
  });

  it('does nothing for a loop without a tracker', () => {
    const project = aProject();
    ensureTracker(aSpec(), project);
    expect(existsSync(path.join(project, '.tireless'))).toBe(false);
  });
});
