/** The points where a crash matters. The file store calls an injected function at each; tests kill the process there. */
export type CrashPoint =
  | 'after-create-dir'
  | 'before-blob'
  | 'after-blob'
  | 'before-append'
  | 'after-partial-append'
  | 'after-append'
  | 'after-sync'
  | 'before-snapshot'
  | 'after-snapshot';
