import type { ModalView } from '@slack/types';
import type { Approval, Person } from '../../core/approval/approval.ts';
import { findPermitted } from '../../core/approval/permission.ts';
import type { Approver } from '../../core/approval/policy/approver.ts';
import type { Permit } from '../../core/approval/policy/permits.ts';
import { type CrewPolicy, isProvisional, namedIn, policyFor, taskIndexFor } from '../../core/approval/policy/policy.ts';
import { policyStatements } from '../../core/approval/policy/statements.ts';
import { type Refusal, whyClosed } from '../../core/approval/refusal.ts';
import { type Execution, findApproval } from '../../core/execution/execution.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import { showModal } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ActionListener } from '../interaction/listeners.ts';
import type { ApproverName } from '../ui/approver-words.ts';
import { type ApprovalKey, parseApprovalValue } from '../ui/button-value.ts';
import { nextStepButtons } from '../ui/next-step.ts';
import { unknownTo } from './change-request.ts';
import { findDenialDetails } from './denial-details.ts';
import { findPermission } from './find-permission.ts';
import { nextStep } from './next-step.ts';
import { ownRightText } from './own-right-text.ts';
import { sentenceWithPlace } from './policy-sentences.ts';
import { tellRefusal } from './refused-click.ts';
import { whoModal } from './who-modal.ts';

/** A request as one person sees it: what the policy says about them. */
interface Seen {
  key: ApprovalKey;
  by: Person;
  execution: Execution;
  approval: Approval;
  permit: Permit;
}

/** Shows the rule of a request, where it stands, and what it means for the person; changes nothing. */
export const onWhoCanDecide: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const seen = await findSeen(context, parseApprovalValue(click.value), context.person);
  await ack();
  if (!seen.ok) return tellRefusal(context, click, seen.refusal);
  const { crew } = seen.value.execution;
  const { policy } = context.rulesOf(crew);
  if (policy === null) await tellRefusal(context, click, { kind: 'crew-missing', crew });
  else await showModal(context, click, await viewOf(context, seen.value, policy));
};

/** Strangers only learn that it isn't for them. */
async function findSeen(context: ListenerContext, key: ApprovalKey | null, by: Person): Promise<Result<Seen, Refusal>> {
  const found = key && (await context.store.load(key.ref));
  if (!key || !found) return refuse(await unknownTo(context, by));
  const { execution, now } = found;
  const permission = await findPermission(context, execution, [by.id]);
  const permitted = findPermitted(execution, key.approvalId, { personId: by.id, now, ...permission });
  const seen = { key, by, execution };
  if (permitted.ok) {
    const { approval, rule, right } = permitted.value;
    return ok({ ...seen, approval, permit: { kind: 'permitted', rule, rights: [right] } });
  }
  const approval = findApproval(execution, key.approvalId);
  const denial = permitted.refusal.kind === 'denied' ? permitted.refusal.denial : null;
  if (!approval || !denial || denial.kind === 'stranger') return permitted;
  return ok({ ...seen, approval, permit: { kind: 'denied', denial } });
}

async function viewOf(context: ListenerContext, seen: Seen, crewPolicy: CrewPolicy): Promise<ModalView> {
  const { crew } = seen.execution;
  const { taskName } = seen.approval;
  const policy = policyFor(crewPolicy, seen.approval);
  const approverName = await context.directory.approverNames(namedIn(policy));
  const say = await context.say();
  const placed = { places: context.policyPlaces.get(crew) ?? new Map(), task: taskIndexFor(crewPolicy, seen.approval) };
  const wording = { say, nameOf: ({ name }: Approver) => approverName(name) };
  const configured = context.crews.get(crew);
  const statements = configured ? policyStatements({ policy, crew: configured }) : [];
  const sentences = statements.map((each) => sentenceWithPlace(each, { ...placed, ...wording }));
  const named = { crew, taskName, isProvisional: isProvisional(crewPolicy, seen.approval) };
  return whoModal({ ...named, sentences, say, ...(await verdictOn(context, seen, approverName)) });
}

async function verdictOn(
  context: ListenerContext,
  { key, by, execution, approval, permit }: Seen,
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
