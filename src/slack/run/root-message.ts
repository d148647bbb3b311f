import type { KnownBlock } from '@slack/types';
import type { Limit } from '../../core/execution/execution.ts';
import { MOST_OPEN_REQUESTS, MOST_REQUESTS, MOST_ROUNDS } from '../../core/execution/limits.ts';
import type { RootModel } from '../../core/messages/view-models.ts';
import type { Millis } from '../../core/time.ts';
import type { Say } from '../language/say.ts';
import { buttons, context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { duration, roughly, slackDate } from '../ui/text/moment.ts';
import { inputsLine } from './inputs-line.ts';
import { type LatestStep, progressLine } from './progress-line.ts';
import { rootButtons } from './root-buttons.ts';
import { connectionProblem, runExplanation, runLabel } from './run-status-text.ts';

/** What a root message shows besides its model. */
interface RootDetails extends LatestStep {
  /** The address of the open approval; null until its card is posted. */
  cardLink: string | null;
  now: Millis;
  name: NameOf;
  /** The label of an input in the form, by its name. */
  labelOf: (input: string) => string;
  say: Say;
}

/** The live status of an execution, at the top of its thread. */
export function rootMessage(model: RootModel, details: RootDetails): Rendered {
  const { say } = details;
  const { symbol, word } = runLabel(model, say);
  const title = `${symbol} *${escapedLine(model.crew, 80)}: ${word}*`;
  const first = [title, progressLine(model, details)].filter(Boolean).join(' · ');
  const lines = [first, ...stateLines(model, say), ...openCardLines(model, details)];
  return rendered(summary(model, details), [
    section(lines.join('\n')),
    ...foot(model, details),
    ...buttons(...rootButtons(model, say)),
  ]);
}

/** What a root message can't show any more, without the buttons that it has. */
export function rootFollowUp(model: RootModel, details: RootDetails): Rendered {
  const { say } = details;
  const { symbol, word } = runLabel(model, say);
  const title = `${symbol} *${escapedLine(model.crew, 80)}: ${word}*`;
  return rendered(summary(model, details), [
    section([title, ...stateLines(model, say), ...openCardLines(model, details)].join('\n')),
    context(say('follow-up.root')),
  ]);
}

function summary(model: RootModel, { name, say }: RootDetails): string {
  const { symbol, word } = runLabel(model, say);
  const { openCard } = model;
  const task = openCard?.taskName ? escapedLine(openCard.taskName, 100) : '';
  const asks = task === '' ? say('run.approval-open') : say('run.approval-open-for', { task });
  const isAsking = openCard && !openCard.isDelayed;
  return `${symbol} ${escapedLine(model.crew, 100)}: ${word}. ${startedBy(model, name, say)}.${isAsking ? ` ${asks}` : ''}`;
}

function startedBy({ starter }: RootModel, name: NameOf, say: Say): string {
  return starter ? say('run.started-by', { name: nameIn(name, starter) }) : say('run.started-outside');
}

function stateLines(model: RootModel, say: Say): string[] {
  const { run } = model;
  const own = [runExplanation(model, say), connectionProblem(model, say)].filter((each) => each !== null);
  const detail = run.status === 'not-started' ? run.refusal.detail : run.status === 'failed' ? run.error : '';
  const said = detail.trim() === '' ? [] : [say('run.crew-said', { text: escapedLine(detail, 400) })];
  return [...own.map(escapeMrkdwn), ...said, ...limitLines(model, say)];
}

/** What the crew sent beyond a limit was refused, and nothing else shows that. */
function limitLines({ limitsMet = [] }: RootModel, say: Say): string[] {
  return limitsMet.map((limit) => `⚠️ ${limitText(limit, say)}`);
}

function limitText(limit: Limit, say: Say): string {
  switch (limit) {
    case 'open-requests':
      return say('problem.limit.open-requests', { most: MOST_OPEN_REQUESTS });
    case 'rounds':
      return say('problem.limit.rounds', { most: MOST_ROUNDS });
    case 'requests':
      return say('problem.limit.requests', { most: MOST_REQUESTS });
    case 'texts':
      return say('problem.limit.texts');
  }
}

function openCardLines({ openCard, crewMissing }: RootModel, { cardLink, say }: RootDetails): string[] {
  if (!openCard) return [];
  const { taskName, round, isDelayed } = openCard;
  const task = taskName ? [escapedLine(taskName, 100)] : [];
  const what = [...task, ...(round > 1 ? [say('run.round', { round })] : [])].join(' · ');
  const where = cardLink ? `<${escapeMrkdwn(cardLink)}|${say('run.open-approval')}>` : say('run.posting-approval');
  const line = what === '' ? where : `${where}: ${what}`;
  return isDelayed && !crewMissing ? [`⏳ ${say('problem.unsent')}`, line] : [line];
}

/** Who started it and when, with which inputs, and who stopped tracking it. */
function foot(model: RootModel, { now, name, labelOf, say }: RootDetails): KnownBlock[] {
  const { unfollowed, createdAt, inputs } = model;
  const times = [startedBy(model, name, say), slackDate(createdAt, say), ...timeSpent(model, now, say)].join(' · ');
  const lines = [times, inputsLine(inputs, labelOf, say)].filter(Boolean);
  if (!unfollowed) return [context(lines.join('\n'))];
  const by = { name: nameIn(name, unfollowed.by), when: slackDate(unfollowed.at, say) };
  return [context([...lines, `⏹️ ${say('tracking.stopped', by)}`].join('\n'))];
}

function timeSpent({ run, createdAt, unfollowed }: RootModel, now: Millis, say: Say): string[] {
  switch (run.status) {
    case 'completed':
    case 'failed':
      return [say('run.took', { duration: duration(run.endedAt - createdAt, say) })];
    case 'starting':
    case 'running':
    case 'waiting':
      return unfollowed || now - createdAt < 10_000
        ? []
        : [say('run.so-far', { duration: roughly(now - createdAt, say) })];
    case 'lost':
    case 'not-started':
    case 'unconfirmed':
      return [];
  }
}
