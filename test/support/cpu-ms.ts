/** How much processor time this takes, in milliseconds. A busy machine makes it wait, but hardly work, longer. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
