/**
 * Who computed an answer. The hook that begins a job makes a pair of keys: the secret goes to the process of the job through its stdin and nowhere
 * else, and the voucher stays with the hook, and in the journal when the hook has to leave first. A file that anybody can write is believed only
 * with a signature that the voucher confirms.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

export type Seal = { readonly secret: string; readonly voucher: string };

export function newSeal(): Seal {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    secret: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    voucher: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

export function signWith(secret: string, text: string): string {
  const key = createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' });
  return sign(null, Buffer.from(text), key).toString('base64');
}

/** Never throws: what is no key or no signature confirms nothing. */
export function isSigned(voucher: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(voucher, 'base64'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
