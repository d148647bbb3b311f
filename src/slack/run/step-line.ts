import type { Step } from '../../core/execution/events.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** An agent step in one line, escaped: who did what. */
export function stepLine({ agent, tool, thought, result }: Step): string {
  const who = agent ? `${escapedLine(agent, 60)}: ` : '';
  if (tool) return `${who}uses ${escapedLine(tool, 60)}`;
  return `${who}${escapedLine(thought ?? result ?? 'works', 150)}`;
}
