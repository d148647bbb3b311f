import type { Approval, Person } from '../../../core/approval/approval.ts';
import { subjectOf } from '../../../core/approval/permission.ts';
import { permits } from '../../../core/approval/policy/permits.ts';
import { isProvisional, namedIn, policyFor, taskIndexFor } from '../../../core/approval/policy/policy.ts';
import type { Execution } from '../../../core/execution/execution.ts';
import { tsOf } from '../../../core/messages/post.ts';
import { permalink } from '../../api/identity.ts';
import { otherIn } from '../../approval/denial-details.ts';
import { findPermission } from '../../approval/find-permission.ts';
import { missingCrewText } from '../../approval/missing-crew-blocks.ts';
import { ownRightText } from '../../approval/own-right-text.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { Say } from '../../language/say.ts';
import type { Rendered } from '../../ui/blocks.ts';
import { nameIn } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { type WaitingRequest, waitingRequestsMessage } from './waiting-request.ts';

/** Who can decide the requests that wait in a channel, and whether the person who asks can. @throws {StoreUnavailable} */
export async function whoInChannel(
  context: ListenerContext,
  { channel, by }: { channel: string; by: Person },
): Promise<Rendered> {
  const executions = await context.store.openIn(channel);
  const say = await context.say();
  const waiting = await Promise.all(executions.map((execution) => waitingIn(context, { execution, by, say })));
  return waitingRequestsMessage(waiting.flat(), say);
}

const NOT_CONFIGURED = { requireUserToken: false, channel: null, startedElsewhere: 'followed' } as const;

async function waitingIn(
  context: ListenerContext,
  { execution, by, say }: { execution: Execution; by: Person; say: Say },
): Promise<WaitingRequest[]> {
  const pending = execution.approvals.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return [];
  const { policy: crewPolicy, hours } = context.rulesOf(execution.crew);
  const crew = { ...NOT_CONFIGURED, ...context.crews.get(execution.crew), name: execution.crew, hours };
  const policies = crewPolicy ? pending.map((approval) => policyFor(crewPolicy, approval)) : [];
  const [{ facts }, name, approverName] = await Promise.all([
    findPermission(context, execution, [by.id]),
    context.namesOf(...pending.flatMap(peopleIn)),
    context.directory.approverNames(policies.flatMap(namedIn)),
  ]);
  const places = context.policyPlaces.get(execution.crew) ?? new Map();
  return pending.map((approval) => {
    const shown = { approval, crew, link: linkTo(context, execution, approval), name, approverName };
    if (!crewPolicy)
      return { ...shown, policy: null, placed: { places, task: null }, you: missingText(execution, say) };
    const policy = policyFor(crewPolicy, approval);
    const placed = { places, task: taskIndexFor(crewPolicy, approval) };
    const subject = subjectOf(execution, approval, Date.now());
    const permit = permits(policy, subject, by.id, facts);
    const other = permit.kind === 'denied' ? otherIn(permit.denial, approval) : null;
    const you = ownRightText(permit, {
      ...{ what: 'this', you: by.id, starterId: subject.starterId, crew: escapedLine(execution.crew, 80) },
      ...{ whoCan: null, other: other && nameIn(name, other), approverName, say },
    });
    return { ...shown, policy, isProvisional: isProvisional(crewPolicy, approval), placed, you };
  });
}

function missingText({ crew }: Execution, say: Say): string {
  return `🔌 ${missingCrewText({ crew, state: { kind: 'pending' } }, say)}`;
}

function peopleIn({ votes, handedOver }: Approval): Person[] {
  return [...votes.map(({ by }) => by), ...handedOver.flatMap(({ by, to }) => [by, to])];
}

function linkTo({ identity }: ListenerContext, { channel, root }: Execution, { card }: Approval): string | null {
  const ts = tsOf(card);
  return ts === null ? null : permalink(identity, channel, ts, tsOf(root));
}
