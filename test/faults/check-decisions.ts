import { sha256 } from '../../src/core/ledger/entry.ts';
import type { Evidence, Order } from './evidence.ts';
import { EXPIRY_TEXT, type PolicyName, quorumOf } from './policies.ts';
import type { LedgerDecision } from './request-story.ts';

/** What became of a decision that wasn't undone. */
export type Fate = 'delivered' | 'undelivered' | 'lost' | 'doubled';

/** The bot may repeat only what can't have arrived. A person may send again. */
export function fateOf(
  decision: LedgerDecision,
  evidence: Evidence,
  { decisions, sentAgain }: { decisions: readonly LedgerDecision[]; sentAgain: readonly string[] },
): Fate {
  const sent = evidence.orders.filter((order) => isOf(order, decision));
  const same = decisions.filter((each) => !each.isUndone && orderKey(each) === orderKey(decision));
  const cards = same.flatMap((each) => cardsOf(each, evidence));
  const again = sentAgain.filter((ts) => cards.some((card) => card.ts === ts));
  if (sent.filter(({ mayHaveArrived }) => mayHaveArrived).length > same.length + again.length) return 'doubled';
  if (sent.filter(({ wasApplied }) => wasApplied).length >= same.length) return 'delivered';
  return cardsOf(decision, evidence).some(({ text }) => /\[Send again\]|run ended before/.test(text))
    ? 'undelivered'
    : 'lost';
}

function cardsOf({ ref, approval }: LedgerDecision, { messages, deleted }: Evidence) {
  return [...messages, ...deleted].filter((each) => each.ref === ref && each.key === `card:${approval}`);
}

export function fateProblem({ verdict, approval }: LedgerDecision, fate: Fate): string[] {
  const what = `the decision to ${verdict} request ${approval}`;
  if (fate === 'lost') return [`${what} never arrived, and no card says so`];
  return fate === 'doubled' ? [`${what} was sent more than once by the bot`] : [];
}

/** Nothing may reach the crew but what was decided and not undone. */
export function undecidedOrders({ orders }: Evidence, decisions: readonly LedgerDecision[]): string[] {
  const resumes = orders.filter(({ route, mayHaveArrived }) => route === 'resume' && mayHaveArrived);
  return resumes.flatMap((order) => {
    const own = decisions.filter((decision) => isOf(order, decision));
    if (own.some(({ isUndone }) => !isUndone)) return [];
    return [
      own.length === 0 ? 'the crew received what nobody decided' : 'the crew received a decision that was undone',
    ];
  });
}

/** Who has to agree, and who may not. */
export function policyProblems(
  { verdict, by, people, approval, sha256: text }: LedgerDecision,
  { policy, starter }: { policy: PolicyName; starter: string },
): string[] {
  const what = `the decision to ${verdict} request ${approval}`;
  if (by === null) {
    const isExpiry = policy === 'rejecting' && verdict === 'reject' && text === sha256(EXPIRY_TEXT);
    return isExpiry ? [] : [`${what} was made by nobody`];
  }
  const needed = verdict === 'approve' ? quorumOf(policy) : 1;
  const isSelfMade = policy !== 'everybody' && people.includes(starter);
  return [
    ...(new Set(people).size >= needed ? [] : [`${what} has ${new Set(people).size} of ${needed} people`]),
    ...(isSelfMade ? [`${what} was made by the starter`] : []),
  ];
}

function isOf({ route, ref, body }: Order, decision: LedgerDecision): boolean {
  if (route !== 'resume' || ref !== decision.ref) return false;
  const approves = body.is_approve ?? body.isApprove;
  const text = String(body.human_feedback ?? body.humanFeedback);
  return approves === (decision.verdict === 'approve') && sha256(text) === decision.sha256;
}

/** What two decisions have in common whose orders can't be told apart. */
function orderKey({ ref, verdict, sha256 }: LedgerDecision): string {
  return `${ref} ${verdict} ${sha256}`;
}
