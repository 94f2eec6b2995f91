import { hostSuite } from '../support/host-suite.ts';
import { toolSuite } from '../support/tool-suite.ts';

hostSuite('codex', { installWords: ['--trust'], saysOnScreenOnly: true });
toolSuite('codex', { installWords: ['--trust'], saysOnScreenOnly: true });
