// What Slack has to be asked before requests are judged: about groups and channels for everybody, and about people for one.
import type { Account } from '../policy/evaluate.ts';
import {
  type Approver,
  askedAbout,
  barredStarters,
  mustBeLookedUp,
  type Policy,
  startersToKnow,
} from '../policy/policy.ts';
import { createJudge, type Judged, type Viewer } from './judgement.ts';

/** The same for all people. */
export interface NeededFacts {
  /** Groups, handles and addresses. */
  approvers: readonly Approver[];
  /** The channels whose members are approvers. */
  membersOf: ReadonlySet<string>;
  /** The channels of requests that all of the workspace may decide, and their members if they are private. */
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

/** People who handed a request over to the person: that counts only while they may decide it themselves. */
export function giversInDoubt(requests: readonly Judged[], { identities }: Account): ReadonlySet<string> {
  const toThem = requests.flatMap(({ handedOver }) => handedOver.filter(({ to }) => identities.includes(to.id)));
  return new Set(toThem.map(({ by }) => by.id));
}

/** Those who started runs that the person may decide unless they are the same: only Slack can tell. */
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
