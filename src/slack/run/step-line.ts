import type { Step } from '../../core/execution/events.ts';
import { inline } from '../ui/person.ts';

/** An agent step in one line, escaped: who did what. */
export function stepLine({ agent, tool, thought, result }: Step): string {
  const who = agent ? `${inline(agent, 60)}: ` : '';
  if (tool) return `${who}uses ${inline(tool, 60)}`;
  return `${who}${inline(thought ?? result ?? 'works', 150)}`;
}
