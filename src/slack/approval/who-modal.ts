import type { KnownBlock, ModalView } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { context, section } from '../ui/blocks.ts';
import { bulleted } from '../ui/bulleted.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';

/** What the rule of a request means for one person. */
interface WhoCanDecide extends Pick<CardModel, 'crew' | 'taskName'> {
  /** Whether other rules may apply once the crew has named the task. */
  isProvisional?: boolean;
  /** The rule in plain sentences. */
  sentences: readonly string[];
  /** Whether this person can decide, and why; mrkdwn. */
  you: string;
  /** What they can do about it. */
  more: readonly KnownBlock[];
  say: Say;
}

/** Says who can decide a request, and whether the person who asks can. */
export function whoModal({ crew, taskName, isProvisional, sentences, you, more, say }: WhoCanDecide): ModalView {
  const task = taskName ? ` · ${say('text.quoted', { text: escapedLine(taskName, 120) })}` : '';
  return modal({
    callbackId: 'who_can_decide',
    title: say('who.title'),
    close: say('modal.close'),
    blocks: [
      context(`*${escapedLine(crew, 80)}*${task}`),
      section(you),
      ...more,
      ...(isProvisional ? [section(say('who.unnamed'))] : []),
      ...bulleted(sentences.slice(0, MOST_SENTENCES).map(escapeMrkdwn)).map(section),
    ],
  });
}

/** As many as a modal holds, however long they are. */
const MOST_SENTENCES = 20;
