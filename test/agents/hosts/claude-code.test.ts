import { hostSuite } from '../support/host-suite.ts';

hostSuite('claude-code');
