import type { Person } from '../../core/approval/approval.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { cardTitle, stateSymbol } from './card-state.ts';

interface Words {
  /** The address of the card in its thread. */
  link: string;
  name: NameOf;
  say: Say;
}

/** The card, with the way to its thread; `handedBy`: who has handed it over to the person. */
export function directCard(
  { text, blocks }: Rendered,
  { handedBy, link, name, say }: Words & { handedBy: Person | null },
): Rendered {
  const open = openLink(link, say);
  const why = handedBy && say('direct.handed-over', { name: nameIn(name, handedBy) });
  return rendered(why === null ? text : `${why}\n${text}`, [
    ...blocks,
    context(why === null ? open : `👋 ${why} · ${open}`),
  ]);
}

/** What became of a request that the person has nothing to do with any more. */
export function directLine(model: CardModel, { link, name, say }: Words): Rendered {
  const line = `${stateSymbol(model.state)} ${cardTitle(model, { name, say })} · ${escapedLine(model.crew, 40)}`;
  return rendered(line, [section(`${line} · ${openLink(link, say)}`)]);
}

function openLink(link: string, say: Say): string {
  return `<${escapeMrkdwn(link)}|${say('status.open-thread')}>`;
}
