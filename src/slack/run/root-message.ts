import type { KnownBlock } from '@slack/types';
import type { Step } from '../../core/execution/events.ts';
import type { Progress, Run } from '../../core/execution/execution.ts';
import type { Inputs, Json } from '../../core/json.ts';
import type { RootModel } from '../../core/messages/view-models.ts';
import type { Millis } from '../../core/time.ts';
import { CREW_UNREACHABLE } from '../approval/resume-failure-text.ts';
import { buttons, context, header, type Rendered, rendered, section } from '../ui/blocks.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { duration, roughly, slackDate } from '../ui/text/moment.ts';
import { rootButtons } from './root-buttons.ts';
import { connectionProblem, runExplanation, runLabel } from './run-status-text.ts';

/** What a root message shows besides its model. */
interface RootDetails {
  latestStep: Step | null;
  /** The address of the open approval; null until its card is posted. */
  cardLink: string | null;
  now: Millis;
  name: NameOf;
  /** The label of an input in the form, by its name. */
  labelOf: (input: string) => string;
}

const MOST_INPUTS = 12;
const INPUT_LIMIT = 200;

/** The live status of an execution, at the top of its thread. */
export function rootMessage(model: RootModel, details: RootDetails): Rendered {
  const { symbol, word } = runLabel(model);
  const lines = [stateLine(model), progressLine(model, details.latestStep), ...openCardLines(model, details.cardLink)];
  return rendered(summary(model, details), [
    header(`${symbol} ${model.crew}: ${word}`),
    ...paragraph(lines),
    ...inputsBlock(model.inputs, details.labelOf),
    context(...footLines(model, details)),
    ...buttons(...rootButtons(model)),
  ]);
}

function summary(model: RootModel, { name }: RootDetails): string {
  const { symbol, word } = runLabel(model);
  const task = model.openCard?.taskName ? ` “${escapedLine(model.openCard.taskName, 100)}”` : '';
  const asks = model.openCard && !model.openCard.isDelayed ? ` An approval is open${task && ` for${task}`}.` : '';
  return `${symbol} ${escapedLine(model.crew, 100)}: ${word}. ${startedBy(model, name)}.${asks}`;
}

function startedBy({ starter }: RootModel, name: NameOf): string {
  return starter ? `Started by ${nameIn(name, starter)}` : 'Started elsewhere';
}

function stateLine(model: RootModel): string {
  const said = [runExplanation(model), connectionProblem(model)].filter((each) => each !== null);
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

/** An agent's step on one line, escaped: who did what. */
function stepLine({ agent, tool, thought, result }: Step): string {
  const who = agent ? `${escapedLine(agent, 60)}: ` : '';
  if (tool) return `${who}uses ${escapedLine(tool, 60)}`;
  return `${who}${escapedLine(thought ?? result ?? 'works', 150)}`;
}

/** Crews don't report every task, so a completed run may seem short of its total: then no count is shown. */
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

function inputsBlock(inputs: Inputs, labelOf: RootDetails['labelOf']): KnownBlock[] {
  const all = Object.entries(inputs);
  if (all.length === 0) return [];
  const shown = all.slice(0, MOST_INPUTS).map(([name, value]) => inputLine(labelOf(name), value));
  const more = all.length > shown.length ? [`…and ${all.length - shown.length} more`] : [];
  return [context([...shown, ...more].join('\n'))];
}

function inputLine(label: string, value: Json): string {
  return `*${escapedLine(label, 60)}:* ${escapedLine(valueText(value), INPUT_LIMIT)}`;
}

function valueText(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function footLines(model: RootModel, { now, name }: RootDetails): string[] {
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
