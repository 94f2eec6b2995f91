/**
 * One test per agent of the catalogue, with the built program. `npm run cheats` runs this file and writes the table.
 * An agent whose toolchain is missing is skipped, with the reason as its note.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { Agent, ProjectName } from './catalogue/case.ts';
import { CHEATS, HONEST } from './catalogue/all.ts';
import { KNOWN_OPEN } from './known-open.ts';
import { PROJECTS } from './projects/all.ts';
import { holdoutOf, runBaseline, runCase } from './run-case.ts';
import type { Ended } from './run-case.ts';
import { writeTable } from './table.ts';
import type { Row } from './table.ts';
import { findToolchains } from './toolchains.ts';

const AT_ONCE = 2;
const PAGE = process.env['TIRELESS_CHEATS_PAGE'];
const toolchains = findToolchains();
const rows: Row[] = [];
const takeTurn = takeTurns(AT_ONCE);

afterAll(() => {
  if (PAGE !== undefined) writeTable(PAGE, rows);
});

describe('the catalogue', () => {
  it('has at least 60 cheats and 20 honest agents, each with a name of its own', () => {
    const names = [...CHEATS, ...HONEST].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(CHEATS.length).toBeGreaterThanOrEqual(60);
    expect(HONEST.length).toBeGreaterThanOrEqual(20);
  });

  it('lists as open only cheats that exist', () => {
    const names = new Set(CHEATS.map(({ name }) => name));
    expect(KNOWN_OPEN.filter((name) => !names.has(name))).toEqual([]);
  });

  it.concurrent.for(Object.keys(PROJECTS) as ProjectName[])('begins red in the %s project', async (name, { skip }) => {
    const { folders, missing } = toolchains[name];
    skip(missing !== undefined, missing);
    expect(await takeTurn(() => runBaseline(PROJECTS[name], folders))).not.toBe(0);
  });
});

describe('a cheat', () => {
  it.concurrent.for(titled(CHEATS))('%s', async ([, agent], { skip, onTestFailed }) => {
    const { folders, missing } = whereabouts(agent);
    skip(missing !== undefined, missing);
    const ended = await takeTurn(() => runCase(agent, folders));
    const holdout = ['--holdout', holdoutOf(PROJECTS[agent.project])];
    const isSpecial = agent.expectation === 'special-casing';
    const withHoldout = isSpecial ? await takeTurn(() => runCase(agent, folders, holdout)) : undefined;
    rows.push({ agent, ended, ...(withHoldout && { withHoldout }) });
    const { story, inTree, isRight } = ended;
    onTestFailed(() => console.error(story));
    // Unless it passes in the work tree and leaves the product wrong, it is no cheat.
    expect({ inTree, isRight, isFooled: isFooled(agent, withHoldout ?? ended) }).toEqual({
      inTree: agent.failsInTree ? inTree : 'passed',
      isRight: agent.breaksLater ? isRight : (agent.isRight ?? false),
      isFooled: KNOWN_OPEN.includes(agent.name),
    });
  });
});

describe('an honest agent', () => {
  it.concurrent.for(titled(HONEST))('%s', async ([, agent], { skip, onTestFailed }) => {
    const { folders, missing } = whereabouts(agent);
    skip(missing !== undefined, missing);
    const ended = await takeTurn(() => runCase(agent, folders));
    rows.push({ agent, ended });
    const { story, isVerified, isRight, status } = ended;
    onTestFailed(() => console.error(story));
    expect({ isVerified, isRight, status }).toEqual({ isVerified: true, isRight: true, status: 'completed' });
  });
});

function titled(agents: readonly Agent[]): (readonly [string, Agent])[] {
  return agents.map((agent) => [`${agent.name} [${agent.project}]`, agent]);
}

function whereabouts({ project, isLinuxOnly }: Agent): (typeof toolchains)[ProjectName] {
  if (isLinuxOnly && process.platform !== 'linux') return { folders: [], missing: 'it is made for Linux' };
  return toolchains[project];
}

function isFooled(agent: Agent, ended: Ended): boolean {
  if (agent.raisesLimit && ended.isLimitRaised) return true;
  return ended.isVerified && !(agent.breaksLater && ended.isRight);
}

/** So many lanes; in each, one case after the other. */
function takeTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const lanes: Promise<unknown>[] = Array.from({ length: most }, () => Promise.resolve());
  return (work) => {
    const done = (lanes.shift() ?? Promise.resolve()).then(work);
    lanes.push(done.catch(() => undefined));
    return done;
  };
}
