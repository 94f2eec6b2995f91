import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../../test/support/a-project.ts';
import { environmentInRoom, namesProject, withRoot } from './paths-out.ts';

describe('the path of the project', () => {
  it.each([
    ['cd /app && make', 'cd /room && make'],
    ['"/app/verify.sh"', '"/room/verify.sh"'],
    ['--dir=/app', '--dir=/room'],
    ['/app/bin:/usr/bin:/app', '/room/bin:/usr/bin:/room'],
    ['node --import file:///app/hook.js', 'node --import file:///room/hook.js'],
    ['cat src/app /apple http://app ./app', 'cat src/app /apple http://app ./app'],
    ['no path', 'no path'],
  ])('in %j becomes that of the room', (text, expected) => {
    expect(withRoot(text, '/app', '/room')).toBe(expected);
  });

  it('is found by any name that leads there, and only where something is', () => {
    const root = aProject({ 'src/a.sh': '' });
    const home = aProject();
    symlinkSync(root, path.join(home, 'shop'));
    const names = (text: string): boolean => namesProject(text, { root, home });
    expect(names(`cd ${root} && make`)).toBe(true);
    expect(names(`source "${root}/src/a.sh"`)).toBe(true);
    expect(names('cd ~/shop && make')).toBe(true);
    expect(names('cat "$HOME/shop/src/a.sh" ${HOME}/x')).toBe(true);
    expect(names(`get('${root}/not-there')`)).toBe(false);
    expect(names('cd src && make -C ../lib /usr/bin/env')).toBe(false);
  });

  it('does not count where it leads into the room, which may stand in the project', () => {
    const root = aProject({ 'state/rooms/one/a.sh': '' });
    const room = path.join(root, 'state/rooms/one');
    expect(namesProject(`sh ${room}/a.sh`, { root, home: '/nowhere', room })).toBe(false);
    expect(namesProject(`sh ${root}/state`, { root, home: '/nowhere', room })).toBe(true);
  });

  it('in variables becomes that of the room, but not in the home', () => {
    const environment = { PATH: '/app/bin:/bin', HOME: '/app/home', LANG: 'C', TIRELESS_HOME: '/app/state' };
    const place = { root: '/app', home: '/home/me' };
    expect(environmentInRoom(environment, place, '/room')).toEqual({ PATH: '/room/bin:/bin' });
    expect(environmentInRoom(environment, { ...place, home: '/app/home' }, '/room')).toEqual({});
  });
});
