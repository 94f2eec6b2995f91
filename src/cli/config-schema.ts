import * as z from 'zod/mini';
import { Fault } from '../core/fault.ts';

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
  };
};

/** `.tireless/config.json`. Strict: a key this version does not know may be the check somebody relies on. */
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

const limits = z.strictObject({
  maxIterations: count,
  maxDuration: z.optional(z.string()),
  maxCost: count,
  maxTokens: count,
  maxFaults: count,
  maxNoProgress: count,
});

const config = z.strictObject({
  version: z.literal(1),
  checks: z._default(z.array(check), []),
  protect: z._default(z.array(z.string()), []),
  limits: z._default(limits, {}),
});

export function decodeConfig(content: string, file: string): ConfigFile {
  const result = config.safeParse(parseJson(content, file));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join('.');
  throw new Fault(
    'CONFIG_INVALID',
    `Cannot use ${file}: ${where} ${wrongWith(issue)}. Correct it, or go on without it: --no-repository-checks.`,
  );
}

/** zod/mini carries no sentences. */
function wrongWith(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `has a key this version does not know: ${issue.keys.join(', ')}`;
  if (issue?.code === 'invalid_type') return `must be a value of type ${issue.expected}`;
  if (issue?.code === 'invalid_value')
    return `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`;
  if (issue?.code === 'invalid_union' && issue.path[0] === 'limits') return 'must be a number or "unlimited"';
  if (issue?.code === 'invalid_union')
    return 'must be a check: a name, and one of command, exists, matches, json, gitClean';
  return 'is not as it must be';
}

function parseJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Fault(
      'CONFIG_INVALID',
      `Cannot read ${file}: ${error instanceof Error ? error.message : 'it is no JSON'}. Correct it, or go on without it: --no-repository-checks.`,
      { cause: error },
    );
  }
}
