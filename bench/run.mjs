// @ts-check
import { benchCommit } from './commit.mjs';
import { benchCore } from './core.mjs';
import { benchOverhead } from './overhead.mjs';
import { benchStartup } from './startup.mjs';

await benchCore();
await benchCommit();
await benchStartup();
await benchOverhead();
