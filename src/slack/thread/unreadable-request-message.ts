import type { Say } from '../language/say.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

const MOST_KEYS = 20;

/** A crew waits for a person, but its request can't be read. Names the request's keys, for the operator of the crew. */
export function unreadableRequestMessage({ crew, keys }: { crew: string; keys: string[] }, say: Say): Rendered {
  const text = `⚠️ ${say('problem.unreadable-request', { crew: escapedLine(crew, 80) })}`;
  const names = keys.slice(0, MOST_KEYS).map((key) => say('problem.quoted', { name: escapedLine(key, 60) }));
  const parts =
    names.length === 0
      ? say('problem.unreadable-nothing')
      : say('problem.unreadable-parts', { parts: names.join(', ') });
  return rendered(text, [section(text), context(parts)]);
}
