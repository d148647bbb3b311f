import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

const MOST_KEYS = 20;

/** A crew waits for a person, but its request can't be read. Names the request's keys, for the operator of the crew. */
export function unreadableRequestMessage({ crew, keys }: { crew: string; keys: string[] }): Rendered {
  const text = `⚠️ *${escapedLine(crew, 80)}* asks for a person, but in a form that Signoff can’t read. It can’t be decided here.`;
  const names = keys.slice(0, MOST_KEYS).map((key) => `“${escapedLine(key, 60)}”`);
  const parts = names.length === 0 ? 'Nothing in it has a name.' : `What came has these parts: ${names.join(', ')}.`;
  return rendered(text, [section(text), context(`${parts} Please show this to whoever runs the crew.`)]);
}
