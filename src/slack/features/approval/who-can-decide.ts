import type { KnownBlock, ModalView } from '@slack/types';
import type { Approval, Person } from '../../../core/approval/approval.ts';
import { findPermitted, type Refusal, whyClosed } from '../../../core/approval/permission.ts';
import { HANDED_OVER, type Permit } from '../../../core/approval/policy/evaluate.ts';
import {
  type Approver,
  type CrewPolicy,
  isProvisional,
  namedIn,
  parseApprover,
  policyFor,
  taskIndexFor,
} from '../../../core/approval/policy/policy.ts';
import { policyStatements } from '../../../core/approval/policy/statements.ts';
import { type Execution, findApproval } from '../../../core/execution/execution.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { ok, type Result, refuse } from '../../../core/result.ts';
import { showModal } from '../../app/answers.ts';
import { clickOf } from '../../app/click.ts';
import type { ActionListener, ListenerContext } from '../../app/context.ts';
import type { Say } from '../../language/say.ts';
import { bulleted, context, section } from '../../ui/blocks.ts';
import { type ApprovalKey, parseApprovalValue } from '../../ui/button-value.ts';
import { modal, nextStepButtons } from '../../ui/modal.ts';
import type { ApproverName } from '../../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { findPermission, unknownTo } from './change-request.ts';
import { type DenialDetails, denialText, findDenialDetails, nextStep } from './denial.ts';
import { sentenceWithPlace } from './policy-sentences.ts';
import { tellRefusal } from './refusal.ts';

/** Shows the policy of a request, where it stands in the settings, and what it means for the person; changes nothing. */
export const onWhoCanDecide: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const judged = await findJudged(context, parseApprovalValue(click.value), context.person);
  await ack();
  if (!judged.ok) return tellRefusal(context, click, { refusal: judged.refusal, action: 'do' });
  const { crew } = judged.value.execution;
  const { policy } = context.rulesOf(crew);
  if (policy === null) await tellRefusal(context, click, { refusal: { kind: 'crew-missing', crew }, action: 'do' });
  else await showModal(context, click, await viewOf(context, judged.value, policy));
};

/** A request, and what the policy says about one person. */
interface JudgedRequest {
  key: ApprovalKey;
  by: Person;
  execution: Execution;
  approval: Approval;
  permit: Permit;
}

/** Strangers only learn that it isn't for them. */
async function findJudged(
  context: ListenerContext,
  key: ApprovalKey | null,
  by: Person,
): Promise<Result<JudgedRequest, Refusal>> {
  const found = key && (await context.store.load(key.ref));
  if (!key || !found) return refuse(await unknownTo(context, by));
  const { execution, now } = found;
  const permission = await findPermission(context, execution, [by.id]);
  const permitted = findPermitted(execution, key.approvalId, { personId: by.id, now, ...permission });
  const request = { key, by, execution };
  if (permitted.ok) {
    const { approval, rule, right } = permitted.value;
    return ok({ ...request, approval, permit: { kind: 'permitted', rule, rights: [right] } });
  }
  const approval = findApproval(execution, key.approvalId);
  const denial = permitted.refusal.kind === 'denied' ? permitted.refusal.denial : null;
  if (!approval || !denial || denial.kind === 'stranger') return permitted;
  return ok({ ...request, approval, permit: { kind: 'denied', denial } });
}

async function viewOf(context: ListenerContext, judged: JudgedRequest, crewPolicy: CrewPolicy): Promise<ModalView> {
  const { crew } = judged.execution;
  const { taskName } = judged.approval;
  const policy = policyFor(crewPolicy, judged.approval);
  const approverName = await context.directory.approverNames(namedIn(policy));
  const say = await context.say();
  const places = context.policyPlaces.get(crew) ?? new Map();
  const task = taskIndexFor(crewPolicy, judged.approval);
  const nameOf = ({ name }: Approver) => approverName(name);
  const configured = context.crews.get(crew);
  const statements = configured ? policyStatements({ policy, crew: configured }) : [];
  const sentences = statements.map((each) => sentenceWithPlace(each, { places, task, say, nameOf }));
  const { you, more } = await verdictOn(context, judged, approverName);
  return whoModal({
    crew,
    taskName,
    isProvisional: isProvisional(crewPolicy, judged.approval),
    sentences,
    you,
    more,
    say,
  });
}

async function verdictOn(
  context: ListenerContext,
  { key, by, execution, approval, permit }: JudgedRequest,
  approverName: ApproverName,
): Promise<Pick<Parameters<typeof whoModal>[0], 'you' | 'more'>> {
  const say = await context.say();
  if (whyClosed(approval)) return { you: `⏹️ ${say('right.closed')}`, more: [] };
  const denial = permit.kind === 'denied' ? permit.denial : null;
  const details = await findDenialDetails(context, { you: by.id, denial, execution, approval });
  const hasVoted = permit.kind === 'permitted' && approval.votes.some((vote) => vote.by.id === by.id);
  const voted = hasVoted ? ` ${say('right.voted')}` : '';
  const you = `${ownRightText(permit, { ...details, approverName })}${voted}`;
  return { you, more: denial ? nextStepButtons(nextStep(denial, { key, crew: execution.crew }), say) : [] };
}

/** What the rule of a request means for one person. */
interface WhoCanDecide extends Pick<CardModel, 'crew' | 'taskName'> {
  /** Whether other rules may apply once the crew has named the task. */
  isProvisional?: boolean;
  /** The rule in plain sentences. */
  sentences: readonly string[];
  /** Whether this person can decide, and why; mrkdwn. */
  you: string;
  /** What they can do about it. */
  more: readonly KnownBlock[];
  say: Say;
}

/** Says who can decide a request, and whether the person who asks can. */
export function whoModal({ crew, taskName, isProvisional, sentences, you, more, say }: WhoCanDecide): ModalView {
  const task = taskName ? ` · ${say('text.quoted', { text: escapedLine(taskName, 120) })}` : '';
  return modal({
    callbackId: 'who_can_decide',
    title: say('who.title'),
    close: say('modal.close'),
    blocks: [
      context(`*${escapedLine(crew, 80)}*${task}`),
      section(you),
      ...more,
      ...(isProvisional ? [section(say('who.unnamed'))] : []),
      ...bulleted(sentences.slice(0, MOST_SENTENCES).map(escapeMrkdwn)).map(section),
    ],
  });
}

/** As many as a modal holds, however long they are. */
const MOST_SENTENCES = 20;

interface OwnRight extends Omit<DenialDetails, 'what'> {
  /** `others`: a crew's requests except those of runs that the person started. */
  what: DenialDetails['what'] | 'others';
  approverName: ApproverName;
}

/** Whether the person who asks can do something, by which rule, or why not; mrkdwn. */
export function ownRightText(permit: Permit, details: OwnRight): string {
  const { what } = details;
  return permit.kind === 'permitted'
    ? `✅ ${permittedText(permit.rule, details)}`
    : `🚫 ${denialText(permit.denial, { ...details, what: what === 'others' ? 'requests' : what })}`;
}

function permittedText(rule: string, { what, crew, approverName, say }: OwnRight): string {
  const can = say('right.can', { what, crew: crew ?? '' });
  if (rule === HANDED_OVER) return say('right.handed-over', { can });
  switch (parseApprover(rule)?.kind) {
    case 'group':
    case 'handle':
      return say('right.group', { can, group: escapedLine(approverName(rule), 80) });
    case 'channel':
      return say('right.channel', { can });
    case 'person':
    case 'email':
    case 'workspace':
    case undefined:
      return say('right.plain', { can });
  }
}
