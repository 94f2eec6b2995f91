import { hostSuite } from '../support/host-suite.ts';

hostSuite('codex', { installWords: ['--trust'], saysOnScreenOnly: true });
