import { parseJson } from '../core/parse-json.ts';
import path from 'node:path';
import { z } from 'zod';
import { Fault } from '../core/fault.ts';
import { isAttestedWork, compareWithJournal } from '../engine/attested-work.ts';
import { readTextIfExists } from '../system/files.ts';
import { realDirectory } from '../system/project.ts';
import type { Comparison } from '../views/attestation-check.ts';
import { PREDICATE_TYPE, STATEMENT_TYPE } from '../views/attestation.ts';
import type { World } from './services.ts';

const BYTES_MAX = 4 * 1024 * 1024;

const HASH = z.string().regex(/^[0-9a-f]{40,64}$/);
const ATTESTATION = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.tuple([z.object({ digest: z.union([z.object({ gitCommit: HASH }), z.object({ sha256: HASH })]) })]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.object({
    result: z.enum(['PASSED', 'WARNED', 'FAILED']),
    tireless: z.object({
      loop: z.string(),
      level: z.enum(['room', 'tree', 'approval']).nullable(),
      work: HASH,
      journal: z.object({ head: z.string() }),
    }),
  }),
});

/** Does this checkout match the attestation? Throws `USAGE` if the file is not an attestation of ours. */
export async function checkAttestation(world: World, given: string): Promise<Comparison> {
  const file = path.resolve(realDirectory(world.cwd) ?? world.cwd, given);
  const { subject, predicate } = readAttestation(file, given);
  const { loop, level, work, journal } = predicate.tireless;
  const checkout = await (await world.services.rooms()).readCheckout(world.cwd, file);
  const [{ digest }] = subject;
  return {
    file: given,
    result: predicate.result,
    level,
    loop,
    subject: digest,
    commit: checkout?.commit ?? null,
    work: checkout?.work ?? null,
    isSame: isAttestedWork({ digest, work }, checkout),
    journal: compareWithJournal(await world.services.store(), loop, journal.head),
  };
}

function readAttestation(file: string, given: string): z.infer<typeof ATTESTATION> {
  const text = readTextIfExists(file);
  if (text === undefined)
    throw new Fault('USAGE', `There is no file ${given}. Give --attestation a file of "tireless report --attest".`);
  const parsed = text.length > BYTES_MAX ? null : ATTESTATION.safeParse(parseJson(text));
  if (parsed?.success === true) return parsed.data;
  throw new Fault(
    'USAGE',
    `${given} is not an attestation of tireless (an in-toto statement about test results). Make one with "tireless report LOOP --attest FILE".`,
  );
}
