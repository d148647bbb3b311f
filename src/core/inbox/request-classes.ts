import type { HandOver } from '../approval/approval.ts';
import { type Approver, mustBeLookedUp } from '../approval/policy/approver.ts';
import { approversNow, type Policy, policyFor } from '../approval/policy/policy.ts';
import type { RulesOf } from '../crew.ts';

/** What bears on who may decide a request. */
export interface Judged {
  crew: string;
  channel: string;
  /** The id of the person; null if the run was started elsewhere. */
  starterId: string | null;
  taskId: string;
  taskName: string | null;
  isEscalated: boolean;
  handedOver: readonly HandOver[];
}

/** Requests that a person may decide all or none of, but for runs that they started themselves. */
export interface RequestClass {
  policy: Policy;
  isEscalated: boolean;
  handedOver: readonly HandOver[];
  /** Whom the policy names now. */
  approvers: readonly Approver[];
  /** Null where it makes no difference. */
  channel: string | null;
  /** The ids of those who started the runs, where they may not decide; otherwise none. */
  starters: Set<string>;
}

export interface Classified<Item> {
  classes: readonly RequestClass[];
  entries: readonly ClassEntry<Item>[];
}

/** A request and its class; null for one that can't be judged, since nothing is known about it. */
export interface ClassEntry<Item> {
  item: Item;
  starterId: string | null;
  in: RequestClass | null;
}

/** Puts requests that differ in nothing that matters to the policies into classes, so that few have to be judged. */
export function classify<Item>(
  items: readonly Item[],
  judgedOf: (item: Item) => Judged | null,
  rulesOf: RulesOf,
): Classified<Item> {
  const classes = new Map<string, RequestClass>();
  const policies = new Map<Policy, number>();
  const classOf = (judged: Judged): RequestClass => {
    const policy = policyFor(rulesOf(judged.crew).policy, judged);
    const number = policies.get(policy) ?? policies.size;
    policies.set(policy, number);
    const channel = dependsOnChannel(policy) ? judged.channel : null;
    const key = `${number} ${keyOf(judged, channel)}`;
    const found = classes.get(key) ?? newClass(policy, channel, judged);
    classes.set(key, found);
    if (!policy.selfApproval && judged.starterId !== null) found.starters.add(judged.starterId);
    return found;
  };
  const entries = items.map((item) => {
    const judged = judgedOf(item);
    return { item, starterId: judged?.starterId ?? null, in: judged && classOf(judged) };
  });
  return { classes: [...classes.values()], entries };
}

function newClass(policy: Policy, channel: string | null, { isEscalated, handedOver }: Judged): RequestClass {
  const approvers = approversNow(policy, { isEscalated });
  return { policy, channel, isEscalated, handedOver, approvers, starters: new Set() };
}

/** What a class is about, but for the policy. */
function keyOf({ isEscalated, handedOver }: Judged, channel: string | null): string {
  const handed = handedOver.length === 0 ? '' : JSON.stringify(handedOver.map(({ to, until }) => [to.id, until]));
  return `${isEscalated ? 'escalated' : ''} ${channel ?? ''} ${handed}`;
}

/** The members of a private channel alone see what all of the workspace may decide there. */
function dependsOnChannel({ approvers, escalateTo }: Policy): boolean {
  return [...approvers, ...escalateTo].some(({ kind }) => kind === 'channel' || kind === 'workspace');
}

/** What has to be found out before a person is judged. */
export interface NeededFacts {
  /** Groups, handles and addresses. */
  approvers: readonly Approver[];
  /** The channels whose members are approvers. */
  membersOf: ReadonlySet<string>;
  /** The channels of requests that all of the workspace may decide, and their members if they are private. */
  privacyOf: ReadonlySet<string>;
}

export function neededFacts(classes: readonly RequestClass[]): NeededFacts {
  const named = new Map<string, Approver>();
  const [membersOf, privacyOf] = [new Set<string>(), new Set<string>()];
  for (const { approvers, channel } of classes) {
    for (const approver of approvers) {
      if (approver.kind === 'channel') membersOf.add(channel ?? '');
      else if (approver.kind === 'workspace') privacyOf.add(channel ?? '');
      else if (mustBeLookedUp(approver)) named.set(approver.name, approver);
    }
  }
  return { approvers: [...named.values()], membersOf, privacyOf };
}
