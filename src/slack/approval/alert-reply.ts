import type { Alert } from '../../core/approval/approval.ts';
import type { Millis } from '../../core/time.ts';
import { sayIn } from '../language/say.ts';
import { capitalised } from '../ui/approver-words.ts';
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
}

/** The people are mentioned in the blocks alone, so that each is notified once. */
export function alertReply(model: AlertModel): Rendered {
  const mentions = mentionsText(model.mentions);
  const sentence = alertSentence(model, mentions === '' ? 'nobody' : 'mentioned');
  const open = model.link === null ? '' : ` <${escapeMrkdwn(model.link)}|Open the approval>`;
  const symbol = SYMBOLS[model.kind];
  return rendered(`${symbol} ${sentence}`, [
    section(`${symbol} ${mentions === '' ? '' : `${mentions}: `}${sentence}${open}`),
  ]);
}

const SYMBOLS: Record<Alert['kind'], string> = { reminder: '⏰', escalation: '📣', ask: '🙋' };

function alertSentence(model: AlertModel, to: 'mentioned' | 'nobody'): string {
  const what = model.taskName === null ? 'This request' : `“${escapedLine(model.taskName, 120)}”`;
  const since = slackDate(model.askedAt, sayIn('en'), 'since ');
  const can = `${capitalised(model.whoCan)} can decide it.`;
  switch (model.kind) {
    case 'reminder':
      return to === 'mentioned'
        ? `${what} has been waiting for your approval ${since}.`
        : `${what} has been waiting for approval ${since}. ${can}`;
    case 'escalation':
      return to === 'mentioned'
        ? `${what} has been waiting for approval ${since}. From now on, you can decide it, too.`
        : `${what} has been waiting for approval ${since}. From now on, ${model.whoCan} can decide it, too.`;
    case 'ask': {
      const by = model.by ? nameIn(model.name, model.by) : 'Somebody';
      return to === 'mentioned'
        ? `${by} asks you to decide ${lowerFirst(what)}, which has been waiting ${since}.`
        : `${by} asks for a decision on ${lowerFirst(what)}, which has been waiting ${since}. ${can}`;
    }
  }
}

function lowerFirst(what: string): string {
  return what.startsWith('This') ? `this${what.slice(4)}` : what;
}
