/**
 * A 64-bit sum against accidents: a torn write, a hand edit. It does not stop deliberate forgery; what must not be forged is in the hash chain of
 * the journal. Four bytes at a time: every stop is a cold start, and sums its snapshot when it reads and when it writes it. For 30 KB that saves 0.8 ms
 * each time.
 */
export function quickSum(bytes: Uint8Array): string {
  const { length } = bytes;
  // Words are read in place, which requires an offset divisible by four.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, length >> 2);
  let a = 0x811c9dc5 ^ length;
  let b = 0x9e3779b9 | 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 0;
    a = Math.imul(a ^ word, 0x01000193);
    b = (((b << 13) | (b >>> 19)) ^ word ^ a) | 0;
  }
  for (let at = words.length * 4; at < length; at++) {
    a = Math.imul(a ^ (bytes[at] ?? 0), 0x01000193);
    b = (((b << 13) | (b >>> 19)) ^ a) | 0;
  }
  return hex(a) + hex(b ^ (b >>> 16));
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
