/** A decision in the words of the caller's protocol: bytes and an exit code. Given only after the commit. */
export type Reply = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };
