import type { KnownBlock } from '@slack/types';
import type { Step } from '../../core/execution/events.ts';
import type { Progress, Run } from '../../core/execution/execution.ts';
import type { Inputs, Json } from '../../core/json.ts';
import type { RootModel } from '../../core/messages/view-models.ts';
import type { Millis } from '../../core/time.ts';
import { CREW_UNREACHABLE } from '../approval/resume-failure-text.ts';
import { button, buttons, confirm, context, header, type Rendered, rendered, section } from '../ui/blocks.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { duration, roughly, slackDate } from '../ui/text/moment.ts';
import { runExplanation, runWords, troubleSentence } from './run-words.ts';
import { stepLine } from './step-line.ts';

export interface RootSurroundings {
  latestStep: Step | null;
  /** Where the open approval is; null while its card has no address yet. */
  cardLink: string | null;
  now: Millis;
  name: NameOf;
  /** What an input is called in the form, by its name. */
  labelOf: (input: string) => string;
}

const MOST_INPUTS = 12;
const INPUT_LIMIT = 200;

/** The live status of an execution, which heads its thread. Its buttons carry the ref. */
export function rootMessage(model: RootModel, around: RootSurroundings): Rendered {
  const { symbol, word } = runWords(model);
  const lines = [stateLine(model), progressLine(model, around.latestStep), ...openCardLines(model, around.cardLink)];
  return rendered(summary(model, around), [
    header(`${symbol} ${model.crew}: ${word}`),
    ...paragraph(lines),
    ...inputsBlock(model.inputs, around.labelOf),
    context(...footLines(model, around)),
    ...buttons(...rootButtons(model)),
  ]);
}

function summary(model: RootModel, { name }: RootSurroundings): string {
  const { symbol, word } = runWords(model);
  const task = model.openCard?.taskName ? ` “${escapedLine(model.openCard.taskName, 100)}”` : '';
  const asks = model.openCard && !model.openCard.isDelayed ? ` An approval is open${task && ` for${task}`}.` : '';
  return `${symbol} ${escapedLine(model.crew, 100)}: ${word}. ${startedBy(model, name)}.${asks}`;
}

function startedBy({ starter }: RootModel, name: NameOf): string {
  return starter ? `Started by ${nameIn(name, starter)}` : 'Started elsewhere';
}

function stateLine(model: RootModel): string {
  const said = [runExplanation(model), troubleSentence(model)].filter((each) => each !== null);
  const detail = model.run.status === 'not-started' ? model.run.refusal.detail : '';
  const quoted = detail.trim() === '' ? [] : [`The crew said: “${escapedLine(detail, 300)}”`];
  const error = model.run.status === 'failed' ? [`The crew said: “${escapedLine(model.run.error, 400)}”`] : [];
  return [...said.map(escapeMrkdwn), ...quoted, ...error].join('\n');
}

function progressLine({ run, progress, openCard, unfollowed }: RootModel, latestStep: Step | null): string {
  const isLive = !unfollowed && (run.status === 'running' || (run.status === 'waiting' && !openCard));
  const activity = latestStep ? stepLine(latestStep) : escapedLine(progress.current ?? '', 200);
  return [tasksDone(run, progress), isLive ? activity : ''].filter(Boolean).join(' · ');
}

/** Not every task is told of, so that a count short of the total would deny the end of a completed run. */
function tasksDone({ status }: Run, { completed, total }: Progress): string {
  if (total !== null && (status !== 'completed' || completed >= total)) return `${completed} of ${count(total)} done`;
  return completed === 0 || total !== null ? '' : `${count(completed)} done`;
}

function count(tasks: number): string {
  return tasks === 1 ? '1 task' : `${tasks} tasks`;
}

function openCardLines({ openCard }: RootModel, cardLink: string | null): string[] {
  if (!openCard) return [];
  const task = openCard.taskName ? ` for “${escapedLine(openCard.taskName, 100)}”` : '';
  const round = openCard.round > 1 ? `, round ${openCard.round}` : '';
  const where = cardLink
    ? `<${escapeMrkdwn(cardLink)}|Open the approval>${task}${round}`
    : `The approval${task}${round && `${round},`} is being posted`;
  return openCard.isDelayed ? [`⏳ ${CREW_UNREACHABLE}`, where] : [`✋ ${where}`];
}

function paragraph(lines: string[]): KnownBlock[] {
  const said = lines.filter(Boolean).join('\n');
  return said === '' ? [] : [section(said)];
}

function inputsBlock(inputs: Inputs, labelOf: RootSurroundings['labelOf']): KnownBlock[] {
  const all = Object.entries(inputs);
  if (all.length === 0) return [];
  const shown = all.slice(0, MOST_INPUTS).map(([name, value]) => inputLine(labelOf(name), value));
  const more = all.length > shown.length ? [`…and ${all.length - shown.length} more`] : [];
  return [context([...shown, ...more].join('\n'))];
}

function inputLine(label: string, value: Json): string {
  return `*${escapedLine(label, 60)}:* ${escapedLine(inWords(value), INPUT_LIMIT)}`;
}

function inWords(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function footLines(model: RootModel, { now, name }: RootSurroundings): string[] {
  const times = [startedBy(model, name), slackDate(model.createdAt), ...timeSpent(model, now)].join(' · ');
  const { unfollowed } = model;
  if (!unfollowed) return [times];
  return [
    times,
    `⏹️ ${nameIn(name, unfollowed.by)} stopped following (${slackDate(unfollowed.at)}). The crew itself may have gone on.`,
  ];
}

function timeSpent({ run, createdAt, unfollowed }: RootModel, now: Millis): string[] {
  switch (run.status) {
    case 'completed':
    case 'failed':
      return [`took ${duration(run.endedAt - createdAt)}`];
    case 'starting':
    case 'running':
    case 'waiting':
      return unfollowed || now - createdAt < 10_000 ? [] : [`${roughly(now - createdAt)} so far`];
    case 'lost':
    case 'not-started':
    case 'unconfirmed':
      return [];
  }
}

function rootButtons({ ref, run, unfollowed }: RootModel) {
  const activity = button('show_activity', 'Show activity', { value: ref });
  const again = button('run_again', 'Run again', { value: ref });
  const stop = unfollowed ? null : button('stop_following', 'Stop following', { value: ref, confirm: STOP_WORDS });
  switch (run.status) {
    case 'starting':
    case 'running':
    case 'waiting':
      return [activity, stop];
    case 'lost':
      return [activity, again, stop];
    case 'completed':
    case 'failed':
      return [activity, again];
    case 'not-started':
      return [again];
    case 'unconfirmed':
      return [{ ...again, confirm: AGAIN_WORDS }, stop];
  }
}

const STOP_WORDS = confirm({
  title: 'Stop following this run?',
  text:
    'No more news, approvals or results will arrive in this thread. The crew itself may go on: it can only be stopped ' +
    'in its own control panel. A decision that was already made is still delivered.',
  yes: 'Stop following',
  no: 'Keep following',
  style: 'danger',
});

const AGAIN_WORDS = confirm({
  title: 'Run it again?',
  text: 'The first start may have worked although nobody confirmed it. If it did, the crew runs twice.',
  yes: 'Run again',
  no: 'Wait',
});
