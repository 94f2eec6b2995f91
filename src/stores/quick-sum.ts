/**
 * A sum of 64 bits against accidents: a torn write, a hand edit. Who wants to deceive can; what must not be forged is in the chain of the
 * journal. Four bytes at a time, because every stop of an agent is a cold start and pays for each step.
 */
export function quickSum(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 4);
  let a = 0x811c9dc5 ^ bytes.length;
  let b = 0x9e3779b9;
  for (let at = 0; at < whole; at += 4) {
    const word = view.getInt32(at);
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul((b << 13) | (b >>> 19), 5) + (word ^ a);
  }
  for (let at = whole; at < bytes.length; at++) {
    a = Math.imul(a ^ view.getUint8(at), 0x01000193);
    b = Math.imul((b << 13) | (b >>> 19), 5) + a;
  }
  return hex(a) + hex(b ^ (b >>> 16));
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
