import { installSuite } from '../support/install-suite.ts';

// All hosts, and everything that can go wrong, are in the long tests.
installSuite(['claude-code', 'codex']);
