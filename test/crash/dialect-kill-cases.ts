import { allDialects } from '../support/all-dialects.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import type { KillCase } from './dialect-kill.ts';

/** With a custom body, a custom key or odd spaces, if there is such a file. */
const CHOSEN: Readonly<Record<string, string>> = {
  athena: 'hand-written.md',
  'loop-mechanics': 'every field, four spaces, keys we do not know',
  'ralph-loop': 'bound to a session, a prompt with state-like lines',
  'ralph-wiggum': 'not started, no maximum, keys of others',
  stravinsky: 'odd-windows.md',
  supercode: 'tabs-and-own-keys.json',
};

/** One file of each dialect: through its own interface, if it has one, and through the command line. */
export async function killCases(): Promise<readonly KillCase[]> {
  return (await allDialects()).flatMap(({ dialect, samples }): KillCase[] => {
    const sample = samples.find(({ note }) => note === CHOSEN[dialect.name]);
    if (sample === undefined) throw new Error(`there is no such file of ${dialect.name}`);
    const { name } = dialect;
    const byHook: KillCase = { dialect, way: 'the command line', sample: named(sample, name) };
    const apart = name === 'supercode' ? { deliversApart: true as const } : {};
    const own: KillCase = { dialect, way: 'its own interface', sample: named(sample, name), ...apart };
    return name === 'ralph-loop' ? [byHook] : [own, byHook];
  });
}

/** Athena's session is the folder of its tracker. */
function named(sample: DialectSample, name: string): DialectSample {
  return name === 'athena' ? { ...sample, session: 's-1' } : sample;
}
