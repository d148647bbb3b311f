import type { Millis } from '../time.ts';

/** A text that the ledger doesn't have: its SHA-256 in hex, and its length in UTF-16 units. */
export interface TextFacts {
  sha256: string;
  length: number;
}

/** Why a person counted, at the time: the approver that they matched, and what Slack said about their account. */
export interface RightFacts {
  /** The id of the person. */
  by: string;
  rule: string;
  account: 'member' | 'guest' | 'stranger';
}

export interface VoteFacts extends RightFacts {
  /** Whose right they used, if not their own. Earlier entries don't say it. */
  for?: RightFacts | undefined;
}

/** What each kind of event tells, in the form in which it is exported. People are named by their ids, texts by their hashes. */
export interface LedgerFacts {
  asked: {
    approval: string;
    crew: string;
    channel: string;
    task: { id: string; name: string | null };
    round: number;
    output: TextFacts;
    /** Null if the run was started elsewhere. */
    starter: string | null;
    policy: string;
  };
  /**
   * The crew has named the task of a request, which the rules for that name apply to from now on. `reopened`: they void a decision
   * that hasn't been sent; if they allow it, it is entered anew.
   */
  named: { approval: string; task: { id: string; name: string }; policy: string; reopened: boolean };
  voted: VoteFacts & { approval: string; text: TextFacts | null; policy: string };
  /** `reason`: `own`, or why the vote no longer counts. */
  withdrawn: { approval: string; by: string; reason: string };
  decided: {
    approval: string;
    verdict: 'approve' | 'reject';
    /** Null if nobody did, and the policy says what happens then. */
    by: VoteFacts | null;
    /** Those who had approved before, and still may. */
    votes: VoteFacts[];
    text: TextFacts;
    policy: string;
    escalated: boolean;
    handed_to: string[];
    /** How long it waits before it is sent, in milliseconds. */
    undo_ms: number;
  };
  /**
   * `action`: what the person tried; `approval` is null where it is about the whole run. `times`: how many more were refused in
   * the minute after an entry that is the same without it.
   */
  refused: {
    approval: string | null;
    action: string;
    by: string;
    reason: string;
    policy: string;
    times?: number | undefined;
  };
  undone: { approval: string; by: string; rule: string; policy: string };
  /** `until`: when that ends by itself; without it, never. */
  'handed-over': {
    approval: string;
    by: string;
    to: string;
    rule: string;
    /** Whose right it is, if not their own. Earlier entries don't say it. */
    for?: RightFacts | undefined;
    policy: string;
    until?: Millis | undefined;
  };
  /** What was handed over for a while counts no longer. `until`: when that would have ended; earlier versions left it out. */
  'taken-back': { approval: string; by: string; to: string; until?: Millis | undefined };
  /** `mentioned`: the ids of people and groups. */
  reminded: { approval: string; number: number; mentioned: string[] };
  /** Earlier versions left out the policy, here and of what has expired. */
  escalated: { approval: string; to: string[]; mentioned: string[]; policy?: string | undefined };
  /** `reject`: the rejection that nobody gave comes next. */
  expired: { approval: string; outcome: 'close' | 'reject'; policy?: string | undefined };
  sent: { approval: string; attempt: number };
  confirmed: { approval: string; proof: 'accepted' | 'evidence' };
  unconfirmed: { approval: string; attempt: number };
  /** From now on, this is the policy of the crew. */
  policy: { crew: string; policy: string };
}

export type LedgerKind = keyof LedgerFacts;

/** Something that the ledger is to keep. It becomes an entry in the same write as the change that it is part of. */
export type LedgerEvent = { [Kind in LedgerKind]: { kind: Kind; at: Millis; facts: LedgerFacts[Kind] } }[LedgerKind];

/** The hash of the policy that an entry names; null if it names none. */
export function policyNamedIn(facts: LedgerEvent['facts']): string | null {
  return 'policy' in facts ? (facts.policy ?? null) : null;
}
