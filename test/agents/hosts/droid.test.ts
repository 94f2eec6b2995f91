import { hostSuite } from '../support/host-suite.ts';
import { toolSuite } from '../support/tool-suite.ts';

// `droid exec "…"` calls no hook for its prompt; what its screen speaks to it does.
hostSuite('droid', { typed: (prompt) => ({ prompt, typed: true }) });
toolSuite('droid', { typed: (prompt) => ({ prompt, typed: true }) });
