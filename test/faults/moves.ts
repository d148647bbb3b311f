import type { Who } from './crew-channels.ts';
import type { PolicyName } from './policies.ts';

/** What somebody does about a card. */
export interface Move {
  who: Who;
  clicks: 'Approve' | 'Reject…' | 'Withdraw my vote' | 'Undo';
  /** Only once this person was mentioned. */
  waitsFor?: 'mention';
}

const approves = (who: Who): Move => ({ who, clicks: 'Approve' });
const rejects = (who: Who): Move => ({ who, clicks: 'Reject…' });
const undoes = (who: Who): Move => ({ who, clicks: 'Undo' });
const withdraws = (who: Who): Move => ({ who, clicks: 'Withdraw my vote' });

/**
 * What people do about the card of a round, in order. Then they wait, and if nothing comes of it, they do what `inTheEnd` says,
 * one after the other, again and again.
 */
export interface Moves {
  first: readonly Move[];
  inTheEnd: readonly Move[];
}

/** @param verdict of this round, for policies where people decide it */
export function movesFor(policy: PolicyName, { round, verdict }: { round: number; verdict: Verdict }): Moves {
  switch (policy) {
    case 'undoable':
      return { first: [decides('jon', verdict)], inTheEnd: [] };
    case 'everybody':
      return { first: [verdict === 'reject' ? rejects('jon') : approves('jon')], inTheEnd: [decides('jon', verdict)] };
    case 'quorum':
      return QUORUM[verdict];
    case 'undo':
    case 'long-undo':
      return UNDO[verdict];
    case 'reminding':
      return { first: [], inTheEnd: [decides('ana', verdict)] };
    case 'rejecting':
      return rejecting(round);
    case 'closing':
      return { first: [approves('jon')], inTheEnd: [] };
  }
}

type Verdict = 'approve' | 'reject';

const decides = (who: Who, verdict: Verdict) => (verdict === 'reject' ? rejects(who) : approves(who));

/** Maria has started it, and may not decide. A rejection decides at once. */
const QUORUM: Record<Verdict, Moves> = {
  approve: {
    first: [approves('maria'), approves('jon'), withdraws('jon'), approves('jon'), approves('ana')],
    inTheEnd: [approves('jon'), approves('ana'), approves('kim')],
  },
  reject: { first: [approves('jon'), rejects('ana')], inTheEnd: [rejects('kim')] },
};

/** The first decision is taken back while it can be. */
const UNDO: Record<Verdict, Moves> = {
  approve: { first: [approves('jon'), undoes('ana'), approves('ana')], inTheEnd: [approves('jon')] },
  reject: { first: [rejects('jon'), undoes('jon'), rejects('ana')], inTheEnd: [rejects('jon')] },
};

/** Nobody decides the first round, and Maria, who may not, is refused. Escalation lets Ana decide the second one. */
function rejecting(round: number): Moves {
  if (round === 1) return { first: [approves('maria')], inTheEnd: [] };
  const ana: Move = { ...approves('ana'), waitsFor: 'mention' };
  return round === 2
    ? { first: [ana], inTheEnd: [approves('jon')] }
    : { first: [approves('jon')], inTheEnd: [approves('jon')] };
}
