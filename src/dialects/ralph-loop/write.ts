import type { Loop } from '../../core/journal.ts';
import type { Limits } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { counterFor, resumedMaximum } from '../counting.ts';
import { isPlain, readFrontMatter, setFields } from '../front-matter.ts';
import { startTimeOf } from '../start-time.ts';
import { descriptor } from './descriptor.ts';
import { read } from './read.ts';

export function project(text: string | null, loop: Loop): string | null {
  if (text === null) return null;
  const found = read(text);
  // A file that was broken or switched off by hand is left to the user.
  if (found.kind === 'invalid' || !found.active) return text;
  if (isEnded(loop.state)) return null;
  if (loop.state.counted <= found.counted) return text;
  return setFields(text, {
    iteration: counterFor(loop.state.counted, descriptor.counting),
    ...claiming(text, found.session, loop),
  });
}

/** The plugin writes the session of the first stop into an empty field, so that its script answers no other. */
function claiming(text: string, named: string | null, { state }: Loop): { readonly session_id?: string } {
  const { session } = state;
  const isEmpty = named === null && Object.hasOwn(readFrontMatter(text)?.fields ?? {}, 'session_id');
  return isEmpty && session !== null ? { session_id: session.id } : {};
}

export function withSession(text: string, session: string): string {
  return setFields(text, { session_id: session });
}

export function resumed(text: string, { iterationsMax }: Partial<Limits>): string {
  const found = read(text);
  if (found.kind === 'invalid') return text;
  return setFields(text, {
    ...resumedMaximum(iterationsMax, descriptor.counting),
    ...(found.active ? {} : { active: true }),
  });
}

/** A file for a loop that has none yet, as the plugin's own command would write it. */
export function newText(loop: Loop): string {
  const { spec, state } = loop;
  const { iterationsMax } = state.limits;
  const claim = spec.claim.texts[0];
  return [
    '---',
    `active: ${!isEnded(state)}`,
    `iteration: ${counterFor(state.counted, descriptor.counting)}`,
    `session_id: ${sessionText(state.session)}`,
    `max_iterations: ${iterationsMax === 'unlimited' ? 0 : iterationsMax}`,
    `completion_promise: ${claim === undefined ? 'null' : JSON.stringify(claim)}`,
    `started_at: ${JSON.stringify(startTimeOf(loop))}`,
    '---',
    '',
    spec.goal,
    '',
  ].join('\n');
}

/** The plugin's script does not support quotes here, and knows only Claude Code sessions. Empty = the first session that stops. */
function sessionText(session: Loop['state']['session']): string {
  if (session?.host !== 'claude-code') return '';
  return isPlain(session.id) ? session.id : JSON.stringify(session.id);
}
