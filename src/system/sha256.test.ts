import { createHash as builtIn } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHash, randomBytes } from './sha256.ts';

type Data = string | Uint8Array;

function ours(...data: readonly Data[]): string {
  return data.reduce((hash, piece) => hash.update(piece), createHash('sha256', Infinity)).digest('hex');
}

function theirs(...data: readonly Data[]): string {
  return data.reduce((hash, piece) => hash.update(piece), builtIn('sha256')).digest('hex');
}

describe('the hash of the hook', () => {
  it('is SHA-256, for any bytes and any text', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => ours(bytes) === theirs(bytes)));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => ours(text) === theirs(text)));
    fc.assert(fc.property(fc.array(fc.uint8Array()), (pieces) => ours(...pieces) === theirs(...pieces)));
  });

  it('is so at every length around the end of a block', () => {
    for (const length of [...Array(200).keys(), 65_536, 1_000_001]) {
      const bytes = Buffer.alloc(length, 'tireless ');
      expect(ours(bytes), `${length} bytes`).toBe(theirs(bytes));
    }
  });

  it('is so for a part of a larger piece of memory', () => {
    const bytes = Buffer.from('0123456789').subarray(3, 7);
    expect(ours(bytes)).toBe(theirs('3456'));
  });

  it('is the same when there is so much that the real module is used', () => {
    expect(createHash('sha256', 0).update('abc').digest('hex')).toBe(theirs('abc'));
  });
});

describe('the names of the hook', () => {
  it('are bytes that do not come twice', () => {
    const names = new Set(Array.from({ length: 1000 }, () => Buffer.from(randomBytes(20)).toString('hex')));
    expect(names.size).toBe(1000);
    expect(randomBytes(7)).toHaveLength(7);
  });
});
