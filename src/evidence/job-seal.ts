/**
 * Proves who computed an answer. The hook that starts a job makes a key pair: the secret goes only to the process of the job, through its
 * stdin; the voucher stays with the hook, and goes into the journal if the hook ends first. A file that anyone can write is trusted only
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

/** Never throws: an invalid key or signature confirms nothing. */
export function isSigned(voucher: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(voucher, 'base64'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
