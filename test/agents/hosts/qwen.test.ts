import { expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { hostSuite, loopWorld } from '../support/host-suite.ts';
import { toolSuite } from '../support/tool-suite.ts';

hostSuite('qwen', { saysOnScreenOnly: true });
toolSuite('qwen', { saysOnScreenOnly: true });

const [entry] = hostsToTry(['qwen']);

it.skipIf(entry?.absent !== null)(
  `hands the loop of ${entry?.title ?? ''} over before a cap that the user set, also when tools are used in between`,
  async () => {
    const world = await loopWorld('qwen', ({ turn }) =>
      turn % 2 === 1 ? { shell: `echo ${turn}` } : { text: `part ${turn} ${'word '.repeat(turn)}` },
    );
    const result = await world.type('/ralph "never done" --max-no-progress unlimited', {
      environment: { QWEN_CODE_STOP_HOOK_BLOCK_CAP: '4' },
    });
    expect(world.onlyLoop()).toMatchObject({ status: 'paused', pause: { cause: 'handed-over' }, counted: 4 });
    expect(result.requests).toHaveLength(8);
  },
);
