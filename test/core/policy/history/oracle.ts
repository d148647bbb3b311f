import type { Account } from '../../../../src/core/policy/permits.ts';
import type { Policy } from '../../../../src/core/policy/policy.ts';
import { FACTS_MS, STORE_MS } from './process.ts';
import { humanOf, type Truth } from './truth.ts';

/** A person who counts, and everything that their right to decide may rest on. */
interface Right {
  policy: Policy;
  starterId: string;
  isEscalated: boolean;
  /** What was so, oldest first; the last is so still. */
  past: readonly Truth[];
  now: number;
}

/**
 * Why a person whom the policy names may not decide, written a second time and in other words than in the core, from what was really so: each
 * condition must have held at some instant since the oldest facts that a process may still have. Null if they may.
 */
function whyNot(id: string, right: Right): string | null {
  const { policy, starterId, isEscalated } = right;
  const seen = lately(right);
  const were = (holds: (account: Account, truth: Truth) => boolean) =>
    seen.some((truth) => {
      const account = truth.accounts[id];
      return account !== undefined && holds(account, truth);
    });
  if (!were(({ isBot }) => !isBot)) return 'is a bot';
  if (!were(({ isDeactivated }) => !isDeactivated)) return 'is deactivated';
  if (!policy.selfApproval && humanOf(id) === humanOf(starterId)) return 'started the run';
  const named = [...policy.approvers, ...policy.allOf, ...(isEscalated ? policy.escalateTo : [])];
  // Whoever starts a run chooses its inputs.
  const rules = named.filter(({ input }) => input === undefined || humanOf(id) !== humanOf(starterId));
  const isNamed = rules.some(
    ({ kind, name, input }) => kind === 'person' && input === undefined && isMeant(name, id, right),
  );
  const isNamedByInput = rules.some(({ kind, name, input }) => kind === 'person' && input && isMeant(name, id, right));
  const isInside = were(({ isGuest, isStranger }) => !isGuest && !isStranger);
  if (!isInside && !(policy.guests && isNamed)) return 'is from outside';
  if (isNamed || isNamedByInput || rules.some(({ kind }) => kind === 'workspace')) return null;
  const isMember = rules.some(({ name }) =>
    were(({ identities }, { members }) => identities.some((each) => members[name]?.has(each))),
  );
  return isMember ? null : TAKES_ANOTHER;
}

/** Who has let whom decide, too, by their ids. */
export type Given = readonly { by: string; to: string }[];

/** What somebody lacks who is allowed to decide if another lets them. */
const TAKES_ANOTHER = 'is no approver';

/** Whether the policy lets a person have what others gave them. */
function mayTake(id: string, right: Right): boolean {
  const { delegation } = right.policy;
  return (
    delegation === 'anyone' || (delegation === 'approvers' && whyNot(id, { ...right, isEscalated: true }) === null)
  );
}

/** The humans whose right could stand behind a person: themselves, and those who gave it to them, if the policy names these. */
function holdersBehind(id: string, given: Given, right: Right): Set<string> {
  const why = whyNot(id, right);
  if (why !== null && why !== TAKES_ANOTHER) return new Set();
  const mine = mayTake(id, right) ? given.filter(({ to }) => isMeant(to, id, right)) : [];
  // A process that has heard late that the policy names somebody still has them use what others gave them.
  const holders = [
    ...(why === null ? [id] : []),
    ...mine.map(({ by }) => by).filter((by) => whyNot(by, right) === null),
  ];
  return new Set(holders.map(humanOf));
}

/** Whether each of some people can be given a right of a human of their own, by trying all ways to do so. */
export function haveRightsOfTheirOwn(ids: readonly string[], given: Given, right: Right): boolean {
  const choices = ids.map((id) => [...holdersBehind(id, given, right)]);
  const fits = (place: number, used: readonly string[]): boolean =>
    place === choices.length ||
    (choices[place] ?? []).some((holder) => !used.includes(holder) && fits(place + 1, [...used, holder]));
  return fits(0, []);
}

/** Whether each of `all_of` can be given another of these people, by trying all ways to do so. */
export function hasSeats(ids: readonly string[], given: Given, right: Right): boolean {
  const { allOf } = right.policy;
  const sits = (id: string, name: string) =>
    holdersOf(id, given).some((holder) => whyNot(holder, { ...right, policy: onlyFor(name, right) }) === null);
  const fits = (place: number, used: readonly string[]): boolean =>
    place === allOf.length ||
    ids.some((id) => !used.includes(id) && sits(id, allOf[place]?.name ?? '') && fits(place + 1, [...used, id]));
  return fits(0, []);
}

function onlyFor(name: string, { policy }: Right): Policy {
  const approvers = policy.allOf.filter((each) => each.name === name);
  return { ...policy, approvers, allOf: [], escalateTo: [] };
}

/** A person, and everybody who gave them something. */
function holdersOf(id: string, given: Given): string[] {
  return [id, ...given.filter(({ to }) => humanOf(to) === humanOf(id)).map(({ by }) => by)];
}

/** An id names a person under any of the accounts that Slack knows to be theirs. */
function isMeant(name: string, id: string, { past }: Right): boolean {
  return name === id || past.some(({ accounts }) => accounts[id]?.identities.includes(name));
}

function lately({ past, now }: Right): Truth[] {
  return past.filter((_, i) => (past[i + 1]?.from ?? now) >= now - FACTS_MS - STORE_MS);
}
