/**
 * Everyone on the machine can read the arguments of a running process, especially the agent it drives. If one of them is secret, the process is
 * renamed to `title` (Linux and macOS; `ps` and `/proc/PID/cmdline` then show only that).
 */
export function hideArguments(args: readonly string[], secret: string, title: string): void {
  if (args.some((arg) => arg === secret || arg.startsWith(`${secret}=`))) process.title = title;
}
