import type { HandOver } from '../approval/approval.ts';
import {
  type Approver,
  approversNow,
  barredStarters,
  type CrewPolicy,
  mustBeLookedUp,
  type Policy,
  policyFor,
} from '../approval/policy/policy.ts';
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
  /** Whether the runs were started elsewhere, and nobody may decide who counts as their starter. */
  isElsewhere: boolean;
}

/** Requests with the places of their classes and starters, in columns: a person's list looks at each of thousands. */
export interface Classified<Item> {
  items: readonly Item[];
  classes: readonly RequestClass[];
  /** The ids of those who started runs. */
  starters: readonly string[];
  /** Of each item; -1 for one that can't be judged, since nothing is known about it, or no policy of its crew. */
  classOf: Int32Array;
  /** Of each item; -1 for one that was started elsewhere. */
  starterOf: Int32Array;
}

/** Puts requests that differ in nothing that matters to the policies into classes, so that few have to be judged. */
export function classify<Item>(
  items: readonly Item[],
  judgedOf: (item: Item) => Judged | null,
  rulesOf: RulesOf,
): Classified<Item> {
  const policyOf = policiesOf(rulesOf);
  const [classes, starters] = [new Places<RequestClass>(), new Places<string>()];
  const [classOf, starterOf] = [new Int32Array(items.length).fill(-1), new Int32Array(items.length).fill(-1)];
  items.forEach((item, i) => {
    const judged = judgedOf(item);
    if (!judged) return;
    const { starterId } = judged;
    if (starterId !== null) starterOf[i] = starters.of(starterId, () => starterId);
    const found = policyOf(judged);
    if (!found) return;
    const { policy, name, isAboutChannel } = found;
    const channel = isAboutChannel ? judged.channel : null;
    const elsewhere = starterId === null ? barredStarters(policy, null) : [];
    const kind = elsewhere.length > 0 ? `${name}elsewhere ` : name;
    const place = classes.of(kind + keyOf(judged, channel), () => newClass(policy, channel, judged, elsewhere));
    classOf[i] = place;
    if (starterId !== null && !policy.selfApproval) classes.items[place]?.starters.add(starterId);
  });
  return { items, classes: classes.items, starters: starters.items, classOf, starterOf };
}

interface KnownPolicy {
  policy: Policy;
  /** Unlike all others. */
  name: string;
  isAboutChannel: boolean;
}

/** The policies of tasks, about each of which little has to be found out but once; null where the crew isn't configured. */
function policiesOf(rulesOf: RulesOf): (judged: Judged) => KnownPolicy | null {
  const ofCrews = new Map<string, CrewPolicy | null>();
  const known = new Map<Policy, KnownPolicy>();
  return (judged) => {
    const ofCrew = ofCrews.get(judged.crew) ?? rulesOf(judged.crew).policy;
    ofCrews.set(judged.crew, ofCrew);
    const policy = policyFor(ofCrew, judged);
    if (!policy) return null;
    const found = known.get(policy) ?? { policy, name: `${known.size} `, isAboutChannel: isAboutChannel(policy) };
    known.set(policy, found);
    return found;
  };
}

/** Gives each key a place in a list. */
class Places<Item> {
  readonly items: Item[] = [];
  readonly #places = new Map<string, number>();

  of(key: string, make: () => Item): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.items.push(make()) - 1;
    this.#places.set(key, place);
    return place;
  }
}

function newClass(
  policy: Policy,
  channel: string | null,
  { isEscalated, handedOver }: Judged,
  elsewhere: readonly Approver[],
): RequestClass {
  const approvers = approversNow(policy, { isEscalated });
  const starters = new Set(elsewhere.filter(({ kind }) => kind === 'person').map(({ name }) => name));
  return { policy, channel, isEscalated, handedOver, approvers, starters, isElsewhere: elsewhere.length > 0 };
}

/** What a class is about, but for the policy. */
function keyOf({ isEscalated, handedOver }: Judged, channel: string | null): string {
  const place = channel ?? '';
  if (handedOver.length === 0) return isEscalated ? `escalated ${place}` : place;
  return JSON.stringify([place, isEscalated, handedOver.map(({ by, to, until }) => [by.id, to.id, until])]);
}

/** The members of a private channel alone see what all of the workspace may decide there. */
function isAboutChannel({ approvers, escalateTo }: Policy): boolean {
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
  for (const { approvers, channel, isElsewhere, policy } of classes) {
    for (const approver of isElsewhere ? [...approvers, ...policy.startedElsewhere] : approvers) {
      if (approver.kind === 'channel') membersOf.add(channel ?? '');
      else if (approver.kind === 'workspace') privacyOf.add(channel ?? '');
      else if (mustBeLookedUp(approver)) named.set(approver.name, approver);
    }
  }
  return { approvers: [...named.values()], membersOf, privacyOf };
}
