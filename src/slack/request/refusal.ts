// Why nothing happened, for the person who clicked or submitted, and what they can do about it.
import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { NO_STEP } from '../../core/messages/private-answers.ts';
import type { Action, Refusal } from '../../core/policy/refusal.ts';
import { type Execution, findRequest, type NextStep, threadTsOf } from '../../core/state/execution.ts';
import { cardTsOf } from '../../core/state/message.ts';
import type { HumanRequest, Person } from '../../core/state/request.ts';
import type { Result } from '../../core/values/result.ts';
import { type Identity, permalink } from '../api/identity.ts';
import type { Say } from '../language/say.ts';
import { answerClick, showModal } from '../listening/answers.ts';
import { type Click, clickOf } from '../listening/click.ts';
import { type ActionListener, type ListenerContext, refusalFacts, type ViewAnswer } from '../listening/context.ts';
import { answerInPlace, modalKey } from '../listening/modals.ts';
import { context, preformatted, section } from '../ui/blocks.ts';
import { parseApprovalValue, parseRef } from '../ui/button-value.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { answerModal, modalOf, nextStepButtons } from '../ui/modal.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { seconds, slackDate } from '../ui/text/moment.ts';
import { stageName } from './card-state.ts';
import { type DecidableRequest, findDecidableRequest } from './change-request.ts';
import { type DenialDetails, denialText, findDenialDetails, findOwners, nextStep, takeOverText } from './denial.ts';
import { feedbackBlockIn } from './feedback-modal.ts';
import { NOTE_BLOCK } from './note-modals.ts';
import { showNext } from './outcome.ts';

interface Refused {
  refusal: Refusal;
  action: Action | 'edit' | 'do';
}

/**
 * Tells only the person who clicked why nothing happened, and what they can do about it. If nothing is left to decide about the text
 * that they were reading, the same window goes on with what waits next.
 */
export async function showRefusal(context: ListenerContext, click: Click, refused: Refused): Promise<void> {
  const { refusal } = refused;
  context.addToLog(refusalFacts(refusal));
  const { text, next } = await explainRefusal(context, click.value, refusal);
  const say = await context.say();
  const title = refusalTitle(refused, say);
  const seen = parseApprovalValue(click.value);
  if (click.view && seen?.isRead && isOver(refusal)) {
    const result = [section(text), ...nextStepButtons(next, say)];
    if (await showNext(context, modalKey(click.view), { title, result, seen })) return;
  }
  await answerClick(context, click, { title, text, next });
}

/** Says what became of the request, or else what the person can't do. */
export function refusalTitle({ refusal, action }: Refused, say: Say): string {
  if (refusal.kind === 'already-decided') return say(`refusal.title-${refusal.decision.verdict}`);
  if (refusal.kind === 'superseded') return say(`refusal.title-${refusal.by}`);
  if (refusal.kind === 'expired' || refusal.kind === 'other-text') return say(`refusal.title-${refusal.kind}`);
  return say(`refusal.cant-${action}`);
}

/** Returns true if nobody can decide any more about the text that the person was reading. */
export function isOver({ kind }: Refusal): boolean {
  return kind === 'already-decided' || kind === 'superseded' || kind === 'expired' || kind === 'other-text';
}

/** Answers a modal whose decision was refused, and gives back what the person typed. `typed`: null if there was no field. */
export async function answerWithRefusal(
  context: ListenerContext,
  view: ViewOutput,
  { typed, ...refused }: Refused & { typed: string | null },
): Promise<ViewAnswer> {
  const { refusal } = refused;
  context.addToLog(refusalFacts(refusal));
  const say = await context.say();
  if (refusal.kind === 'denied' && refusal.denial.kind === 'stranger') return strangerAnswer(say);
  const missing = missingField(refusal, view, say);
  if (missing) return { response_action: 'errors', errors: missing };
  const { text, next } = await explainRefusal(context, view.private_metadata, refusal);
  const more = nextStepButtons(next, say);
  return answerInPlace(
    view,
    typed === null
      ? answerModal(say, { title: refusalTitle(refused, say), text, more })
      : lateFeedbackModal(text, { typed, more }, say),
  );
}

/** Returns what a field lacks, to be shown beside it. Null for any other refusal, and for an older form without the field. */
function missingField(refusal: Refusal, { state: { values } }: ViewOutput, say: Say): Record<string, string> | null {
  const beside = (field: string, text: string) => (field in values ? { [field]: text } : null);
  if (refusal.kind === 'note-missing') return beside(NOTE_BLOCK, say('refusal.note-missing'));
  const field = feedbackBlockIn(values);
  if (refusal.kind === 'feedback-missing') return beside(field, say('refusal.feedback-missing-here'));
  return refusal.kind === 'reason-missing' ? beside(field, say('refusal.reason-missing')) : null;
}

export function strangerAnswer(say: Say): ViewAnswer {
  return {
    response_action: 'update',
    view: answerModal(say, { title: say('refusal.cant-do'), text: say('denial.stranger') }),
  };
}

/** Returns a listener that opens a modal about a request, if the person can still decide it. */
export function modalOpener(
  action: Action,
  render: (context: ListenerContext, request: DecidableRequest & { by: Person }) => Promise<Result<ModalView, Refusal>>,
  actionInTitle: Refused['action'] = action,
): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    const key = parseApprovalValue(click.value);
    const by = context.person;
    const decidable = await findDecidableRequest(context, { key, by, action, message: click.message });
    const modal = decidable.ok ? await render(context, { ...decidable.value, by }) : decidable;
    await ack();
    if (modal.ok) await showModal(context, click, modal.value);
    else await showRefusal(context, click, { refusal: modal.refusal, action: actionInTitle });
  };
}

/** A recent state is good enough to name people. */
const RECENT_MS = 60_000;

/**
 * Says why an action changed nothing, and who can decide instead, as mrkdwn. `value`: that of the clicked button, or the metadata of the
 * submitted modal. Never throws.
 */
export async function explainRefusal(
  context: ListenerContext,
  value: string,
  refusal: Refusal,
): Promise<{ text: string; next: NextStep }> {
  const denial = refusal.kind === 'denied' ? refusal.denial : null;
  const key = parseApprovalValue(value);
  const isAboutRequest = denial ? denial.kind !== 'stranger' : ['other-text', 'lent-right'].includes(refusal.kind);
  const execution = isAboutRequest ? await recentExecution(context, parseRef(value)) : null;
  const request = execution && key ? findRequest(execution, key.approvalId) : null;
  const [name, details] = await Promise.all([
    context.namesOf(...peopleIn(refusal)),
    findDenialDetails(context, { you: context.person.id, denial, execution, request }),
  ]);
  const next = denial && key && execution ? nextStep(denial, { key, crew: execution.crew }) : NO_STEP;
  const isUseful = next.kind !== 'ask' || (details.whoCan ?? null) !== null;
  const card = request && execution ? cardAddress(context.identity, execution, request) : null;
  const whoCanAdd = refusal.kind === 'lent-right' ? await findOwners(context, execution, request) : null;
  return { text: refusalText(refusal, { ...details, name, card, whoCanAdd }), next: isUseful ? next : NO_STEP };
}

function cardAddress(identity: Identity, execution: Execution, request: HumanRequest): string | null {
  const threadTs = threadTsOf(execution);
  const ts = cardTsOf(execution, request) ?? threadTs;
  return ts === null ? null : permalink(identity, execution.channel, ts, threadTs);
}

async function recentExecution({ store, log }: ListenerContext, ref: string | null): Promise<Execution | null> {
  if (ref === null) return null;
  try {
    return (await store.load(ref, { mostAgeMs: RECENT_MS }))?.execution ?? null;
  } catch (error) {
    log.warn({ ref, err: error }, 'could not find out who can decide instead');
    return null;
  }
}

function peopleIn(refusal: Refusal): (Person | null)[] {
  if (refusal.kind === 'already-decided') return [refusal.decision.by];
  if (refusal.kind === 'lent-right') return [refusal.giver];
  return refusal.kind === 'cannot-take-over' ? [refusal.to] : [];
}

export interface RefusalDetails extends DenialDetails {
  name: NameOf;
  /** Address of the request's card. Null if it isn't known. */
  card: string | null;
  /** People who can add an approver, escaped. Null if nobody may be named. */
  whoCanAdd: string | null;
}

/** Says why a click changed nothing. Mrkdwn with escaped names. */
export function refusalText(refusal: Refusal, details: RefusalDetails): string {
  const { name, card, whoCanAdd, say } = details;
  switch (refusal.kind) {
    case 'unknown':
      return say('answer.no-longer-known');
    case 'denied':
      return denialText(refusal.denial, details);
    case 'facts-needed':
      return say('refusal.unsure');
    case 'crew-missing':
      return say('missing-crew.refusal', { crew: escapedLine(refusal.crew, 80) });
    case 'other-text':
      return `${say('refusal.other-text')}${card === null ? '' : ` <${escapeMrkdwn(card)}|${say('alert.open')}>`}`;
    case 'already-decided': {
      const { verdict, by, at } = refusal.decision;
      if (by === null) return say('refusal.rejected-by-time');
      return say(`refusal.${verdict}-already`, { name: nameIn(name, by), when: slackDate(at, say) });
    }
    case 'superseded':
      return say(`refusal.${refusal.by}`);
    case 'too-soon':
      return say('refusal.too-soon', { time: seconds(refusal.afterMs, say) });
    case 'no-vote':
      return refusal.stage === undefined
        ? say('refusal.no-vote')
        : say('refusal.stage-complete', { stage: stageName(refusal.stage) });
    case 'cannot-take-over':
      return takeOverText(refusal.denial, { who: nameIn(name, refusal.to), say });
    case 'lent-right': {
      const why = say('refusal.lent-right', { name: nameIn(name, refusal.giver) });
      return whoCanAdd === null ? why : `${why} ${say('refusal.who-can-add', { people: whoCanAdd })}`;
    }
    case 'asked-lately':
      return say('refusal.asked-lately', { when: slackDate(refusal.at, say) });
    case 'other-outcome':
      return say('refusal.other-outcome', { outcome: escapedLine(refusal.outcome, 80) });
    case 'expired':
    case 'sign-in-needed':
    case 'no-decision':
    case 'no-delegation':
    case 'feedback-missing':
    case 'reason-missing':
    case 'note-missing':
    case 'feedback-not-taken':
    case 'notes-not-taken':
    case 'outcome-needed':
    case 'answer-needed':
    case 'other-answer':
    case 'nothing-to-send':
    case 'nobody-left':
      return say(`refusal.${refusal.kind}`);
  }
}

/** Says why feedback or a note was not sent, as mrkdwn, and gives back what the person typed, for copying. */
export function lateFeedbackModal(
  why: string,
  { typed, more = [] }: { typed: string; more?: readonly KnownBlock[] },
  say: Say,
): ModalView {
  const blocks = [section(why), ...more, context(say('late.typed')), preformatted(typed, TYPED_TEXT_LIMIT)];
  return modalOf(say, { title: say('late.title'), blocks });
}
