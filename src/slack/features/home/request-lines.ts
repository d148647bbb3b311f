// What lists say of a request: its title, who asks, and the beginning of its text.
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import type { Say } from '../../language/say.ts';
import { nameIn } from '../../ui/person.ts';
import { cut, escapedLine } from '../../ui/text/escape.ts';
import { plainWords } from '../../ui/text/markdown.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { requestTitle } from '../approval/card-state.ts';
import type { HomeDetails } from './model.ts';

/** Task, crew, and what it is about. Escaped mrkdwn. */
export function titleOf({ run, taskName, about, round }: OpenRequest, say: Say): string {
  return requestTitle({ crew: run.crew, task: taskName, about, round }, say);
}

/** Who asks, where, since when, and what has happened since. Escaped mrkdwn. */
export function requestLine(request: OpenRequest, details: HomeDetails): string {
  const { run, askedAt } = request;
  const { say, name } = details;
  const { starter, channel } = run;
  return [
    starter ? say('run.started-by', { name: nameIn(name, starter) }) : say('run.started-outside'),
    channelMention(channel),
    slackDate(askedAt, say, `${say('home.since')} `),
    ...marks(request, details),
  ].join(' · ');
}

function marks(request: OpenRequest, { personId, quorumOf, name, say }: HomeDetails): string[] {
  const { run, handedOver, isEscalated, repeatsRound, voters } = request;
  const handed = handedOver.findLast(({ to }) => to.id === personId);
  const quorum = quorumOf(request);
  return [
    ...(quorum > 1 ? [say('home.approvals', { count: voters.length, quorum })] : []),
    ...(isEscalated ? [say('home.escalated')] : []),
    ...(handed ? [say('home.handed-over', { name: nameIn(name, handed.by) })] : []),
    ...(repeatsRound === null ? [] : [say('home.repeats', { round: repeatsRound })]),
    ...(run.crewMissing ? [`🔌 ${say('missing-crew.short')}`] : []),
  ];
}

/** Slack shows its name to those who may know it. The id is Slack's own. */
export function channelMention(channel: string): string {
  return `<#${channel.replace(/\W/g, '')}>`;
}

const LINES = 2;
const LINE_LIMIT = 160;

/** The beginning of an output in two lines, quoted, so that nothing in it can be taken for our words. Escaped mrkdwn. */
export function gist(text: string | null, say: Say): string {
  if (text === null) return `_${say('card.no-text')}_`;
  const lines = plainWords(cut(text, 900))
    .split('\n')
    .map((line) => escapedLine(line, LINE_LIMIT))
    .filter((line) => line !== '');
  return lines.length === 0
    ? `_${say('card.empty-text')}_`
    : lines
        .slice(0, LINES)
        .map((line) => `> ${line}`)
        .join('\n');
}
