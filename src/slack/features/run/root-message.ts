// The first message of a run's thread, which shows the run's live status.
import type { KnownBlock, Overflow, PlanBlock } from '@slack/types';
import type { Step } from '../../../core/execution/events.ts';
import { MOST_OPEN_REQUESTS, MOST_REQUESTS, MOST_ROUNDS } from '../../../core/execution/limits.ts';
import type { RootModel } from '../../../core/messages/view-models.ts';
import { tellingInputs } from '../../../core/state/about.ts';
import { hasEnded, type Limit, type Progress, type Run } from '../../../core/state/execution.ts';
import type { Inputs } from '../../../core/values/json.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { MessageKey } from '../../language/catalogues.ts';
import type { Say } from '../../language/say.ts';
import { endLabel } from '../../request/card-state.ts';
import {
  aboutText,
  connectionProblem,
  inputsLine,
  type LabelOf,
  runEntries,
  runExplanation,
  runLabel,
  startedBy,
  valueText,
} from '../../request/status-text.ts';
import type { ActionId } from '../../ui/action-ids.ts';
import { button, buttons, context, type Rendered, rendered, section, sectionWith } from '../../ui/blocks.ts';
import { menu } from '../../ui/button-value.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { duration, roughly, slackDate } from '../../ui/text/moment.ts';
import { planBlock } from './plan.ts';
import { stepWords } from './step-text.ts';

interface RootDetails {
  latestStep: Step | null;
  /** Address of the open request's card. Null until it is posted. */
  cardLink: string | null;
  /** Address of the reply with the result or the failure. Null until it is posted. */
  resultLink: string | null;
  /** True if tasks are shown as a plan, which not every workspace takes. Otherwise they are only counted. */
  showsPlan: boolean;
  /** Names the people who can decide a request. Plain text. */
  whoFor: (approvalId: string) => string;
  /** Address where people can end the run. Left out if the crew isn't configured. */
  controlUrl?: string | undefined;
  now: Millis;
  name: NameOf;
  labelOf: LabelOf;
  say: Say;
}

export function rootMessage(model: RootModel, details: RootDetails): Rendered {
  const { resultLink, say } = details;
  const plan = planOfRoot(model, details);
  const progress = progressLine(model, details, plan === null ? 'counted' : 'in-plan');
  const result = resultLink === null ? '' : `<${escapeMrkdwn(resultLink)}|${say('run.result')}>`;
  const text = statusLines(model, details, [inputsInTitle(model, details), progress, result]);
  return rendered(summary(model, details), [
    sectionWith(text, runMenu(model, say)),
    ...(plan === null ? [] : [plan]),
    foot(model, details),
    ...(canTrackAgain(model) ? buttons(button('track_again', say('tracking.again'), { value: model.ref })) : []),
  ]);
}

/** Returns a reply that shows what the root message no longer can, without buttons. */
export function rootFollowUp(model: RootModel, details: RootDetails): Rendered {
  const text = statusLines(model, details, [aboutText(model.about)]);
  return rendered(summary(model, details), [section(text), context(details.say('follow-up.root'))]);
}

/** Returns the state of the run and the requests in it, line by line. `facts` follow the crew and the state. */
function statusLines(model: RootModel, details: RootDetails, facts: readonly string[]): string {
  const { say } = details;
  const { symbol, word } = runLabel(model, say);
  const title = [`${symbol} *${escapedLine(model.crew, 80)}: ${word}*`, ...facts].filter(Boolean).join(' · ');
  const lines = [title, ...declinedLines(model, details), ...stateLines(model, say), ...openCardLines(model, details)];
  return lines.join('\n');
}

/**
 * Shows the tasks once each has a name, until all are done. A crew may count tasks that it never names: a count that differs from the
 * plan isn't shown.
 */
function planOfRoot({ plan, run, progress }: RootModel, { showsPlan, whoFor, say }: RootDetails): PlanBlock | null {
  if (!showsPlan || run.status === 'completed' || plan.some(({ name }) => name === null)) return null;
  const done = plan.filter(({ state }) => state.kind === 'done').length;
  const title = done === progress.completed ? tasksDone(run, progress, say) : '';
  return planBlock(plan, { title: title || say('plan.title'), whoFor, say });
}

function summary(model: RootModel, { name, say }: RootDetails): string {
  const { symbol, word } = runLabel(model, say);
  const { openCard } = model;
  const task = openCard?.taskName ? escapedLine(openCard.taskName, 100) : '';
  const asks = task === '' ? say('run.approval-open') : say('run.approval-open-for', { task });
  const isAsking = openCard?.undelivered === null;
  const title = [`${symbol} ${escapedLine(model.crew, 100)}: ${word}`, aboutText(model.about)].filter(Boolean);
  return `${title.join(' · ')}. ${startedBy(model, { name, say })}.${isAsking ? ` ${asks}` : ''}`;
}

function stateLines(model: RootModel, say: Say): string[] {
  const { run } = model;
  const own = [runExplanation(model, say), connectionProblem(model, say)].filter((each) => each !== null);
  const detail = run.status === 'not-started' ? run.refusal.detail : run.status === 'failed' ? run.error : '';
  const reason = detail.trim() === '' ? [] : [say('start.crew-said', { text: escapedLine(detail, 400) })];
  // Nothing else shows that Signoff refused what the crew sent beyond a limit.
  const limits = (model.limitsMet ?? []).map((limit) => `⚠️ ${say(`problem.limit.${limit}`, { most: LIMITS[limit] })}`);
  const workflow = model.untoldWorkflow ? [`❓ ${say(`problem.workflow-${model.untoldWorkflow}`)}`] : [];
  return [...own.map(escapeMrkdwn), ...reason, ...limits, ...workflow];
}

const LIMITS: Record<Limit, number | string> = {
  'open-requests': MOST_OPEN_REQUESTS,
  rounds: MOST_ROUNDS,
  requests: MOST_REQUESTS,
  texts: '',
};

const REASON_LIMIT = 200;
const REASON_LINES = 4;

function declinedLines({ declined, run }: RootModel, { controlUrl, name, say }: RootDetails): string[] {
  if (!declined) return [];
  const { decision, closed } = declined;
  const by = decision.by ? nameIn(name, decision.by) : say('who.nobody');
  const link =
    controlUrl === undefined ? [] : [`<${escapeMrkdwn(controlUrl)}|${escapeMrkdwn(endLabel(controlUrl, say))}>`];
  return [
    say('run.declined-by', { name: by }),
    ...reasonLines(decision.feedback ?? ''),
    ...(closed > 0 ? [say('run.declined-others', { count: closed })] : []),
    ...(hasEnded({ run }) ? [] : [[say('run.declined-next'), ...link].join(' ')]),
  ];
}

/** Quotes the beginning of a reason line by line, so that a list stays one. */
function reasonLines(reason: string): string[] {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  const quotes = lines
    .slice(0, REASON_LINES)
    .map((line) => escapedLine(line.replace(/^\s*[-*+] +/, '• '), REASON_LIMIT));
  return [...quotes, ...(lines.length > quotes.length ? ['…'] : [])].map((line) => `> ${line}`);
}

function openCardLines({ openCard, crewMissing }: RootModel, { cardLink, say }: RootDetails): string[] {
  if (!openCard) return [];
  const { taskName, round, undelivered } = openCard;
  const task = taskName ? [escapedLine(taskName, 100)] : [];
  const what = [...task, ...(round > 1 ? [say('run.round', { round })] : [])].join(' · ');
  const where = cardLink ? `<${escapeMrkdwn(cardLink)}|${say('alert.open')}>` : say('run.posting-approval');
  const line = what === '' ? where : `${where}: ${what}`;
  if (crewMissing) return [line];
  if (undelivered === 'run-unknown') return [say('problem.run-unknown'), line];
  const isSentLater = undelivered === 'unreachable' || undelivered === 'busy';
  return isSentLater ? [`⏳ ${say(`problem.unsent-${undelivered}`)}`, line] : [line];
}

function foot(model: RootModel, { now, name, labelOf, say }: RootDetails): KnownBlock {
  const { unfollowed, createdAt, inputs } = model;
  const times = [startedBy(model, { name, say }), slackDate(createdAt, say), ...timeSpent(model, now, say)].join(' · ');
  const by = unfollowed && { name: nameIn(name, unfollowed.by), when: slackDate(unfollowed.at, say) };
  const lines = [times, inputsLine(restOf(inputs, say), labelOf, say), by ? `⏹️ ${say('tracking.stopped', by)}` : ''];
  return context(lines.filter(Boolean).join('\n'));
}

function timeSpent({ run, createdAt, unfollowed }: RootModel, now: Millis, say: Say): string[] {
  const { status } = run;
  if (status === 'completed' || status === 'failed')
    return [say('run.took', { duration: duration(run.endedAt - createdAt, say) })];
  const isLive = status === 'starting' || status === 'running' || status === 'waiting';
  if (!isLive || unfollowed || now - createdAt < 10_000) return [];
  return [say('run.so-far', { duration: roughly(now - createdAt, say) })];
}

/** Returns the menu of a run, with at most five entries. */
function runMenu(model: RootModel, say: Say): Overflow {
  const entry = (actionId: RunAction) => ({ actionId, label: say(LABELS[actionId]) });
  return menu([...runActions(model).map(entry), ...runEntries(say)], model.ref);
}

type RunAction = keyof typeof LABELS;

const LABELS = {
  show_activity: 'activity.button',
  run_again: 'reply.run-again',
  stop_following: 'tracking.stop',
} as const satisfies Partial<Record<ActionId, MessageKey>>;

function runActions({ run, unfollowed, openCard }: RootModel): RunAction[] {
  const stop: RunAction[] = unfollowed ? [] : ['stop_following'];
  const again: RunAction[] = openCard?.undelivered === 'run-unknown' ? ['run_again'] : [];
  switch (run.status) {
    case 'starting':
    case 'running':
    case 'waiting':
      return ['show_activity', ...again, ...stop];
    case 'lost':
      return ['show_activity', 'run_again', ...stop];
    case 'completed':
    case 'failed':
      return ['show_activity', 'run_again'];
    case 'not-started':
      return ['run_again'];
    case 'not-confirmed':
      return ['run_again', ...stop];
  }
}

/** Returns true if tracking has stopped and can go on. */
function canTrackAgain({ run, unfollowed, asked }: RootModel): boolean {
  return unfollowed !== null && !asked && run.status !== 'not-started' && !hasEnded({ run });
}

/** Returns the inputs that distinguish the run from others. A single text needs no label. Escaped mrkdwn. */
function inputsInTitle({ inputs, about }: RootModel, { labelOf, say }: Pick<RootDetails, 'labelOf' | 'say'>): string {
  const telling = tellingInputs({ inputs });
  const isPlain = telling.every(({ name }) => typeof inputs[name] === 'string') && telling.length < 2;
  const words = Object.fromEntries(telling.map(({ name, words }) => [name, words]));
  return isPlain ? aboutText(about) : inputsLine(words, labelOf, say);
}

/** Returns the inputs that the title doesn't say in full. */
function restOf(inputs: Inputs, say: Say): Inputs {
  const inTitle = new Map(tellingInputs({ inputs }).map(({ name, words }) => [name, words]));
  return Object.fromEntries(
    Object.entries(inputs).filter(([name, value]) => inTitle.get(name) !== valueText(value, say)),
  );
}

/** Says how many tasks are done, unless a plan says it, and what an agent is doing. Escaped mrkdwn. */
function progressLine(
  { run, progress, openCard, unfollowed, declined }: RootModel,
  { latestStep, say }: RootDetails,
  tasks: 'counted' | 'in-plan',
): string {
  const isLive = !unfollowed && !declined && (run.status === 'running' || (run.status === 'waiting' && !openCard));
  const current = tasks === 'counted' ? escapedLine(progress.current ?? '', 200) : '';
  const activity = latestStep ? escapeMrkdwn(stepWords(latestStep, STEP_LIMIT, say)) : current;
  const done = tasks === 'counted' ? tasksDone(run, progress, say) : '';
  return [done, isLive ? activity : ''].filter(Boolean).join(' · ');
}

const STEP_LIMIT = 200;

/** Says how many tasks are done. Crews don't report every task, so the number may never reach the total; an ended run shows none. */
function tasksDone(run: Run, { completed, total }: Progress, say: Say): string {
  if (completed === 0 || hasEnded({ run })) return '';
  return total === null
    ? say('run.tasks-done', { count: completed })
    : say('run.tasks-done-of', { done: completed, count: total });
}
