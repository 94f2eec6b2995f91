import { expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { hostSuite, loopWorld } from '../support/host-suite.ts';
import { toolSuite } from '../support/tool-suite.ts';

hostSuite('gemini');
toolSuite('gemini');

const [entry] = hostsToTry(['gemini']);

it.skipIf(entry?.absent !== null)(
  `does not spin when ${entry?.title ?? ''} reports stops without asking its model, as it does once it has seen a loop`,
  async () => {
    const world = await loopWorld('gemini', () => ({ text: 'The shed is not painted yet. '.repeat(8) }));
    const result = await world.type('/ralph "never done" --max-iterations unlimited --max-no-progress unlimited');
    // The answers in which it saw the loop were broken off: that iteration is still open. Silence ended the turn, and the loop is kept.
    expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: result.requests.length - 2 });
  },
);
