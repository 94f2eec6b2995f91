import { createStopHook, newWiggumFile, ralphWiggum, ralphWiggumIn, stopHook } from './index.ts';

/** What `require('tireless/ralph-wiggum')` returns: the hook itself, as a `stop.js` has to export it, with the rest attached. */
const hook: typeof stopHook & {
  stopHook: typeof stopHook;
  createStopHook: typeof createStopHook;
  newWiggumFile: typeof newWiggumFile;
  ralphWiggum: typeof ralphWiggum;
  ralphWiggumIn: typeof ralphWiggumIn;
} = Object.assign(stopHook, { stopHook, createStopHook, newWiggumFile, ralphWiggum, ralphWiggumIn });

// oxlint-disable-next-line import/no-default-export -- CommonJS: the module is the function.
export default hook;
