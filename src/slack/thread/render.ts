import { approvedOtherwise, reviewedTasks, reviewOf } from '../../core/execution/task-replies.ts';
import {
  type CardModel,
  type CardState,
  cardModel,
  directMessageModel,
  type RootModel,
  rootModel,
} from '../../core/messages/view-models.ts';
import type { RulesOf } from '../../core/policy/crew.ts';
import type { PossibleRules } from '../../core/policy/in-force.ts';
import { type Approver, approversUnder } from '../../core/policy/policy.ts';
import { stagesBefore } from '../../core/policy/progress.ts';
import { findRules, type RequestRules } from '../../core/policy/rules.ts';
import type { ActivityLog, OutputStore } from '../../core/ports.ts';
import { aboutExecution, aboutRequest } from '../../core/state/about.ts';
import {
  alertOf,
  type CompletedTask,
  directMessageOf,
  type Execution,
  findRequest,
  noticeOf,
  type Run,
  threadTsOf,
} from '../../core/state/execution.ts';
import { cardTsOf, ENDING, type Message, postOf, tsOf } from '../../core/state/message.ts';
import type { Rendering } from '../../core/state/post.ts';
import {
  allVotes,
  type Decision,
  decisionOf,
  type HumanRequest,
  type ResumeFailure,
  type Vote,
} from '../../core/state/request.ts';
import type { Millis } from '../../core/values/time.ts';
import { type Identity, permalink } from '../api/identity.ts';
import type { NamesOf, People } from '../api/users.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import {
  type AlertModel,
  alertNotice,
  alertReply,
  type DirectReason,
  directCard,
  directLine,
  unsentNotice,
} from '../features/card/alert.ts';
import { openCard, openCardFollowUp } from '../features/card/card.ts';
import { decidedCard, decidedCardFollowUp, peopleOnDecided } from '../features/card/decided-card.ts';
import { endingNotice, failureReply, resultReply, taskReply } from '../features/run/replies.ts';
import { rootFollowUp, rootMessage } from '../features/run/root-message.ts';
import type { Say, Sayings } from '../language/say.ts';
import { findApproverMentions, findMentions, shownMentions } from '../messages/mentions.ts';
import { canOpen, hasLentRight, isEscalatedTo, mentionedAtEnd, type RecipientPorts } from '../messages/recipients.ts';
import { type CardDetails, type CardPorts, findCardDetails, labelsOf } from '../request/card-details.ts';
import { approversIn, peopleLeft, shortageLines } from '../request/who-decides.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { FindChange } from '../ui/comparison/find-change.ts';
import { approverText, approverWords, type Mention } from '../ui/person.ts';
import type { Place } from '../ui/place.ts';
import { plainBlocks } from '../ui/plain-blocks.ts';

// Renders every message of a run as Slack gets it, from the execution's state. `thread.ts` posts and updates what it returns.

/** Sources of messages besides the state. */
export interface RenderPorts extends RecipientPorts {
  rulesOf: RulesOf;
  outputs: OutputStore;
  findChange: FindChange;
  activity: ActivityLog;
  identity: Identity;
  namesOf: NamesOf;
  languageOf: People['languageOf'];
  sayings: Sayings;
}

/** The message to render. */
export interface WantedMessage {
  execution: Execution;
  message: Message;
  rendering: Rendering;
  /** The rules of the request that it is about; null if it is about none. */
  rules: RequestRules | null;
  /** Mentions of a new card; null for an update, which keeps the mentions that the card was posted with. */
  mentions: readonly Mention[] | null;
  now: Millis;
}

/** A message together with the sentences of its reader's language. */
interface WordedMessage extends WantedMessage {
  say: Say;
}

/**
 * Renders one message as a whole from the state. `gone`: it is a file, or the state no longer has what it shows. `later`: it can't
 * be shown before Slack says who is mentioned, or before there is something to link to.
 */
export async function render(ports: RenderPorts, input: WantedMessage): Promise<Rendered | 'gone' | 'later'> {
  const say = ports.sayings.ofNamed(ports.crews, input.execution.crew);
  const rendered = await renderMessage(input.rendering === 'bare' ? withoutNames(ports) : ports, { ...input, say });
  if (rendered === null || rendered === 'gone' || rendered === 'later') return rendered ?? 'gone';
  return input.rendering === 'plain-text' ? { ...rendered, blocks: plainBlocks(rendered.blocks) } : rendered;
}

async function renderMessage(ports: RenderPorts, input: WordedMessage): Promise<Rendered | 'gone' | 'later' | null> {
  const { message, rules } = input;
  switch (message.kind) {
    case 'root':
      return renderRoot(ports, input);
    case 'card':
    case 'copy':
      return rules && renderCard(ports, input, rules);
    case 'follow-up':
      return message.approvalId === null ? renderRoot(ports, input) : rules && renderCard(ports, input, rules);
    case 'task':
      return renderTask(input, message.taskId);
    case 'ending':
      return renderEnding(ports, input);
    case 'alert':
      return rules && renderAlert(ports, input, { message, rules });
    case 'direct-message':
      return rules && renderDirectMessage(ports, input, { to: message.to, rules });
    case 'notice':
      return renderNotice(ports, input, message);
    case 'file':
      return null;
  }
}

/** Names people by their ids, which are Slack's: people choose their names, so Slack may refuse them. */
function withoutNames(ports: RenderPorts): RenderPorts {
  return { ...ports, namesOf: async () => (person) => person.id, approverNames: async () => (name) => name };
}

function renderTask({ execution, rendering, say }: WordedMessage, taskId: string): Rendered | null {
  const task = execution.tasks.find(({ id }) => id === taskId);
  if (!task) return null;
  const shownBy = reviewedTasks(execution).has(task) ? 'card' : 'reply';
  const review = reviewOf(execution, taskId);
  const approved = approvedOtherwise(execution, task)?.question.output;
  return taskReply(rendering === 'bare' ? bareTask(task) : task, {
    ref: execution.ref,
    review,
    shownBy,
    approved,
    say,
  });
}

async function renderRoot(
  ports: RenderPorts,
  { execution, message, rendering, now, say }: WordedMessage,
): Promise<Rendered> {
  const isBare = rendering === 'bare';
  const model = isBare ? bareRoot(rootModel(execution)) : rootModel(execution);
  const { openCard, starter, unfollowed, declined } = model;
  const [latestStep = null] = isBare || model.activitySeen === 0 ? [] : await ports.activity.latest(execution.ref, 1);
  const cardLink = openCard?.ts
    ? permalink(ports.identity, execution.channel, openCard.ts, threadTsOf(execution))
    : null;
  const resultLink = model.endingTs
    ? permalink(ports.identity, execution.channel, model.endingTs, threadTsOf(execution))
    : null;
  const [name, whoFor] = await Promise.all([
    ports.namesOf(starter, unfollowed?.by, declined?.decision.by),
    findApproverText(ports, { execution, now, say }),
  ]);
  const crew = ports.crews.get(execution.crew);
  const showsPlan = rendering === 'full';
  const details = {
    latestStep,
    cardLink,
    resultLink,
    showsPlan,
    whoFor,
    controlUrl: crew?.controlUrl ?? undefined,
    now,
    name,
    say,
    labelOf: labelsOf(crew),
  };
  return message.kind === 'follow-up' ? rootFollowUp(model, details) : rootMessage(model, details);
}

/** Returns the people who can decide a request by the current policy, as plain text that notifies nobody. */
async function findApproverText(
  { rulesOf, approverNames }: RenderPorts,
  { execution, now, say }: Pick<WordedMessage, 'execution' | 'now' | 'say'>,
): Promise<(approvalId: string) => string> {
  const crewRules = rulesOf(execution.crew);
  const approversOf = (request: HumanRequest) => {
    const { policies } = findRules(crewRules, { execution, request, now });
    return approversUnder(policies);
  };
  const pending = execution.requests.filter(({ state: { status } }) => status === 'pending');
  const approvers = pending.flatMap(approversOf).filter(({ kind }) => kind !== 'workspace');
  const name = await approverNames(approvers);
  return (approvalId) => {
    const request = findRequest(execution, approvalId);
    return approverText(request ? approversOf(request) : [], name, say);
  };
}

async function renderEnding(
  ports: RenderPorts,
  { execution, rendering, say }: WordedMessage,
): Promise<Rendered | null> {
  const { ref, crew, createdAt, run } = execution;
  const mentioned = await mentionedAtEnd(ports, execution);
  const name = await ports.namesOf(...mentioned);
  const about = rendering === 'bare' ? '' : aboutExecution(execution);
  const ended = { ref, crew, about, mentioned, createdAt, name, rendering, say };
  switch (run.status) {
    case 'completed': {
      const output = run.result && (await ports.outputs.get(ref, run.result.hash));
      const preview = ports.crews.get(crew)?.preview ?? null;
      return resultReply({ ...ended, endedAt: run.endedAt, result: run.result, output, preview });
    }
    case 'failed':
      return failureReply({ ...ended, endedAt: run.endedAt, error: run.error });
    case 'starting':
    case 'running':
    case 'waiting':
    case 'lost':
    case 'not-started':
    case 'not-confirmed':
      return null;
  }
}

type ShownCard = Pick<WordedMessage, 'message' | 'rendering' | 'mentions' | 'say'> & Pick<CardDetails, 'isLent'>;

type RenderCardPorts = CardPorts & Pick<SlackDirectory, 'mentionsOf'>;

/** Renders a card. Details are looked up for open cards only: a closed card shows neither the text nor the people who can decide. */
export async function renderCard(ports: RenderCardPorts, card: ShownCard, rules: RequestRules): Promise<Rendered> {
  const whole = cardModel(rules.execution, rules.request);
  const model = card.rendering === 'bare' ? bareCard(whole) : whole;
  if (model.state.kind === 'pending') return renderOpenCard(ports, card, { model, rules });
  const crew = ports.crews.get(model.crew);
  const details = {
    controlUrl: crew?.controlUrl ?? undefined,
    name: await ports.namesOf(...peopleOnDecided(model)),
    labelOf: labelsOf(crew),
    say: card.say,
  };
  return card.message.kind === 'follow-up' ? decidedCardFollowUp(model, details) : decidedCard(model, details);
}

/** Renders an open card with the names of the people who can decide by the current policy. */
async function renderOpenCard(
  ports: RenderCardPorts,
  { message, isLent = false, ...rest }: ShownCard,
  { model, rules }: { model: CardModel; rules: RequestRules },
): Promise<Rendered> {
  const mentions = rest.mentions ?? shownMentions(message, rules.request.discussion);
  const [{ deciders, ...details }, approverMentions] = await Promise.all([
    findCardDetails(ports, rules, model),
    mentions.length > 0 ? findApproverMentions(ports, rules) : new Map(),
  ]);
  const preview = ports.crews.get(model.crew)?.preview ?? null;
  const { rendering, say } = rest;
  const all = {
    ...details,
    deciders: deciders && { ...deciders, approverMentions },
    isLent,
    preview,
    mentions,
    rendering,
    say,
  };
  return message.kind === 'follow-up' ? openCardFollowUp(model, all) : openCard(model, all);
}

/** Renders in the language of the person. `later` while there is nothing to link to, for example because the card was deleted. */
async function renderDirectMessage(
  ports: RenderPorts,
  input: WantedMessage,
  { to, rules }: { to: string; rules: RequestRules },
): Promise<Rendered | 'later'> {
  const { execution, rendering } = input;
  const { request } = rules;
  const root = threadTsOf(execution);
  const ts = cardTsOf(execution, request) ?? root;
  if (ts === null) return 'later';
  const { form, model } = directMessageModel(execution, request, to);
  const [language, place] = await Promise.all([
    ports.languageOf(to),
    findPlace(ports, execution, { to, link: permalink(ports.identity, execution.channel, ts, root) }),
  ]);
  const say = ports.sayings.in(language);
  if (form === 'line') {
    const name = await ports.namesOf(
      'decision' in model.state ? model.state.decision?.by : null,
      ...allVotes(request.discussion).map(({ by }) => by),
    );
    return directLine(rendering === 'bare' ? bareCard(model) : model, { place, name, say });
  }
  const isOpen = model.state.kind === 'pending';
  const isLent = isOpen && (await hasLentRight(ports, rules, to));
  const [card, reason] = await Promise.all([
    renderCard(ports, { ...input, mentions: [], isLent, say }, rules),
    isOpen ? findReason(ports, rules, to) : null,
  ]);
  const name = await ports.namesOf(reason && 'by' in reason ? reason.by : null);
  return directCard(card, { reason, askedAt: model.askedAt, place, name, say });
}

/** Returns the thread as one person can reach it: a link into a private channel is useless to people who aren't members. */
async function findPlace(
  ports: RenderPorts,
  { channel }: Execution,
  { to, link }: { to: string; link: string },
): Promise<Place> {
  return { channel, link: (await canOpen(ports, channel, to)) ? link : null };
}

/** Finds the reason why a person gets a card directly. */
async function findReason(ports: RenderPorts, rules: RequestRules, to: string): Promise<DirectReason> {
  const { execution, request } = rules;
  const handOver = request.discussion.handedOver.findLast((each) => each.to.id === to);
  if (handOver) return { kind: handOver.until === null ? 'handed-over' : 'stands-in', by: handOver.by };
  if (await isEscalatedTo(ports, rules, to)) return { kind: 'escalated' };
  const reason = directMessageOf(execution, { kind: 'direct-message', approvalId: request.id, to })?.reason;
  // The hand-over that was the reason has ended since.
  return { kind: reason === undefined || reason === 'handed-over' ? 'policy' : reason };
}

/** Renders a notice in the language of its reader. Null if there is no such notice; `later` while there is nothing to link to. */
async function renderNotice(
  ports: RenderPorts,
  { execution, rendering, rules }: WantedMessage,
  message: Extract<Message, { kind: 'notice' }>,
): Promise<Rendered | 'later' | null> {
  const notice = noticeOf(execution, message);
  const root = threadTsOf(execution);
  if (notice === null) return null;
  if (root === null) return 'later';
  const { about, to } = notice;
  const say = ports.sayings.in(await ports.languageOf(to));
  const placeOf = (ts: string | null) =>
    findPlace(ports, execution, { to, link: permalink(ports.identity, execution.channel, ts ?? root, root) });
  if (about.kind === 'ended') {
    const { run, crew, createdAt } = execution;
    if (run.status !== 'completed' && run.status !== 'failed') return null;
    const subject = rendering === 'bare' ? '' : aboutExecution(execution);
    const ended = { crew, about: subject, createdAt, endedAt: run.endedAt, say };
    return endingNotice(run.status, ended, await placeOf(tsOf(postOf(execution, ENDING))));
  }
  if (rules === null) return null;
  const { request, policies } = rules;
  const whole = cardModel(execution, request);
  const model = rendering === 'bare' ? bareCard(whole) : whole;
  const place = await placeOf(cardTsOf(execution, request));
  const { taskName, about: subject, askedAt } = model;
  switch (about.kind) {
    case 'alert': {
      const { alert: kind, by } = about;
      return alertNotice({
        kind,
        by,
        crew: execution.crew,
        about: subject,
        taskName,
        stage: stageBefore(request, policies),
        shortage: await findShortageText(ports, rules, say),
        askedAt,
        place,
        name: await ports.namesOf(by, ...allVotes(request.discussion).map((vote) => vote.by)),
        say,
      });
    }
    case 'unsent': {
      const by = decisionOf(request)?.by;
      return unsentNotice(model, {
        place,
        name: await ports.namesOf(by, ...allVotes(request.discussion).map((vote) => vote.by)),
        say,
      });
    }
  }
}

/** Renders an alert. Its mentions are looked up when it is posted; `later` while Slack can't tell who is asked. */
async function renderAlert(
  ports: RenderPorts,
  { execution, rendering, say }: WordedMessage,
  { message, rules }: { message: Extract<Message, { kind: 'alert' }>; rules: RequestRules },
): Promise<Rendered | 'gone' | 'later'> {
  const alert = alertOf(execution, message);
  if (!alert) return 'gone';
  const { request, policies } = rules;
  if (policies.length === 0) return 'later';
  // The alert is out of date.
  if (alert.kind === 'undecidable' && request.discussion.undecidable === null) return 'gone';
  if (alert.kind === 'decidable' && request.discussion.undecidable !== null) return 'gone';
  // The person who started the run is notified, although they may not be able to decide it.
  const mentions =
    alert.kind === 'undecidable'
      ? alert.mentions.map((id) => ({ kind: 'person', id }) as const)
      : await findMentions(ports, rules, alert.mentions);
  if (mentions === null) return 'later';
  const approvers = alert.kind === 'escalation' ? escalatedTo(policies) : approversUnder(policies);
  const [approverName, name] = await Promise.all([
    ports.approverNames(approvers),
    ports.namesOf(alert.by, ...allVotes(request.discussion).map((vote) => vote.by)),
  ]);
  const ts = cardTsOf(execution, request);
  return alertReply({
    kind: alert.kind,
    by: alert.by,
    crew: execution.crew,
    about: rendering === 'bare' ? '' : aboutRequest(execution, request.question),
    askedAt: request.question.askedAt,
    mentions,
    name,
    say,
    taskName: rendering === 'bare' ? null : request.question.taskName,
    stage: stageBefore(request, policies),
    shortage: await findShortageText(ports, rules, say),
    whoCan: approverWords(approvers, approverName, { say }),
    link: ts === null ? null : permalink(ports.identity, execution.channel, ts, threadTsOf(execution)),
  });
}

/** Returns why a request can't be completed; null if it can. */
export async function findShortageText(
  { namesOf, approverNames }: Pick<RenderPorts, 'namesOf' | 'approverNames'>,
  {
    request: {
      discussion: { undecidable },
    },
    policies,
  }: RequestRules,
  say: Say,
): Promise<string | null> {
  if (undecidable === null) return null;
  const { shortages } = undecidable;
  const [approverName, name] = await Promise.all([
    approverNames(approversIn(shortages)),
    namesOf(...peopleLeft(shortages)),
  ]);
  return shortageLines(shortages, { policies, approverName }, { name, say }).join(' ');
}

/** Returns the stage that was completed last, and the name of the one that is open now; null while the first is open. */
function stageBefore(request: HumanRequest, policies: readonly PossibleRules[]): AlertModel['stage'] {
  const completed = policies.flatMap((policy) => {
    const before = stagesBefore(request.discussion.stages, policy).at(-1);
    const next = policy.stages[policy.stage]?.name;
    return before && next !== undefined ? [{ ...before, next }] : [];
  });
  return completed.toSorted((one, other) => one.at - other.at).at(-1) ?? null;
}

function escalatedTo(policies: readonly PossibleRules[]): readonly Approver[] {
  return policies.flatMap(({ isEscalated, escalateTo }) => (isEscalated ? escalateTo : []));
}

// View models without the text of crews and people, for messages whose content Slack refuses for no known reason.

function bareCard(model: CardModel): CardModel {
  const bareVotes = (votes: readonly Vote[]) => votes.map((vote) => ({ ...vote, feedback: null, answer: undefined }));
  return {
    ...model,
    ...(model.inputs && { inputs: {} }),
    ...(model.why && { why: '' }),
    ...{ taskName: null, about: '', ledBy: null, votes: bareVotes(model.votes), state: bareState(model.state) },
    ...(model.stages && { stages: model.stages.map((stage) => ({ ...stage, votes: bareVotes(stage.votes) })) }),
  };
}

function bareRoot(model: RootModel): RootModel {
  const { progress, openCard, run, declined } = model;
  return {
    ...model,
    inputs: {},
    about: '',
    run: bareRun(run),
    progress: { ...progress, current: null },
    openCard: openCard && { ...openCard, taskName: null },
    ...(declined && { declined: { ...declined, decision: bareDecision(declined.decision) } }),
  };
}

function bareTask(task: CompletedTask): CompletedTask {
  return { ...task, name: null, agent: null, summary: '' };
}

function bareState(state: CardState): CardState {
  switch (state.kind) {
    case 'pending':
    case 'expired':
      return state;
    case 'undoable':
    case 'telling':
    case 'told':
    case 'declined':
      return { ...state, decision: bareDecision(state.decision) };
    case 'failed':
      return { ...state, decision: bareDecision(state.decision), failure: bareFailure(state.failure) };
    case 'superseded':
      return { ...state, decision: state.decision && bareDecision(state.decision) };
  }
}

function bareDecision(decision: Decision): Decision {
  return { ...decision, feedback: null, answer: undefined };
}

function bareFailure(failure: ResumeFailure): ResumeFailure {
  return failure.kind === 'refused' ? { ...failure, detail: '' } : failure;
}

function bareRun(run: Run): Run {
  switch (run.status) {
    case 'failed':
      return { ...run, error: '' };
    case 'not-started':
      return { ...run, refusal: { ...run.refusal, detail: '', missing: [] } };
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'lost':
    case 'not-confirmed':
      return run;
  }
}
