import { messageOf } from '../../core/fault.ts';
import { classifyError } from '../../dialects/loop-mechanics/errors.ts';
import type { ErrorClass } from '../../dialects/loop-mechanics/state.ts';

type Failed = {
  readonly ok: false;
  readonly error: { readonly class: ErrorClass; readonly message: string };
};

/** `fetch` nests one cause inside another; deeper causes are not read. */
const CAUSES_MAX = 4;

/** An error thrown by a step, as a failed step: its messages and those of its causes. Errors of programs that ran a command also carry its output. */
export function failedBy(thrown: unknown): Failed {
  const chain = causesOf(thrown);
  const message = [...new Set(chain.map(messageOf))].filter((each) => each !== '').join(': ');
  const details = chain.flatMap((each) => ['name', 'code', 'stderr', 'stdout'].map((key) => textIn(each, key)));
  return { ok: false, error: { class: classifyError([message, ...details].join('\n')), message } };
}

function causesOf(thrown: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let each = thrown; each !== undefined && each !== null && chain.length < CAUSES_MAX;) {
    chain.push(each);
    each = each instanceof Error ? each.cause : undefined;
  }
  return chain;
}

function textIn(thrown: unknown, key: string): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const value: unknown = Reflect.get(thrown, key);
  return typeof value === 'string' || value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}
