import { isFault } from '../../src/core/fault.ts';
import type { FaultCode } from '../../src/core/fault.ts';

/** The fault that `run` throws; anything else fails the test. */
export function faultOf(run: () => unknown): { readonly code: FaultCode; readonly message: string } {
  try {
    run();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
  throw new Error('no fault was thrown');
}

export function codeOf(run: () => unknown): FaultCode {
  return faultOf(run).code;
}
