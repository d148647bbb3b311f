// Lists the facts that the bot must ask Slack for before it judges requests: about groups and channels for all viewers, and about
// people for one viewer.
import type { Account } from '../policy/permits.ts';
import {
  type Approver,
  askedAbout,
  barredStarters,
  mustBeLookedUp,
  type Policy,
  startersToKnow,
} from '../policy/policy.ts';
import { createJudge, type Judged, type Viewer } from './judgement.ts';

/** Facts that are the same for all viewers. */
export interface NeededFacts {
  /** Groups, handles and addresses to look up. */
  approvers: readonly Approver[];
  /** The channels whose members are approvers. */
  membersOf: ReadonlySet<string>;
  /** Channels of requests that the whole workspace may decide: whether they are private, and then their members. */
  privacyOf: ReadonlySet<string>;
}

export function neededFacts(requests: readonly Judged[]): NeededFacts {
  const lookedUp = new Map<string, Approver>();
  const membersOf = new Set<string>();
  const privacyOf = new Set<string>();
  for (const request of requests) {
    const elsewhere = (policy: Policy) => (request.starterId === null ? barredStarters(policy, null) : []);
    const approvers = request.policies.flatMap((policy) => [...askedAbout(policy, request), ...elsewhere(policy)]);
    for (const approver of approvers) {
      if (approver.kind === 'channel') membersOf.add(request.channel);
      else if (approver.kind === 'workspace') privacyOf.add(request.channel);
      else if (mustBeLookedUp(approver)) lookedUp.set(approver.name, approver);
    }
  }
  return { approvers: [...lookedUp.values()], membersOf, privacyOf };
}

/** Returns the people who handed a request over to the viewer. It counts only while they may decide it themselves. */
export function giversInDoubt(requests: readonly Judged[], { identities }: Account): ReadonlySet<string> {
  const toThem = requests.flatMap(({ handedOver }) => handedOver.filter(({ to }) => identities.includes(to.id)));
  return new Set(toThem.map(({ by }) => by.id));
}

/** Returns starters who may be the viewer under another account, where that matters. Only Slack can tell. */
export function startersInDoubt(requests: readonly Judged[], viewer: Viewer): ReadonlySet<string> {
  const starters = new Set<string>();
  const { judgeUnlessStarted } = createJudge(viewer);
  for (const request of requests) {
    const people = request.policies
      .flatMap((policy) => startersToKnow(policy, request.starterId))
      .filter(({ kind }) => kind === 'person');
    const unknown = people.filter(({ name }) => !viewer.account.identities.includes(name) && !starters.has(name));
    if (unknown.length === 0 || judgeUnlessStarted(request).kind !== 'permitted') continue;
    for (const { name } of unknown) starters.add(name);
  }
  return starters;
}
