// How many requests wait for a person, and the oldest of them, as a message.

import type { KnownBlock } from '@slack/types';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import type { Millis } from '../../../core/time.ts';
import type { Say } from '../../language/say.ts';
import { button, context, type Rendered, rendered, section, sectionWith } from '../../ui/blocks.ts';
import { approvalValue } from '../../ui/button-value.ts';
import { MESSAGE_BLOCKS_TEXT_LIMIT } from '../../ui/limits.ts';
import type { NameOf } from '../../ui/person.ts';
import { channelMention } from '../../ui/place.ts';
import { cutMrkdwn } from '../../ui/text/escape.ts';
import { duration } from '../../ui/text/moment.ts';
import { gist, shortNames, titleOf } from '../home/request-lines.ts';
import { requestKey } from '../home/selection.ts';
import { startedBy } from '../run/status-text.ts';

/** A digest shows the oldest requests only. */
export const MOST_SHOWN = 10;

/** The text is what a phone shows without being unlocked. */
const MOST_IN_NOTIFICATION = 3;

/** Of each request, for all of them to fit into a message. */
const MOST_TEXT = Math.floor((MESSAGE_BLOCKS_TEXT_LIMIT - 4_200) / MOST_SHOWN);

interface Digest {
  /** What waits for the person, the most urgent first. */
  waiting: readonly OpenRequest[];
  /** Whether they had put it off until now. */
  isBack?: boolean;
  textOf: (request: OpenRequest) => string | null;
  now: Millis;
  name: NameOf;
  /** The address of the Home tab; null if it isn't known. */
  home: string | null;
  say: Say;
}

/** How many requests wait for a person, and the oldest of them. */
export function digestMessage(digest: Digest): Rendered {
  const { waiting, isBack = false, home, say } = digest;
  const head = say(isBack ? 'digest.back' : 'digest.waiting', { count: waiting.length });
  const shown = waiting.slice(0, MOST_SHOWN);
  const names = shortNames(shown);
  const more = waiting.length - shown.length;
  const open = home === null ? say('digest.in-home') : `<${home}|${say('digest.open-home')}>`;
  const titles = shown.slice(0, MOST_IN_NOTIFICATION).map((request) => titleOf(request, say));
  return rendered([head, ...titles].join('\n'), [
    section(`*${head}*`),
    ...shown.flatMap((request, i) => requestBlocks(request, names[i] ?? '', digest)),
    context([...(more > 0 ? [say('digest.more', { count: more })] : []), open].join(' · ')),
  ]);
}

function requestBlocks(request: OpenRequest, spoken: string, { textOf, now, name, say }: Digest): KnownBlock[] {
  const { run, askedAt } = request;
  const line = [
    startedBy(run, { name, say }),
    channelMention(run.channel),
    say('home.waits', { duration: duration(now - askedAt, say) }),
  ].join(' · ');
  const review = button('review', say('review.button'), {
    value: approvalValue(requestKey(request)),
    spoken: say('home.review', { request: spoken }),
  });
  const text = [titleOf(request, say), line, gist(textOf(request), say)].join('\n');
  return [sectionWith(cutMrkdwn(text, MOST_TEXT), review)];
}
