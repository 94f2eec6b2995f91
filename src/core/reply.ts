/** A decision in the caller's protocol: bytes and an exit code. Sent only after the commit. */
export type Reply = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };
