import type { Alert } from '../../core/approval/approval.ts';
import type { Millis } from '../../core/time.ts';
import type { Say } from '../language/say.ts';
import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { type Mention, mentionsText } from '../ui/mentions.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { slackDate } from '../ui/text/moment.ts';

/** A reply that notifies people who can decide a request. */
interface AlertModel extends Pick<Alert, 'kind' | 'by'> {
  /** Null where it isn't known, or isn't shown. */
  taskName: string | null;
  askedAt: Millis;
  mentions: readonly Mention[];
  /** Who can decide, in words, for an alert that mentions nobody; escaped. */
  whoCan: string;
  /** The address of the card; null if it isn't posted. */
  link: string | null;
  name: NameOf;
  say: Say;
}

/** The people are mentioned in the blocks alone, so that each is notified once. */
export function alertReply(model: AlertModel): Rendered {
  const mentions = mentionsText(model.mentions);
  const sentence = alertSentence(model, mentions === '' ? 'nobody' : 'mentioned');
  const open = model.link === null ? '' : ` <${escapeMrkdwn(model.link)}|${model.say('alert.open')}>`;
  const symbol = SYMBOLS[model.kind];
  return rendered(`${symbol} ${sentence}`, [
    section(`${symbol} ${mentions === '' ? '' : `${mentions}: `}${sentence}${open}`),
  ]);
}

const SYMBOLS: Record<Alert['kind'], string> = {
  reminder: '⏰',
  escalation: '📣',
  ask: '🙋',
  named: '🏷️',
  reopened: '↩️',
};

function alertSentence({ kind, by, whoCan, say, ...model }: AlertModel, to: 'mentioned' | 'nobody'): string {
  const { taskName } = model;
  const what = taskName === null ? say('alert.unnamed-task') : say('alert.task', { task: escapedLine(taskName, 120) });
  const waiting = say('alert.waiting', { what, since: slackDate(model.askedAt, say, `${say('alert.since')} `) });
  const name = by ? nameIn(model.name, by) : say('alert.unnamed-person');
  switch (kind) {
    case 'reminder':
      return to === 'mentioned' ? waiting : say('alert.reminder-to-nobody', { waiting, whoCan });
    case 'escalation':
      return to === 'mentioned'
        ? say('alert.escalation', { waiting })
        : say('alert.escalation-to-nobody', { waiting, whoCan });
    case 'ask':
      return to === 'mentioned'
        ? say('alert.ask', { waiting, name })
        : say('alert.ask-nobody', { waiting, name, whoCan });
    case 'named':
    case 'reopened': {
      const learned = say(kind === 'named' ? 'alert.named' : 'alert.reopened', { waiting });
      return to === 'mentioned' ? learned : say('alert.reminder-to-nobody', { waiting: learned, whoCan });
    }
  }
}
