import { isAbsolute } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentPlatform, tirelessHome, type Platform } from './paths.ts';

const on = (
  os: Platform['os'],
  env: Platform['env'] = {},
  home = os === 'win32' ? 'C:\\Users\\ada' : '/home/ada',
): Platform => ({ os, env, home });

describe('tirelessHome', () => {
  it.each([
    ['the home directory', on('linux'), '/home/ada/.local/state/tireless'],
    ['the home directory on macOS too', on('darwin', {}, '/Users/ada'), '/Users/ada/.local/state/tireless'],
    ['XDG_STATE_HOME', on('linux', { XDG_STATE_HOME: '/data/state' }), '/data/state/tireless'],
    [
      'the home directory when XDG_STATE_HOME is relative',
      on('linux', { XDG_STATE_HOME: 'state' }),
      '/home/ada/.local/state/tireless',
    ],
    ['TIRELESS_HOME before all', on('linux', { TIRELESS_HOME: '/t/./x', XDG_STATE_HOME: '/data' }), '/t/x'],
    ['the default when TIRELESS_HOME is empty', on('linux', { TIRELESS_HOME: '' }), '/home/ada/.local/state/tireless'],
    ['LOCALAPPDATA on Windows', on('win32', { LOCALAPPDATA: 'D:\\Local' }), 'D:\\Local\\tireless'],
    ['the profile on Windows without LOCALAPPDATA', on('win32'), 'C:\\Users\\ada\\AppData\\Local\\tireless'],
    ['TIRELESS_HOME with a drive on Windows', on('win32', { TIRELESS_HOME: 'E:/t' }), 'E:\\t'],
  ])('uses %s', (_, platform, expected) => {
    expect(tirelessHome(platform)).toBe(expected);
  });

  it('refuses a relative TIRELESS_HOME and says what to do', () => {
    expect(() => tirelessHome(on('linux', { TIRELESS_HOME: '~/t' }))).toThrow(
      /"~\/t", which is not an absolute path\. Set it/u,
    );
    expect(() => tirelessHome(on('linux', { TIRELESS_HOME: 'C:\\t' }))).toThrow(/not an absolute path/u);
  });

  it('asks for TIRELESS_HOME when the user has no home directory', () => {
    expect(() => tirelessHome(on('linux', {}, ''))).toThrow(expect.objectContaining({ code: 'HOME_UNUSABLE' }));
    expect(tirelessHome(on('linux', { TIRELESS_HOME: '/t' }, ''))).toBe('/t');
  });

  it('finds an absolute home on this machine', () => {
    expect(isAbsolute(tirelessHome({ ...currentPlatform(), env: {} }))).toBe(true);
  });
});
