/** Every page but the README, which is an everyday test: what it says about its commands is the truth. */
import { describe, expect, it } from 'vitest';
import { pages } from './pages.ts';
import { differences, runnable } from './run-page.ts';

const PAGE_MS_MAX = 240_000;

describe('documentation', () => {
  const rest = pages().filter((page) => page.name !== 'README.md' && runnable(page).length > 0);

  it('sees the pages it runs', () => {
    expect(rest.length).toBeGreaterThan(10);
  });

  it.concurrent.for(rest)(
    'says the truth in the commands of $name',
    { timeout: PAGE_MS_MAX },
    async (page, { expect: expectHere }) => {
      expectHere(await differences(page)).toEqual([]);
    },
  );
});
