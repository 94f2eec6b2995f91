/**
 * What compilers and interpreters print about a file that they cannot read. A check that ends like this does not show what the file does.
 * An error that a program throws while it runs looks different: it names the function, or a call of the program.
 */
const COMPILE_ERRORS: readonly RegExp[] = [
  // Python names no function for such a file. `<string>` is text that the program runs.
  /^(?:E +| *)File "[^"<\n]{1,500}", line \d+\n(?:.{0,1000}\n){1,3}?(?:E +| *)(?:SyntaxError|IndentationError|TabError): /m,
  // Node.js, alone or in the output of its runner.
  /^[# ]*SyntaxError: .{0,1000}\n[# ]*at (?:compileSourceTextModule|wrapSafe|new ModuleWrap|ModuleWrap\b|internalCompileFunction|compileFunction\b|Object\.compileFunction|ModuleLoader\.)/m,
  // Vite and esbuild; Babel and SWC in Jest; TypeScript; Rust.
  /^ *(?:Error: )?Transform failed with \d+ errors?:/m,
  /^ *(?:Error: )?(?:Parse failure: |Failed to parse source for import analysis)/m,
  /^ *SyntaxError: \/.{1,500}: .{1,500} \(\d+:\d+\)$/m,
  /^.{1,500}(?:\(\d+,\d+\)|:\d+:\d+)(?::| -) error TS\d{4,5}: /m,
  /^error: could not compile `/m,
];

export function showsCompileError(output: string): boolean {
  return COMPILE_ERRORS.some((pattern) => pattern.test(output));
}
