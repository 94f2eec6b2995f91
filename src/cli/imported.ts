import path from 'node:path';
import { NATIVE_CLAIM } from '../core/claim.ts';
import { Fault } from '../core/fault.ts';
import type { FinishRule } from '../core/finish-rule.ts';
import { documentLimits } from '../core/foreign-file.ts';
import type { CheckSpec, Criterion, Limits, Spec, Timing } from '../core/loop.ts';
import type { ClaimRule } from '../core/claim.ts';
import { DIALECT_NAMES, PRD } from '../dialects/names.ts';
import { dialectOfPath } from '../dialects/registry.ts';
import { oneLine } from '../views/printable.ts';
import { dialectNamed } from './dialect-name.ts';
import type { World } from './services.ts';

/** What a foreign state file asks for, as far as a native loop can keep it. */
export type Imported = {
  readonly dialect: string;
  readonly active: boolean;
  readonly goal: string;
  readonly claim: ClaimRule;
  readonly finish: FinishRule | null;
  readonly checks: readonly CheckSpec[];
  readonly criteria: readonly Criterion[];
  readonly criteriaMet: readonly string[];
  readonly counted: number;
  /** Only those the file knows. */
  readonly limits: Partial<Limits>;
  readonly timing: Partial<Timing>;
};

/** Whose file it is, by what was typed, then by its name, then by who alone can read it. Throws a Fault. */
export async function readImported(
  given: { readonly file: string; readonly text: string; readonly dialect: string | undefined },
  world: World,
): Promise<Imported> {
  const { file, text } = given;
  const named = given.dialect ?? dialectOfPath(path.resolve(world.cwd, file));
  if (named !== undefined) {
    const found = await readAs(named, text, world);
    if (typeof found !== 'string') return found;
    throw new Fault(
      'STATE_FILE_INVALID',
      `Cannot import ${file} as ${named}: ${oneLine(found, 300)}. Correct the file, or name another dialect with --dialect.`,
    );
  }
  const tried = await Promise.all([...DIALECT_NAMES, PRD].map((name) => readAs(name, text, world)));
  const found = tried.filter((each) => typeof each !== 'string');
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new Fault(
    'STATE_FILE_INVALID',
    `Cannot tell whose file ${file} is${found.length > 1 ? `: it could be ${found.map((each) => each.dialect).join(' or ')}` : ''}. Name its dialect: --dialect ${[...DIALECT_NAMES, PRD].join('|')}.`,
  );
}

/** A text answer says why it cannot be read. */
async function readAs(given: string, text: string, world: World): Promise<Imported | string> {
  const name = dialectNamed(given, [PRD]);
  if (name === PRD) return readAsPrd(text);
  const dialect = await world.services.dialect(name);
  const reading = dialect.read(text);
  if (reading.kind === 'invalid') return reading.why;
  const canFinish = reading.claim.texts.length > 0 || (reading.checks ?? []).length > 0;
  return {
    dialect: name,
    active: reading.active,
    // A file that is itself the agent's notes says what to do in its body.
    goal: (reading.claimedIn ?? reading.goal).trim(),
    claim: reading.claim.texts.length > 0 ? reading.claim : NATIVE_CLAIM,
    finish: canFinish ? (reading.finish ?? null) : null,
    checks: reading.checks ?? [],
    criteria: reading.criteria,
    criteriaMet: reading.criteriaMet ?? [],
    counted: reading.counted,
    limits: documentLimits(reading),
    timing: reading.timing ?? {},
  };
}

async function readAsPrd(text: string): Promise<Imported | string> {
  const { PRD_CLAIM, readPrd } = await import('../dialects/prd.ts');
  const found = readPrd(text);
  if (found.kind === 'invalid') return found.why;
  return {
    dialect: PRD,
    active: true,
    goal: found.goal,
    claim: PRD_CLAIM,
    finish: null,
    checks: [],
    criteria: found.criteria,
    criteriaMet: found.criteriaMet,
    counted: 0,
    limits: {},
    timing: {},
  };
}

/** What the user typed, as far as it may differ from the defaults: it wins over the file. */
export type Typed = { readonly limits: Partial<Limits>; readonly timing: Partial<Timing> };

/** The spec with what the file says; what was typed wins, and a typed check holds whatever completes the document's loop. */
export function specWith(imported: Imported, spec: Spec, typed: Typed): Spec {
  const { claim, checks, criteria, finish, limits, timing } = imported;
  const own = spec.checks.map((check): FinishRule => ({ kind: 'check', name: check.name }));
  return {
    ...spec,
    claim,
    claimRequired: true,
    checks: [...checks, ...spec.checks],
    criteria,
    limits: { ...spec.limits, ...limits, ...typed.limits },
    timing: { ...spec.timing, ...timing, ...typed.timing },
    ...(finish === null ? {} : { finish: own.length === 0 ? finish : { kind: 'all', of: [finish, ...own] } }),
  };
}
