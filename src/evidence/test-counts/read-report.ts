import { withoutByteOrderMark } from '../../core/parse-json.ts';
import type { TestCounts } from '../../core/evidence.ts';
import { parseObject } from './parse-object.ts';
import { countTap } from './tap.ts';
import type { Tag } from './xml-tags.ts';
import { tagsOf } from './xml-tags.ts';

/** How many tests ran, according to the report file of a runner: JUnit XML, JSON of jest, vitest or mocha, or TAP. */
export function countReport(text: string): TestCounts | undefined {
  const report = withoutByteOrderMark(text).trim();
  if (report.startsWith('<')) return countJunit(report);
  if (report.startsWith('{')) return countJson(report);
  return countTap(report.replaceAll('\r\n', '\n'));
}

type Case = { failed: boolean; skipped: boolean };

/** Counts the cases: suites are nested, not every runner adds them up, and some write no numbers. Without cases the numbers are used. */
function countJunit(xml: string): TestCounts | undefined {
  const tags = tagsOf(xml);
  const isReport = tags?.some(isSuite) === true;
  if (tags === undefined || !isReport) return undefined;
  const cases = casesIn(tags);
  return cases.length > 0 ? countCases(cases) : sumOf(outermostNumbers(tags));
}

function isSuite({ name }: Tag): boolean {
  return name === 'testsuite' || name === 'testsuites';
}

function casesIn(tags: readonly Tag[]): readonly Case[] {
  const cases: Case[] = [];
  let open: Case | undefined;
  for (const { name, kind, attributes } of tags) {
    if (name === 'testcase') {
      open = kind === 'close' ? undefined : { failed: false, skipped: isNotRun(attributes) };
      if (open !== undefined) cases.push(open);
      if (kind === 'empty') open = undefined;
    }
    if (open === undefined || kind === 'close') continue;
    if (name === 'failure' || name === 'error') open.failed = true;
    if (name === 'skipped') open.skipped = true;
  }
  return cases;
}

/** If a `testsuites` has no numbers, the suites inside it are used. */
function outermostNumbers(tags: readonly Tag[]): readonly TestCounts[] {
  const found: TestCounts[] = [];
  let depth = 0;
  for (const { kind, attributes } of tags.filter(isSuite)) {
    const numbers = kind === 'close' || depth > 0 ? undefined : suiteNumbers(attributes);
    if (numbers !== undefined) found.push(numbers);
    if (kind !== 'empty' && (numbers !== undefined || depth > 0)) depth += kind === 'close' ? -1 : 1;
  }
  return found;
}

function countCases(cases: readonly Case[]): TestCounts {
  const skipped = cases.filter((one) => one.skipped && !one.failed).length;
  return { ran: cases.length - skipped, failed: cases.filter(({ failed }) => failed).length, skipped };
}

function isNotRun(attributes: string): boolean {
  return /\sstatus=["'](?:notrun|disabled|skipped)["']/.test(attributes);
}

function suiteNumbers(attributes: string): TestCounts | undefined {
  const numberOf = (name: string): number => Number(new RegExp(`\\s${name}=["'](\\d+)["']`).exec(attributes)?.[1] ?? 0);
  if (!/\stests=["']\d+["']/.test(attributes)) return undefined;
  const skipped = numberOf('skipped') + numberOf('disabled');
  return { ran: Math.max(0, numberOf('tests') - skipped), failed: numberOf('failures') + numberOf('errors'), skipped };
}

function sumOf(all: readonly TestCounts[]): TestCounts | undefined {
  if (all.length === 0) return undefined;
  const add = (of: keyof TestCounts): number => all.reduce((sum, counts) => sum + counts[of], 0);
  return { ran: add('ran'), failed: add('failed'), skipped: add('skipped') };
}

/** jest and vitest list every test; mocha has numbers. */
function countJson(text: string): TestCounts | undefined {
  const report = parseObject(text);
  const files = listAt(report, 'testResults');
  if (files !== undefined) return countStatuses(files.flatMap((file) => listAt(file, 'assertionResults') ?? []));
  const stats = fieldOf(report, 'stats');
  const [passed, failed, skipped] = ['passes', 'failures', 'pending'].map((name) => numberAt(stats, name));
  if (passed === undefined || failed === undefined || skipped === undefined) return undefined;
  return { ran: passed + failed, failed, skipped };
}

function countStatuses(tests: readonly unknown[]): TestCounts {
  const statuses = tests.map((test) => fieldOf(test, 'status'));
  const failed = statuses.filter((status) => status === 'failed').length;
  const ran = failed + statuses.filter((status) => status === 'passed').length;
  return { ran, failed, skipped: statuses.length - ran };
}

function listAt(value: unknown, key: string): readonly unknown[] | undefined {
  const found = fieldOf(value, key);
  return Array.isArray(found) ? found : undefined;
}

function numberAt(value: unknown, key: string): number | undefined {
  const found = fieldOf(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
