import { hostSuite } from '../support/host-suite.ts';
import { toolSuite } from '../support/tool-suite.ts';

hostSuite('claude-code');
toolSuite('claude-code');
