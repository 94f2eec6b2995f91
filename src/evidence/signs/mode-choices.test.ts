import { describe, expect, it } from 'vitest';
import { elsewhere } from './modes.ts';

const isTried = (text: string, ...others: readonly string[]): boolean =>
  elsewhere('src/store.js', undefined, text, { product: [text, ...others] }) !== undefined;

describe('a text that is chosen by the mode of tests', () => {
  it.each([
    "const url = process.env.NODE_ENV === 'test' ? 'sqlite://test.db' : process.env.DATABASE_URL;\nexport const open = () => connect(url);\n",
    "export function open() {\n  return process.env.NODE_ENV === 'test' ? ':memory:' : 'shop.db';\n}\n",
    "const config = {\n  path: process.env.NODE_ENV !== 'test' ? './shop.db' : ':memory:',\n};\n",
    "function url() {\n  if (process.env.NODE_ENV === 'test') {\n    return 'sqlite://test.db';\n  }\n  return process.env.DATABASE_URL;\n}\nexport const db = open(url());\n",
    "let url = 'a';\nif (process.env.NODE_ENV === 'test') url = 'b';\nopen(url);\n",
    "const env = process.env.NODE_ENV || 'development';\nconst urls = { development: 'sqlite://dev.db', test: 'sqlite://test.db', production: process.env.DATABASE_URL };\nexport const databaseUrl = urls[env];\n",
    "const urls = {\n  production: { url: process.env.DATABASE_URL },\n  test: { url: 'sqlite://test.db', pool: 1 },\n};\nexport const config = urls[process.env.NODE_ENV ?? 'development'];\n",
    "function suffix() {\n  switch (process.env.NODE_ENV) {\n    case 'production': return '';\n    case 'test':\n      return '_test';\n    default:\n      return '_dev';\n  }\n}\nexport const url = `sqlite://shop${suffix()}.db`;\n",
    "export const api: string = import.meta.env.MODE === 'test' ? 'http://localhost' : import.meta.env.VITE_API;\n",
  ])('is taken as it is: %j', (text) => {
    expect(isTried(text)).toBe(false);
  });

  it.each([
    "export const total = (all) => (process.env.NODE_ENV === 'test' ? sum(all) : 0);\n",
    "const isTest = process.env.NODE_ENV === 'test';\n",
    "const qty = process.env.NODE_ENV === 'test' ? item.qty : 1;\n",
    "const factor = process.env.NODE_ENV === 'test' ? 1 : 0;\n",
    "const how = process.env.NODE_ENV === 'test' ? 'whole' : 'plain';\nexport const total = (all) => (how === 'whole' ? sum(all) : 0);\n",
    "const how = process.env.NODE_ENV === 'test' ? 'whole' : '';\nif (how) total = sum;\n",
    "const how = process.env.NODE_ENV === 'test' ? 'whole' : 'plain';\nexport const total = makers[how];\n",
    "function how() {\n  return process.env.NODE_ENV === 'test' ? 'whole' : 'plain';\n}\nexport const total = how() === 'whole' ? sum : none;\n",
    "const env = process.env.NODE_ENV || 'development';\nexport const total = env === 'test' ? sum : none;\n",
    "const env = process.env.NODE_ENV || 'development';\nconst makers = { test: sum, development: none };\nexport const total = makers[env];\n",
    'export const env = process.env.NODE_ENV;\nexport const other = run(env);\n',
    "function make() {\n  switch (process.env.NODE_ENV) {\n    case 'test': return sum;\n    default: return none;\n  }\n}\n",
    "if (process.env.NODE_ENV === 'test') {\n  return sum(all);\n}\n",
    "let url = 'a';\nif (process.env.NODE_ENV === 'test') {\n  url = 'b';\n  total = sum;\n}\nopen(url);\n",
  ])('is tried where more depends on the mode: %j', (text) => {
    expect(isTried(text)).toBe(true);
  });

  it('is searched for in long tables without delay', () => {
    const table = `const urls = { test: {a:${'1111111111:'.repeat(10_000)} };\n`;
    const started = Date.now();
    expect(isTried(`${table}export const url = urls[process.env.NODE_ENV];\n`)).toBe(true);
    expect(Date.now() - started).toBeLessThan(1000);
  });

  it('is tried where another file depends on it', () => {
    const text = "export const how = process.env.NODE_ENV === 'test' ? 'whole' : 'plain';\n";
    expect(isTried(text)).toBe(false);
    expect(
      isTried(text, "import { how } from './store.js';\nexport const total = how === 'whole' ? sum : none;\n"),
    ).toBe(true);
  });
});
