import type { Approval } from '../../core/approval/approval.ts';
import type { RootModel } from '../../core/messages/view-models.ts';
import type { Millis } from '../../core/time.ts';
import type { Say } from '../language/say.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { roughly } from '../ui/text/moment.ts';
import { runLabel } from './run-status-text.ts';

export interface StatusEntry {
  model: RootModel;
  /** The request that was open when tracking stopped. */
  leftWaiting: Pick<Approval, 'taskName'> | null;
  /** The addresses of the thread and of the open approval; null until they are posted. */
  link: string | null;
  cardLink: string | null;
}

/** One run in a list: its state, what it waits for, who started it, and links. */
export function statusLine(entry: StatusEntry, { now, name, say }: { now: Millis; name: NameOf; say: Say }): string {
  const { model, link, cardLink } = entry;
  const { symbol, word } = runLabel(model, say);
  const ago = roughly(now - model.createdAt, say);
  const started = model.starter
    ? say('status.started-by', { ago, name: nameIn(name, model.starter) })
    : say('status.started', { ago });
  const missing = model.crewMissing ? [`🔌 ${say('missing-crew.short')}`] : [];
  const parts = [
    `${symbol} *${escapedLine(model.crew, 60)}*: ${word}`,
    ...missing,
    ...untrackedParts(entry, name, say),
    started,
  ];
  const card = model.openCard ? linkTo(say('run.open-approval'), cardLink) : '';
  const links = [linkTo(say('status.open-thread'), link), card].filter(Boolean).join(' · ');
  return `${parts.join(' · ')}\n${links}`.trim();
}

function untrackedParts({ model, leftWaiting }: StatusEntry, name: NameOf, say: Say): string[] {
  if (!model.unfollowed) return [];
  const by = say('status.stopped-by', { name: nameIn(name, model.unfollowed.by) });
  if (!leftWaiting) return [by];
  const task = leftWaiting.taskName ? escapedLine(leftWaiting.taskName, 100) : '';
  return [task === '' ? say('status.was-waiting') : say('status.was-waiting-for', { task }), by];
}

function linkTo(label: string, address: string | null): string {
  return address ? `<${escapeMrkdwn(address)}|${label}>` : '';
}
