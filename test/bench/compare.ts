import type { Figure } from './figures.ts';
import type { Report } from './report.ts';

/** How often today's value of a figure is the earlier one's; null where there is none to compare with. */
export function ratioToEarlier(earlier: Report | null, part: string, { name, value }: Figure): number | null {
  const before = earlier?.parts[part]?.figures.find((figure) => figure.name === name);
  return before === undefined || before.value === 0 ? null : value / before.value;
}

/** What makes two runs hard to compare, one sentence each. */
export function differences(earlier: Report, now: Report): string[] {
  const { cores, node, durable } = earlier;
  return [
    ...(cores === now.cores ? [] : [`The earlier run had ${cores} cores.`]),
    ...(node === now.node ? [] : [`The earlier run used Node ${node}.`]),
    ...(durable === now.durable ? [] : [`The earlier run ${durable ? 'wrote' : 'did not write'} each change to disk.`]),
    ...(earlier.warnings.length === 0 ? [] : ['The earlier run was disturbed, too.']),
  ];
}
