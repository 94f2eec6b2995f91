import { hostSuite } from '../support/host-suite.ts';
import { pluginSuite } from '../support/plugin-turns.ts';
import { toolSuite } from '../support/tool-suite.ts';

hostSuite('pi');
toolSuite('pi');
pluginSuite('pi', { loader: '.pi/agent/extensions/tireless.ts' });
