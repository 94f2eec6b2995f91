import { withoutByteOrderMark } from '../core/parse-json.ts';
import * as z from 'zod/mini';
import { Fault } from '../core/fault.ts';
import { didYouMean } from '../views/nearest-word.ts';
import { lineAt, lineOf } from './config-lines.ts';

type Named = {
  readonly name: string;
  readonly timeout?: string | undefined;
  readonly holdout?: boolean | undefined;
};

export type ConfigCheck = Named &
  (
    | { readonly command: string; readonly report?: string | readonly string[] | undefined }
    | { readonly exists: string }
    | { readonly matches: { readonly path: string; readonly regex: string } }
    | { readonly json: { readonly path: string; readonly pointer: string; readonly equals?: unknown } }
    | { readonly gitClean: true }
  );

type Count = number | 'unlimited' | undefined;

export type ConfigFile = {
  readonly checks: readonly ConfigCheck[];
  readonly protect: readonly string[];
  readonly limits: {
    readonly maxIterations?: Count;
    readonly maxDuration?: string | undefined;
    readonly maxCost?: Count;
    readonly maxTokens?: Count;
    readonly maxFaults?: Count;
    readonly maxNoProgress?: Count;
    readonly iterationTimeout?: string | undefined;
    readonly idleTimeout?: string | undefined;
    readonly pauseBetween?: string | undefined;
  };
  readonly agent?: string | undefined;
  readonly agentCommand?: string | undefined;
  readonly agentArgs?: string | readonly string[] | undefined;
  readonly finish: {
    readonly claim?: string | readonly string[] | undefined;
    readonly approve?: boolean | undefined;
    readonly requireVerified?: boolean | undefined;
  };
};

/** A file, and advice for a user who cannot correct it now. */
export type ConfigSource = { readonly file: string; readonly content: string; readonly otherwise: string };

/** `config.json`. Strict: a key that this version does not know may be a check that somebody relies on. */
const common = {
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  timeout: z.optional(z.string()),
  holdout: z.optional(z.boolean()),
};

const check = z.union([
  z.strictObject({
    ...common,
    command: z.string().check(z.minLength(1)),
    report: z.optional(z.union([z.string(), z.array(z.string())])),
  }),
  z.strictObject({ ...common, exists: z.string() }),
  z.strictObject({ ...common, matches: z.strictObject({ path: z.string(), regex: z.string() }) }),
  z.strictObject({ ...common, json: z.strictObject({ path: z.string(), pointer: z.string(), equals: z.unknown() }) }),
  z.strictObject({ ...common, gitClean: z.literal(true) }),
]);

const count = z.optional(z.union([z.number(), z.literal('unlimited')]));
const texts = z.optional(z.union([z.string(), z.array(z.string())]));

const limits = z.strictObject({
  maxIterations: count,
  maxDuration: z.optional(z.string()),
  maxCost: count,
  maxTokens: count,
  maxFaults: count,
  maxNoProgress: count,
  iterationTimeout: z.optional(z.string()),
  idleTimeout: z.optional(z.string()),
  pauseBetween: z.optional(z.string()),
});

const finish = z.strictObject({
  claim: texts,
  approve: z.optional(z.boolean()),
  requireVerified: z.optional(z.boolean()),
});

const config = z.strictObject({
  version: z.literal(1),
  checks: z._default(z.array(check), []),
  protect: z._default(z.array(z.string()), []),
  limits: z._default(limits, {}),
  agent: z.optional(z.string()),
  agentCommand: z.optional(z.string()),
  agentArgs: texts,
  finish: z._default(finish, {}),
});

const KEYS: readonly string[] = [config, limits, finish].flatMap((each) => Object.keys(each.shape));

export async function decodeConfig(source: ConfigSource): Promise<ConfigFile> {
  const result = config.safeParse(await parseJson(source));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  throw invalid(source, [...(issue?.path ?? []), ...keys], issueText(issue));
}

/** Names the file, the line and the key. */
export function invalid(source: ConfigSource, path: readonly PropertyKey[], wrong: string): Fault {
  const { file, content, otherwise } = source;
  const key = path.length === 0 ? 'the file' : path.map(String).join('.');
  return new Fault(
    'CONFIG_INVALID',
    `Cannot use ${file}, line ${lineOf(content, path)}: ${key} ${wrong}${wrong.endsWith('?') ? '' : '.'} ${otherwise}`,
  );
}

const TYPE_WORDS: Readonly<Partial<Record<string, string>>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** zod/mini comes without error messages. */
function issueText(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `is not a key that this version knows.${didYouMean(issue.keys[0] ?? '', KEYS)}`.replace(/\.$/u, '');
  if (issue?.code === 'invalid_type') return `must be ${TYPE_WORDS[issue.expected] ?? `a ${issue.expected}`}`;
  if (issue?.code === 'invalid_value')
    return `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`;
  if (issue?.code === 'invalid_union' && issue.path[0] === 'limits') return 'must be a number or "unlimited"';
  if (issue?.code === 'invalid_union' && issue.path[0] === 'checks')
    return 'must be a check: a name, and one of command, exists, matches, json, gitClean';
  if (issue?.code === 'invalid_union') return 'must be a string or a list of strings';
  return 'has a value that cannot be used';
}

async function parseJson({ file, content, otherwise }: ConfigSource): Promise<unknown> {
  try {
    return JSON.parse(withoutByteOrderMark(content));
  } catch (error) {
    const { firstJsonError } = await import('../setup/settings/json-error.ts');
    const { offset, why } = firstJsonError(content);
    const where = `${file}, line ${lineAt(content, offset)}`;
    throw new Fault('CONFIG_INVALID', `Cannot read ${where}: ${why}. ${otherwise}`, { cause: error });
  }
}
