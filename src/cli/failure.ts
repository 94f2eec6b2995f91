import { isFault, messageOf } from '../core/fault.ts';
import { printable } from '../views/printable.ts';
import { EXIT, exitCodeOfFault } from './exit-codes.ts';

export type Failure = {
  readonly exitCode: number;
  readonly stderr: string;
  readonly json: { readonly error: { readonly code: string; readonly message: string } };
};

/** The message when a command throws: a fault has a code and a next step; anything else is a bug in tireless. */
export function failureOf(error: unknown, version: string): Failure {
  if (isFault(error)) {
    const { code, message } = error;
    return {
      exitCode: exitCodeOfFault(code),
      stderr: `tireless: ${code}: ${printable(message)}\n`,
      json: { error: { code, message } },
    };
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const stderr = `tireless: this is a bug in tireless. Nothing that was committed is lost. Please report it with these lines:\n${printable(what)}\ntireless ${version}, node ${process.version}, ${process.platform}\n`;
  return {
    exitCode: EXIT.bug,
    stderr,
    json: { error: { code: 'BUG', message: messageOf(error) } },
  };
}

/** Did the user ask for JSON? Reads raw arguments, because the fault may be that they cannot be parsed. */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--json' || arg.startsWith('--json='));
}
