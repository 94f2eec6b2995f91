import { hostSuite } from '../support/host-suite.ts';
import { pluginSuite } from '../support/plugin-turns.ts';
import { toolSuite } from '../support/tool-suite.ts';

const options = {
  // On stdin: as an argument it would be put into quotes.
  typed: (text: string): { prompt: string; args: readonly string[] } => {
    const [, name = '', prompt = ''] = /^\/([a-z-]+) ?([^]*)$/u.exec(text) ?? [];
    return { prompt, args: ['--command', name] };
  },
};

hostSuite('opencode', options);
toolSuite('opencode', options);
pluginSuite('opencode', { ...options, loader: '.config/opencode/plugin/tireless.js' });
