// The answer to `/kickoff status`: what is running and waiting in a channel.
import { type RootModel, rootModel } from '../../../core/messages/view-models.ts';
import { leftWaiting, starterOf, threadTsOf } from '../../../core/state/execution.ts';
import type { Question } from '../../../core/state/request.ts';
import type { Millis } from '../../../core/values/time.ts';
import { findStartPlace, type PostingTrouble } from '../../api/channels.ts';
import { permalink } from '../../api/identity.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { aboutText, runLabel } from '../../request/status-text.ts';
import { context, fittingTexts, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { MESSAGE_BLOCKS } from '../../ui/limits.ts';
import { answerMessage } from '../../ui/modal.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { roughly } from '../../ui/text/moment.ts';

export async function channelStatus(context: ListenerContext, channel: string): Promise<Rendered> {
  const [executions, say] = await Promise.all([context.store.openIn(channel), context.say()]);
  const entries = executions.map((execution) => {
    const model = rootModel(execution);
    const root = threadTsOf(execution);
    const card = model.openCard?.ts ?? null;
    return {
      model,
      leftWaiting: leftWaiting(execution)?.question ?? null,
      link: root === null ? null : permalink(context.identity, channel, root, null),
      cardLink: card === null ? null : permalink(context.identity, channel, card, root),
    };
  });
  const isHidden = entries.some(({ model }) => model.openCard && model.openCard.ts === null);
  const { client, identity } = context;
  const trouble = isHidden ? (await findStartPlace(client, identity, channel)).trouble : null;
  const warning = trouble && hiddenApprovalText({ trouble, botName: identity.botName }, say);
  const people = executions.flatMap((execution) => [starterOf(execution), execution.unfollowed?.by]);
  return statusList(entries, { now: Date.now(), name: await context.namesOf(...people), say, warning });
}

/** The heading, a warning and the count of the others need a block each. */
const MOST_SHOWN = MESSAGE_BLOCKS - 5;

/** Lists as many runs as a message holds, in the order of `entries`, but with open decisions first and untracked runs last. */
export function statusList(
  entries: StatusEntry[],
  { now, name, say, warning = null }: { now: Millis; name: NameOf; say: Say; warning?: string | null },
): Rendered {
  if (entries.length === 0) return answerMessage(say('status.nothing'));
  const undecided = entries.filter(({ model: { openCard } }) => openCard?.undelivered === null);
  const untracked = entries.filter(({ model }) => model.unfollowed);
  const others = entries.filter((entry) => !undecided.includes(entry) && !untracked.includes(entry));
  const ordered = [...undecided, ...others, ...untracked];
  const lines = fittingTexts(ordered.slice(0, MOST_SHOWN).map((entry) => statusLine(entry, { now, name, say })));
  const more = entries.length - lines.length;
  const tracked = entries.length - untracked.length;
  const head = [
    ...(tracked === 0 ? [] : [say('status.in-progress', { count: tracked })]),
    ...(undecided.length === 0 ? [] : [say('status.awaiting', { count: undecided.length })]),
    ...(untracked.length === 0 ? [] : [say('status.not-tracked', { count: untracked.length })]),
  ].join(' · ');
  const topRuns = ordered.slice(0, lines.length);
  return rendered(`${head}: ${topRuns.map(({ model }) => brief(model, say)).join('; ')}`, [
    section(`*${head}*`),
    ...(warning === null ? [] : [section(`⚠️ ${warning}`)]),
    ...lines.map(section),
    ...(more > 0 ? [context(say('status.more', { count: more }))] : []),
  ]);
}

function brief(model: RootModel, say: Say): string {
  const { symbol, word } = runLabel(model, say);
  return [`${symbol} ${escapedLine(model.crew, 60)}: ${word}`, aboutText(model.about)].filter(Boolean).join(' · ');
}

interface StatusEntry {
  model: RootModel;
  /** The request that was open when tracking stopped. */
  leftWaiting: Pick<Question, 'taskName'> | null;
  /** Addresses of the thread and of the open request's card. Null until they are posted. */
  link: string | null;
  cardLink: string | null;
}

function statusLine(entry: StatusEntry, { now, name, say }: { now: Millis; name: NameOf; say: Say }): string {
  const { model, link, cardLink } = entry;
  const { symbol, word } = runLabel(model, say);
  const ago = roughly(now - model.createdAt, say);
  const started = model.starter
    ? say('status.started-by', { ago, name: nameIn(name, model.starter) })
    : say('status.started', { ago });
  const parts = [
    `${symbol} *${escapedLine(model.crew, 60)}*: ${word}`,
    aboutText(model.about),
    model.crewMissing ? `🔌 ${say('missing-crew.short')}` : '',
    ...untrackedParts(entry, name, say),
    started,
  ];
  const task = escapedLine(model.openCard?.taskName ?? '', 100);
  const card = model.openCard ? linkTo(say('alert.open'), cardLink) : '';
  const cardOfTask = card === '' || task === '' ? card : `${card}: ${task}`;
  // The card of an ask without a run begins its own thread.
  const thread = link === cardLink ? '' : linkTo(say('status.open-thread'), link);
  return `${parts.filter(Boolean).join(' · ')}\n${[thread, cardOfTask].filter(Boolean).join(' · ')}`.trim();
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

/** Says why the channel doesn't show an open request. Mrkdwn. */
export function hiddenApprovalText(
  { trouble, botName }: { trouble: PostingTrouble; botName: string },
  say: Say,
): string {
  const mayNotPost = trouble === 'direct-message' || trouble === 'read-only' || trouble === 'other';
  return say(`problem.hidden.${mayNotPost ? 'may-not-post' : trouble}`, { bot: escapedLine(botName, 80) });
}
