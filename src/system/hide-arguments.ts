/**
 * Everyone on the machine can read the arguments of a process for as long as it lives, the agent that it drives first of all. Where one
 * of them is secret, the process is called `title` from now on (Linux and macOS; `ps` and `/proc/PID/cmdline` then show that alone).
 */
export function hideArguments(args: readonly string[], secret: string, title: string): void {
  if (args.some((arg) => arg === secret || arg.startsWith(`${secret}=`))) process.title = title;
}
