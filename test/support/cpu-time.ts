/** CPU time of this process, in ms. On a busy machine a wall clock mostly measures the others. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
