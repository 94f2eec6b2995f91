/** docs/hosts/ is made from the code: `UPDATE_DOCS=1 npx vitest run --project everyday test/docs/host-pages.test.ts` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { HOST_IDS } from '../../src/hosts/ids.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import { hostPage } from '../support/host-page.ts';

it.each(HOST_IDS)('the page of %s says what its code says', (id) => {
  const file = path.resolve(import.meta.dirname, '../../docs/hosts', `${id}.md`);
  const page = hostPage(id, HOSTS[id].capabilities, HOSTS[id].launch);
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});
