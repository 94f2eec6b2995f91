import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newPrd, readPrd, tickPrd } from './prd.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../test/fixtures/dialects/prd');
const recorded = (name: string): string => readFileSync(path.join(FOLDER, `${name}.json`), 'utf8');

describe('prd.json', () => {
  it('is a goal with a criterion per story, the first priority first', () => {
    expect(readPrd(recorded('prd'))).toMatchObject({
      kind: 'prd',
      goal: expect.stringMatching(
        /^MyApp\n\nTask Priority System\n\n## US-001: Add a priority field \(passes\)/,
      ) as string,
      criteria: [
        { text: 'US-001: Add a priority field', by: 'agent' },
        { text: 'US-002: Show the priority on task cards', by: 'agent' },
      ],
      criteriaMet: ['US-001: Add a priority field'],
    });
    const found = readPrd(recorded('prd'));
    expect(found.kind === 'prd' ? found.goal : '').toContain('- A coloured badge on each card\n- Typecheck passes');
  });

  it('may be a bare list with steps', () => {
    expect(readPrd(recorded('bare-list'))).toMatchObject({
      criteria: [{ text: 'New chat works' }, { text: 'Dark mode' }],
      criteriaMet: [],
    });
  });

  it('has one line per story, whatever white space its title contains', () => {
    const text = '{"stories":[{"id":"a","title":" two\\n  lines ","passes":false}]}';
    expect(readPrd(text)).toMatchObject({ criteria: [{ text: 'a: two lines' }] });
    expect(tickPrd(text, ['a: two lines'])).toBe(text.replace('false', 'true'));
  });

  it('is ticked in place, and no tick is taken back', () => {
    const text = recorded('prd');
    expect(tickPrd(text, [])).toBe(text);
    expect(tickPrd(text, ['US-002: Show the priority on task cards'])).toBe(
      text.replace('"passes": false', '"passes": true'),
    );
    const list = recorded('bare-list');
    expect(tickPrd(list, ['New chat works'])).toBe(list.replace('"passes": false', '"passes": true'));
    expect(readPrd(tickPrd(list, ['Dark mode']))).toMatchObject({ criteriaMet: ['Dark mode'] });
  });

  it('is written from a goal and its criteria, and reads back the same', () => {
    const asked = {
      goal: 'Ship it',
      criteria: [
        { text: 'US-7: Login', by: 'agent' as const },
        { text: 'Logout', by: 'agent' as const },
      ],
    };
    const text = newPrd({ ...asked, criteriaMet: ['Logout'], isDone: false });
    expect(JSON.parse(text)).toMatchObject({
      description: 'Ship it',
      userStories: [
        { id: 'US-7', title: 'Login', passes: false, priority: 1 },
        { id: 'US-002', title: 'Logout', passes: true, priority: 2 },
      ],
    });
    expect(readPrd(newPrd({ goal: 'Ship it', criteria: [], criteriaMet: [], isDone: true }))).toMatchObject({
      criteriaMet: ['US-001: Ship it'],
    });
  });

  it('says why it cannot be read, and leaves such a text alone', () => {
    for (const text of ['', '{', '{}', '[]', '[1]', '{"userStories":[{"id":1,"title":"a"},{"id":1,"title":"a"}]}']) {
      expect(readPrd(text).kind).toBe('invalid');
      expect(tickPrd(text, ['a'])).toBe(text);
    }
  });
});
