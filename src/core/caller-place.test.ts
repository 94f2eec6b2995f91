import { describe, expect, it } from 'vitest';
import type { Ancestor, CallerPlace, ControllerPlace } from './caller-place.ts';
import { agentPlace } from './caller-place.ts';

const OUTERMOST = '4026531836';
const INIT: Ancestor = { pid: 1, began: 1, name: 'init', session: 1 };
const MANAGER: Ancestor = { pid: 700, began: 70, name: 'systemd', session: 700 };
const SELF: Ancestor = { pid: 900, began: 900, name: 'node', session: 900 };
const DRIVER: ControllerPlace = {
  kind: 'driver',
  pids: OUTERMOST,
  boot: 'boot',
  pid: 500,
  began: 500,
  seen: { session: 400, group: '0::/user' },
};
const ORPHAN: CallerPlace = {
  pids: OUTERMOST,
  boot: 'boot',
  firstBegan: 1,
  hasTerminal: false,
  group: '0::/user',
  line: [SELF, INIT],
};
const below = (...line: readonly Ancestor[]): CallerPlace => ({ ...ORPHAN, line: [SELF, ...line] });
const named = (name: string): Ancestor => ({ ...INIT, name });

describe('a caller in another process namespace', () => {
  const inside: CallerPlace = { ...ORPHAN, pids: '4026532178', firstBegan: 501, line: [{ ...SELF, pid: 1 }] };

  it('is an agent when the namespace was made while the loop runs', () => {
    expect(agentPlace(inside, DRIVER)).toBe('namespace');
    expect(agentPlace({ ...inside, hasTerminal: true }, { ...DRIVER, kind: 'host', seen: null })).toBe('namespace');
  });

  it.each<[string, Partial<CallerPlace>, Partial<ControllerPlace>]>([
    ['the namespace is older than the loop', { firstBegan: 499 }, {}],
    ['both began in one tick', { firstBegan: 500 }, {}],
    ['it is outside of every namespace', { pids: OUTERMOST, line: [SELF] }, { pids: '4026532178' }],
    ['it is on another machine', { boot: 'other' }, {}],
    ['nobody knows when the driver began', {}, { began: null }],
    ['nobody knows when the namespace was made', { firstBegan: null }, {}],
  ])('is a person when %s', (_, caller, driver) => {
    expect(agentPlace({ ...inside, ...caller }, { ...DRIVER, ...driver })).toBeNull();
  });

  it('is an agent when it hides all processes, whatever it says of the boot', () => {
    expect(agentPlace({ ...inside, pids: '', boot: 'about-1', firstBegan: null, line: [] }, DRIVER)).toBe('namespace');
  });
});

describe('a caller below the driver', () => {
  const driver: Ancestor = { pid: 500, began: 500, name: 'node', session: 400 };
  const agent: Ancestor = { pid: 600, began: 600, name: 'sh', session: 600 };

  it('is its agent, with a terminal or without', () => {
    expect(agentPlace(below(agent, driver, INIT), DRIVER)).toBe('descendant');
    expect(agentPlace({ ...below(agent, driver, INIT), hasTerminal: true }, DRIVER)).toBe('descendant');
    expect(agentPlace(below(driver, INIT), DRIVER)).toBe('descendant');
  });

  it('is a person when the program that drives the loop calls by itself', () => {
    const own = { ...ORPHAN, line: [{ ...SELF, session: 400 }, driver, INIT] };
    expect(agentPlace(own, DRIVER)).toBeNull();
  });

  it('is not judged by its place in a session: the host starts programs for the user too', () => {
    expect(agentPlace(below(agent, driver, named('bash')), { ...DRIVER, kind: 'host' })).toBeNull();
  });
});

describe('a caller that was adopted', () => {
  it.each([
    ['by the first process', ORPHAN],
    ['by a service manager', below(MANAGER, INIT)],
    ['two shells below', below({ ...SELF, pid: 800, began: 800 }, INIT)],
  ])('%s is an agent', (_, caller) => {
    expect(agentPlace(caller, DRIVER)).toBe('orphan');
    expect(agentPlace(caller, { ...DRIVER, kind: 'host' })).toBe('orphan');
  });

  it.each<[string, CallerPlace]>([
    ['has a terminal', { ...ORPHAN, hasTerminal: true }],
    ['is a service or runs in another login', { ...ORPHAN, group: '0::/system.slice/nightly.service' }],
    ['is older than the driver', { ...ORPHAN, line: [{ ...SELF, began: 499 }, INIT] }],
    ['has a parent that is older than the driver', below({ ...INIT, pid: 300, name: 'runner' }, INIT)],
    ['was started by cron, the first process of a container', below(named('crond'))],
    ['was started by sshd, the first process of a container', below(named('sshd'))],
    ['entered a container from outside', { ...ORPHAN, line: [SELF] }],
    ['belongs to the script that started the driver', { ...ORPHAN, line: [{ ...SELF, session: 400 }, INIT] }],
    ['belongs to the first process', { ...ORPHAN, line: [{ ...SELF, session: 1 }, named('sh')] }],
  ])('is a person when it %s', (_, caller) => {
    expect(agentPlace(caller, DRIVER)).toBeNull();
  });

  it('is a person when the driver is gone or cannot be seen', () => {
    expect(agentPlace(ORPHAN, { ...DRIVER, seen: null })).toBeNull();
  });
});
