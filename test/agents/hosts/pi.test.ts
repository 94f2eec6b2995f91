import { hostSuite } from '../support/host-suite.ts';
import { pluginSuite } from '../support/plugin-turns.ts';

hostSuite('pi');
pluginSuite('pi', { loader: '.pi/agent/extensions/tireless.ts' });
