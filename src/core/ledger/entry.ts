import { createHash } from 'node:crypto';
import type { Millis } from '../values/time.ts';

// The entries of the ledger. Each event becomes an entry in the chain of its run, whose hash covers it and the entry before.

/** A text that the ledger itself doesn't contain: its SHA-256 in hex, and its length in UTF-16 units. */
export interface TextFacts {
  sha256: string;
  length: number;
}

/** The reason why a person counted when they acted: the approver that they matched, and what Slack said about their account. */
export interface RightFacts {
  /** The id of the person. */
  by: string;
  rule: string;
  account: 'member' | 'guest' | 'stranger';
}

export interface VoteFacts extends RightFacts {
  /** The person whose right they used, if not their own. */
  for?: RightFacts | undefined;
  /** The approver that named this person for a right they used, where the policy lets only people whom it names use it. */
  named?: string | undefined;
  /** The approver of `all_of` that the vote stands for. */
  seat?: string | undefined;
  /** The vote as each rule counts it that may turn out to apply. The first is repeated in the fields above. */
  under?: CountedFacts[] | undefined;
  /** The sign-in by which they gave the vote; only in the entry of the vote itself. */
  proof?: ProofFacts | undefined;
}

/** A vote as the rules at one place of a policy count it. */
export interface CountedFacts {
  place: string;
  rule: string;
  for?: RightFacts | undefined;
  named?: string | undefined;
  seat?: string | undefined;
}

/** A stage that votes complete by the rules at one place of a policy. */
export interface CompletedFacts {
  place: string;
  stage: string;
  votes: VoteFacts[];
}

/** A sign-in: the identity provider, its own name for the person, the time, and the method; `acr` is null if it doesn't say. */
export interface ProofFacts {
  iss: string;
  sub: string;
  at: Millis;
  acr: string | null;
}

/** The values that decided which rules apply, where that depends on more than a task whose name is known. */
export interface SeenFacts {
  /** Places of the rules that may turn out to apply, as JSON Pointers into the policy. */
  possible: string[];
  /** Known values of the inputs and facts that conditions and approvers name. */
  values: Record<string, string | number | boolean>;
}

/** A policy by its hash, and how it applied to the request. */
export interface PolicyFacts {
  policy: string;
  seen?: SeenFacts | undefined;
}

/** The facts of each kind of event, as they are exported. People appear by their ids, texts by their hashes. */
export interface LedgerFacts {
  asked: PolicyFacts & {
    approval: string;
    crew: string;
    channel: string;
    /** `titled`: a program or a workflow chose the name as a title. */
    task: { id: string; name: string | null; titled?: true | undefined };
    round: number;
    output: TextFacts;
    /** The outcomes that people choose from; missing where they approve or reject. */
    outcomes?: string[] | undefined;
    /** Names of the fields that people fill in; missing where there are none. */
    fields?: string[] | undefined;
    /** Destination of the decision; missing for the crew's `POST /resume`. */
    destination?: 'flow' | 'callback' | 'poll' | undefined;
    /** Time for which the program waits. */
    limit_ms?: number | undefined;
    /** Null if the run was started elsewhere. */
    starter: string | null;
  };
  /** The crew has named the task of a request, so fewer rules may turn out to apply. */
  named: PolicyFacts & { approval: string; task: { id: string; name: string } };
  /**
   * `stage`: the stage that the vote is for, if only one policy is possible and it has stages. `completes`: the stages that the
   * vote completes.
   */
  voted: VoteFacts &
    PolicyFacts & {
      approval: string;
      text: TextFacts | null;
      /** The edited text that the vote is for; missing if it is for the crew's own text. */
      edited?: TextFacts | undefined;
      outcome?: string | undefined;
      /** Canonical JSON of the filled-in fields. */
      answer?: TextFacts | undefined;
      stage?: string | undefined;
      completes?: CompletedFacts[] | undefined;
    };
  /** A person has edited the text. Earlier approvals no longer count. */
  edited: PolicyFacts & { approval: string; by: string; rule: string; text: TextFacts };
  /** `reason`: `own`, or why the vote no longer counts. */
  withdrawn: { approval: string; by: string; reason: string };
  decided: PolicyFacts & {
    approval: string;
    verdict: 'approve' | 'reject' | 'decline';
    /** The chosen outcome, where the request offers some. */
    outcome?: string | undefined;
    /** Canonical JSON of the filled-in fields, where the request has some. */
    answer?: TextFacts | undefined;
    /** Null if time decided, as the policy says. */
    by: VoteFacts | null;
    /** The other approvals that count for the last stage. */
    votes: VoteFacts[];
    text: TextFacts;
    /** The approved edited text, which the crew gets on the lines after `text`. */
    edited?: TextFacts | undefined;
    stage?: string | undefined;
    /** Stages that its votes complete before the last one. */
    completes?: CompletedFacts[] | undefined;
    /** Places of the rules by which the request was escalated. */
    escalated: string[];
    handed_to: string[];
    /** Time to undo the decision before it is sent, in milliseconds. */
    undo_ms: number;
  };
  /**
   * `action`: what the person tried. `approval` is null if it concerned the whole run. `times`: the number of further refusals in
   * the minute after an identical entry without `times`.
   */
  refused: {
    approval: string | null;
    action: string;
    by: string;
    reason: string;
    policy: string;
    times?: number | undefined;
  };
  /** An approver has looked at the secrets in the text, which others see masked. */
  revealed: { approval: string; by: string; secrets: number };
  undone: PolicyFacts & { approval: string; by: string; rule: string };
  /** `until`: the time at which it ends by itself; missing if it doesn't. */
  'handed-over': PolicyFacts & {
    approval: string;
    by: string;
    to: string;
    rule: string;
    /** The approver that named the recipient, where the policy requires one. */
    to_named?: string | undefined;
    until?: Millis | undefined;
  };
  /** A handover for a limited time no longer counts. `until`: when it would have ended. */
  'taken-back': { approval: string; by: string; to: string; until: Millis };
  /** `mentioned`: the ids of people and groups. */
  reminded: { approval: string; number: number; mentioned: string[] };
  /** `places`: places of the rules by which the request is escalated. */
  escalated: PolicyFacts & { approval: string; places: string[]; to: string[]; mentioned: string[] };
  /** `reject`: the rejection follows as the next entry. */
  expired: PolicyFacts & { approval: string; outcome: 'close' | 'reject' };
  /** The program that asked has cancelled the request. `replaced_by`: the ref of the request that replaces it. */
  cancelled: { approval: string; replaced_by?: string | undefined };
  sent: { approval: string; attempt: number };
  confirmed: { approval: string; proof: 'accepted' | 'evidence' };
  'not-confirmed': { approval: string; attempt: number };
  /**
   * Redis has lost this person's decision, approval or undo; `by` is null if time decided. `attempts`: how often the decision was
   * sent, as far as a bot remembers; 0 if it certainly never was, so that the request waits again.
   */
  lost: { approval: string; verdict: 'approve' | 'reject' | 'decline'; by: string | null; attempts: number };
  /** The first request of a trial run, which is approved right after it without asking anybody. */
  tried: {
    crew: string;
    task: { id: string; name: string | null };
    /** The id of the run at the crew's service. */
    kickoff: string;
    text: TextFacts;
  };
  /** The crew has a new policy. */
  policy: { crew: string; policy: string };
}

export type LedgerKind = keyof LedgerFacts;

/** An event to enter. It becomes an entry in the same write as the change that it is part of. */
export type LedgerEvent = { [Kind in LedgerKind]: { kind: Kind; at: Millis; facts: LedgerFacts[Kind] } }[LedgerKind];

/** The end of a chain, to which the next entry is linked. */
export interface LedgerHead {
  seq: number;
  hash: string;
  at: Millis;
  /** Number of the last request in the chain. */
  asked: number;
}

/** The head of an empty chain. */
export const NO_ENTRIES: LedgerHead = { seq: 0, hash: '', at: 0, asked: 0 };

/** One event in the chain of its run, as it is exported. */
export interface Entry {
  /** Number within the run, from 1. */
  seq: number;
  at: Millis;
  ref: string;
  kind: LedgerKind;
  facts: LedgerEvent['facts'];
  /** Hash of the entry before, in lower-case hex; empty for the first. */
  prev: string;
  hash: string;
}

/** Returns entries for new events. No entry is dated before the one that it follows, even if Redis' clock was set back. */
export function newEntries(ref: string, head: LedgerHead, events: readonly LedgerEvent[]): Entry[] {
  let { at } = head;
  const dated = events.map((event) => {
    at = Math.max(at, event.at);
    return { ...event, at };
  });
  return chainEntries(ref, head, dated);
}

/** Returns the head after more entries. */
export function headAfter(head: LedgerHead, entries: readonly Entry[]): LedgerHead {
  return entries.reduce<LedgerHead>(
    ({ asked }, { seq, hash, at, facts }) => ({
      seq,
      hash,
      at,
      asked: 'output' in facts ? Number(facts.approval) : asked,
    }),
    head,
  );
}

/** Returns entries for events that are dated already. */
export function chainEntries(ref: string, head: LedgerHead, events: readonly LedgerEvent[]): Entry[] {
  const entries: Entry[] = [];
  for (const { kind, at, facts } of events) {
    const { seq, hash: prev } = entries.at(-1) ?? head;
    const content = { seq: seq + 1, at, ref, kind, facts, prev };
    entries.push({ ...content, hash: hashOf(content) });
  }
  return entries;
}

/** Returns the SHA-256 of the bytes of `prev` followed by the canonical JSON of the entry in UTF-8, in lower-case hex. */
export function hashOf({ seq, at, ref, kind, facts, prev }: Omit<Entry, 'hash'>): string {
  const content = canonicalJson({ seq, at, ref, kind, facts, prev });
  return createHash('sha256').update(prev, 'hex').update(content).digest('hex');
}

/**
 * Returns the canonical JSON of a value: no spaces, and names in the order of their UTF-16 units. Numbers and texts are as
 * JavaScript writes them. https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

/** Returns the SHA-256 of a text in UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the leaf hash of 32 bytes given in hex. https://www.rfc-editor.org/rfc/rfc6962#section-2.1 */
export function leafHash(hash: string): string {
  return createHash('sha256').update(LEAF).update(hash, 'hex').digest('hex');
}

/** Returns the hash of an inner node. */
export function nodeHash(left: string, right: string): string {
  return createHash('sha256').update(NODE).update(left, 'hex').update(right, 'hex').digest('hex');
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
