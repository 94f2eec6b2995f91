/** A decision in the words of whoever asked: bytes and an exit code. Given only after the commit. */
export type Reply = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };
