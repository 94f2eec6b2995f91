import type { Store } from './ports.ts';

/** What an attestation covers. */
type Attested = {
  readonly digest: { readonly gitCommit: string } | { readonly sha256: string };
  /** The hash of the files. */
  readonly work: string;
};

/** A commit alone does not show whether files have changed since it was checked out. `null` = there is no checkout. */
export function isAttestedWork(
  { digest, work }: Attested,
  checkout: { readonly commit: string | null; readonly work: string } | null,
): boolean {
  if (checkout === null || checkout.work !== work) return false;
  return 'gitCommit' in digest ? checkout.commit === digest.gitCommit : digest.sha256 === work;
}

/** The journal exists only on the loop's own machine. If it is here, it must contain the entry that the attestation names. */
export function compareWithJournal(
  store: Pick<Store, 'load' | 'entries'>,
  loop: string,
  head: string,
): 'contains' | 'differs' | 'not-here' {
  const loaded = LOOP_ID.test(loop) ? store.load(loop) : undefined;
  if (loaded === undefined) return 'not-here';
  return loaded.head.hash === head || store.entries(loop).some((entry) => entry.prev === head) ? 'contains' : 'differs';
}

/** The name comes from a file, and becomes part of a path. */
const LOOP_ID = /^[a-z0-9-]{1,64}$/u;
