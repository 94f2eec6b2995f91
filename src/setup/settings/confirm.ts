/** Nobody types a longer answer. */
const ANSWER_BYTES_MAX = 1000;

/** Where questions are asked and answered. */
type Terminal = {
  readonly stdin: { readonly isTTY: boolean; readonly chunks: () => AsyncIterable<Uint8Array> };
  readonly stdout: { readonly isTTY: boolean; readonly write: (text: string) => void };
};

/** Yes-or-no questions at a terminal. One reader for all of them, so that input read ahead for the first question is not lost for the next. */
export type Confirmer = {
  readonly confirm: (question: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

export function openConfirmer({ stdin, stdout }: Terminal): Confirmer {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  let rest = '';
  const line = async (): Promise<string> => {
    chunks ??= stdin.chunks()[Symbol.asyncIterator]();
    while (!rest.includes('\n') && rest.length < ANSWER_BYTES_MAX) {
      const { value, done } = await chunks.next();
      if (done === true) break;
      rest += Buffer.from(value).toString('utf8');
    }
    const [first = '', ...more] = rest.split('\n');
    rest = more.join('\n');
    return first.trim().toLowerCase();
  };
  return {
    confirm: async (question) => {
      stdout.write(`${question} [y/N] `);
      return ['y', 'yes'].includes(await line());
    },
    close: async () => void (await chunks?.return?.()),
  };
}

export function canConfirm({ stdin, stdout }: Terminal): boolean {
  // Returns a boolean: a Node stream that is not a terminal has `undefined`.
  return [stdin, stdout].every(({ isTTY }) => isTTY);
}
