/** One hook of `hooks.json` as Codex (0.166) fingerprints it: the definition, not the program it starts. */
type CodexHook = {
  /** As in `hooks.json`: `Stop`, `PreToolUse`. */
  readonly event: string;
  readonly matcher?: string;
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
  readonly async?: boolean;
  readonly statusMessage?: string;
};

/** `sha256:…` of the canonical JSON: keys sorted, no spaces. Codex runs a hook only if the stored hash is the same. */
export function trustedHash(hook: CodexHook, sha256: (text: string) => string): string {
  return `sha256:${sha256(canonicalText(hook))}`;
}

/** Where the hash is kept, below `hooks.state` in `config.toml`. Both numbers count from 0. On Windows, Codex uses only backslashes. */
export function trustKey(file: string, event: string, group: number, handler: number): string {
  const native = /^(?:[a-z]:|\\)\\/iu.test(file) ? file.replaceAll('/', '\\') : file;
  return `${native}:${snakeCase(event)}:${group}:${handler}`;
}

function canonicalText({ event, matcher, command, timeout, async: isAsync, statusMessage }: CodexHook): string {
  // Written in the order of the sorted keys.
  return JSON.stringify({
    event_name: snakeCase(event),
    hooks: [
      {
        async: isAsync ?? false,
        command,
        ...(statusMessage === undefined ? {} : { statusMessage }),
        timeout,
        type: 'command',
      },
    ],
    ...(matcher === undefined ? {} : { matcher }),
  });
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_').toLowerCase();
}
