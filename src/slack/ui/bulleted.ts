import { TEXT_LIMIT } from './limits.ts';
import { cutMrkdwn } from './text/escape.ts';

/** Sentences as a list, in as few texts as fit into a section each: some name up to fifty people. Takes and returns mrkdwn. */
export function bulleted(sentences: readonly string[]): string[] {
  const texts: string[] = [];
  for (const sentence of sentences) {
    const line = cutMrkdwn(`• ${sentence}`, TEXT_LIMIT);
    const last = texts.at(-1);
    const joined = `${last}\n${line}`;
    if (last !== undefined && joined.length <= TEXT_LIMIT) texts[texts.length - 1] = joined;
    else texts.push(line);
  }
  return texts;
}
