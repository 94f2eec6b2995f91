/** Nobody types more than this to a question. */
const ANSWER_BYTES_MAX = 1000;

/** Where questions are asked and answered. */
type Terminal = {
  readonly stdin: { readonly isTTY: boolean; readonly chunks: () => AsyncIterable<Uint8Array> };
  readonly stdout: { readonly isTTY: boolean; readonly write: (text: string) => void };
};

/** Yes-or-no questions at a terminal. One reader for all of them: what is read ahead for the first is not lost for the next. */
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
  // Answers a boolean: a stream of Node that is no terminal says `undefined`.
  return [stdin, stdout].every(({ isTTY }) => isTTY);
}
