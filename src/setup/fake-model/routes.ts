import type { Wire } from './script.ts';

/** Where a request goes, by its address alone. */
export type Route =
  | {
      readonly kind: 'ask';
      readonly wire: Wire;
      readonly lane: string;
      readonly model: string;
      readonly streams: boolean;
    }
  | { readonly kind: 'count-tokens'; readonly wire: 'anthropic' | 'gemini' }
  | { readonly kind: 'models' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'unknown' };

const LANE = /^\/lane\/([^/]+)(\/.*)$/;
const GEMINI = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

export function routeOf(method: string, address: string): Route {
  if (method === 'HEAD') return { kind: 'alive' };
  const [whole = ''] = address.split('?');
  const [, lane = '', path = whole] = LANE.exec(whole) ?? [];
  if (method === 'GET') return path.endsWith('/models') ? { kind: 'models' } : { kind: 'unknown' };
  const [, model = '', action] = GEMINI.exec(path) ?? [];
  if (action === 'countTokens') return { kind: 'count-tokens', wire: 'gemini' };
  if (action !== undefined) return ask('gemini', lane, model, action === 'streamGenerateContent');
  if (path.endsWith('/messages/count_tokens')) return { kind: 'count-tokens', wire: 'anthropic' };
  if (path.endsWith('/messages')) return ask('anthropic', lane);
  if (path.endsWith('/chat/completions')) return ask('openai-chat', lane);
  if (path.endsWith('/responses')) return ask('openai-responses', lane);
  return { kind: 'unknown' };
}

function ask(wire: Wire, lane: string, model = '', streams = false): Route {
  return { kind: 'ask', wire, lane, model, streams };
}
