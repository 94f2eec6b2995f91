/**
 * SHA-256 and random names with the interface of `node:crypto`. In the hook's own bundle it replaces that module, because loading it takes
 * 9.5 ms of a stop; everywhere else the real one is used. Not for secrets.
 */

/** Cold code hashes slowly: beyond this, loading the real module pays off. */
const BYTES_MAX = 16 * 1024;
const BLOCK_BYTES = 64;

type Hash = { readonly update: (data: string | Uint8Array) => Hash; readonly digest: (encoding: 'hex') => string };

/** `sha256` is the only algorithm. `bytesMax`: the limit for all bytes hashed by hand so far; tests use other values. */
export function createHash(algorithm: 'sha256', bytesMax: number = BYTES_MAX): Hash {
  const pieces: Uint8Array[] = [];
  const hash: Hash = {
    update: (data) => {
      pieces.push(typeof data === 'string' ? Buffer.from(data) : data);
      return hash;
    },
    digest: () => {
      const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
      hashed += bytes.length;
      return (hashed > bytesMax ? builtIn(algorithm, bytes) : undefined) ?? sha256Of(bytes);
    },
  };
  return hash;
}

let hashed = 0;

/** Unique, but not unpredictable: for names of writers and of temporary files. */
export function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = Math.random() * 256;
  return bytes;
}

/** `undefined` = this Node is too old to load a built-in module from a file that may be either kind of module. */
function builtIn(algorithm: string, bytes: Uint8Array): string | undefined {
  const crypto = typeof process.getBuiltinModule === 'function' ? process.getBuiltinModule('node:crypto') : undefined;
  return crypto?.createHash(algorithm).update(bytes).digest('hex');
}

function sha256Of(bytes: Uint8Array): string {
  const state = FIRST_STATE.slice();
  const words: number[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % BLOCK_BYTES);
  for (let at = 0; at < whole; at += BLOCK_BYTES) mix(state, words, view, at);
  // A single one bit, then zeros up to the length in bits, which ends the last block.
  const left = bytes.length - whole;
  const tail = new Uint8Array(left < BLOCK_BYTES - 8 ? BLOCK_BYTES : 2 * BLOCK_BYTES);
  // Not `subarray`: for a Buffer, Node has its own implementation of that.
  tail.set(new Uint8Array(bytes.buffer, bytes.byteOffset + whole, left));
  tail[left] = 0x80;
  const end = new DataView(tail.buffer);
  end.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  end.setUint32(tail.length - 4, (bytes.length * 8) >>> 0);
  for (let at = 0; at < tail.length; at += BLOCK_BYTES) mix(state, words, end, at);
  let hex = '';
  for (const word of state) hex += (word >>> 0).toString(16).padStart(8, '0');
  return hex;
}

/**
 * One block. Written for the interpreter: nothing in it is called often enough to be compiled. `| 0` wherever a sum may exceed 32 bits, because
 * a number that is not a small integer is an object there; plain arrays, because typed arrays are slower to access.
 */
function mix(state: number[], words: number[], view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (((words[i - 16]! + s0) | 0) + ((words[i - 7]! + s1) | 0)) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (((h + s1) | 0) + ((((g ^ (e & (f ^ g))) + CONSTANTS[i]!) | 0) + words[i]!)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0]! + a) | 0;
  state[1] = (state[1]! + b) | 0;
  state[2] = (state[2]! + c) | 0;
  state[3] = (state[3]! + d) | 0;
  state[4] = (state[4]! + e) | 0;
  state[5] = (state[5]! + f) | 0;
  state[6] = (state[6]! + g) | 0;
  state[7] = (state[7]! + h) | 0;
}

/** The first 32 fractional bits of the square and cube roots of the first primes, as in the standard; signed, see `mix`. */
const FIRST_STATE = [0x6a09e667, -0x4498517b, 0x3c6ef372, -0x5ab00ac6, 0x510e527f, -0x64fa9774, 0x1f83d9ab, 0x5be0cd19];
const CONSTANTS = [
  0x428a2f98, 0x71374491, -0x4a3f0431, -0x164a245b, 0x3956c25b, 0x59f111f1, -0x6dc07d5c, -0x54e3a12b, -0x27f85568,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, -0x7f214e02, -0x6423f959, -0x3e640e8c, -0x1b64963f, -0x1041b87a,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, -0x67c1aeae, -0x57ce3993, -0x4ffcd838,
  -0x40a68039, -0x391ff40d, -0x2a586eb9, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, -0x7e3d36d2, -0x6d8dd37b, -0x5d40175f, -0x57e599b5, -0x3db47490, -0x3893ae5d, -0x2e6d17e7,
  -0x2966f9dc, -0x0bf1ca7b, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, -0x7b3787ec, -0x7338fdf8, -0x6f410006, -0x5baf9315, -0x41065c09,
  -0x398e870e,
];
