import type { Step } from '../../../core/execution/events.ts';
import type { Say } from '../../language/say.ts';
import { cutLine } from '../../ui/text/escape.ts';

/**
 * Says on one line who does what in an agent's step, for a run's root message and the status of its thread. Plain text, to be escaped
 * in mrkdwn. `most` bounds the length of what an agent says; the names of an agent and a tool take up to 60 characters each.
 */
export function stepWords({ agent, tool, thought, result }: Step, most: number, say: Say): string {
  const who = cutLine(agent ?? '', 60) || say('activity.unnamed-agent');
  if (tool) return say('step.uses-tool', { agent: who, tool: cutLine(tool, 60) });
  const said = cutLine(thought ?? result ?? '', Math.max(20, most - who.length - 2));
  return said === '' ? say('step.works', { agent: who }) : say('step.says', { agent: who, said });
}
