import { createHash } from 'node:crypto';
import type { Millis } from '../values/time.ts';

// What the ledger keeps: an event becomes an entry in the chain of its run, whose hash covers it and the entry before.

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
  /** Whose right they used, if not their own. */
  for?: RightFacts | undefined;
  /** Then, the approver that stood for them, where the policy lets only people whom it names use it. */
  named?: string | undefined;
  /** That of `all_of` which it stands for. */
  seat?: string | undefined;
  /** Where several rules may turn out to apply: as what it counts by each of them that it counts by. The first is also told above. */
  under?: CountedFacts[] | undefined;
  /** Where they have signed in to give it, which the entry of the vote itself says. */
  proof?: ProofFacts | undefined;
}

/** As what a vote counts by the rules at one place of a policy. */
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

/** Who has signed in with which identity provider, by its own name for them, when, and how; `acr` is null if it doesn't say. */
export interface ProofFacts {
  iss: string;
  sub: string;
  at: Millis;
  acr: string | null;
}

/** What the rules of a request were found by, where they depend on more than a task whose name is known. */
export interface SeenFacts {
  /** The places of the rules that may turn out to apply, as JSON Pointers into the policy. */
  possible: string[];
  /** The values that the conditions and approvers name, as far as they were known. */
  values: Record<string, string | number | boolean>;
}

/** A policy by its hash, and how it applied to the request. */
export interface PolicyFacts {
  policy: string;
  seen?: SeenFacts | undefined;
}

/** What each kind of event tells, in the form in which it is exported. People are named by their ids, texts by their hashes. */
export interface LedgerFacts {
  asked: PolicyFacts & {
    approval: string;
    crew: string;
    channel: string;
    /** `titled`: its name is a title that a program or a workflow has chosen. */
    task: { id: string; name: string | null; titled?: true | undefined };
    round: number;
    output: TextFacts;
    /** What people choose from, where they don't approve or reject. */
    outcomes?: string[] | undefined;
    /** The names of what people fill in to answer it. */
    fields?: string[] | undefined;
    /** Where the decision goes, if not to the crew's `POST /resume`. */
    destination?: 'flow' | 'callback' | 'poll' | undefined;
    /** For how long its asker waits. */
    limit_ms?: number | undefined;
    /** Null if the run was started elsewhere. */
    starter: string | null;
  };
  /** The crew has named the task of a request: from now on, fewer rules may turn out to apply to it. */
  named: PolicyFacts & { approval: string; task: { id: string; name: string } };
  /** `stage`: the stage that it is for, where one alone is possible and has several. `completes`: the stages that it completes. */
  voted: VoteFacts &
    PolicyFacts & {
      approval: string;
      text: TextFacts | null;
      /** The edited text that it is for, if it isn't for the one that the crew asked about. */
      edited?: TextFacts | undefined;
      outcome?: string | undefined;
      /** The canonical JSON of what they have filled in. */
      answer?: TextFacts | undefined;
      stage?: string | undefined;
      completes?: CompletedFacts[] | undefined;
    };
  /** From now on the request is about this text, which that person has made of it: what people have approved before counts no longer. */
  edited: PolicyFacts & { approval: string; by: string; rule: string; text: TextFacts };
  /** `reason`: `own`, or why the vote no longer counts. */
  withdrawn: { approval: string; by: string; reason: string };
  decided: PolicyFacts & {
    approval: string;
    verdict: 'approve' | 'reject' | 'decline';
    /** What was chosen, where there are outcomes. */
    outcome?: string | undefined;
    /** The canonical JSON of what was filled in, where there are fields. */
    answer?: TextFacts | undefined;
    /** Null if nobody did, and the policy says what happens then. */
    by: VoteFacts | null;
    /** The other approvals that count for the last stage. */
    votes: VoteFacts[];
    text: TextFacts;
    /** The edited text that it approves, which the crew gets on the lines after `text`. */
    edited?: TextFacts | undefined;
    stage?: string | undefined;
    /** The stages that its votes complete before the last one. */
    completes?: CompletedFacts[] | undefined;
    /** By the rules of which places it was escalated. */
    escalated: string[];
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
  /** Somebody who may decide was shown the secrets in the text, which others see masked. */
  revealed: { approval: string; by: string; secrets: number };
  undone: PolicyFacts & { approval: string; by: string; rule: string };
  /** `until`: when that ends by itself; without it, never. */
  'handed-over': PolicyFacts & {
    approval: string;
    by: string;
    to: string;
    rule: string;
    /** The approver that stood for the other person, where the policy asks for one. */
    to_named?: string | undefined;
    until?: Millis | undefined;
  };
  /** What was handed over for a while counts no longer. `until`: when that would have ended. */
  'taken-back': { approval: string; by: string; to: string; until: Millis };
  /** `mentioned`: the ids of people and groups. */
  reminded: { approval: string; number: number; mentioned: string[] };
  /** `places`: of the rules by which it is escalated. */
  escalated: PolicyFacts & { approval: string; places: string[]; to: string[]; mentioned: string[] };
  /** `reject`: the rejection that nobody gave comes next. */
  expired: PolicyFacts & { approval: string; outcome: 'close' | 'reject' };
  /** The program that asked has taken it back. `replaced_by`: the ref of what it has asked in its place. */
  cancelled: { approval: string; replaced_by?: string | undefined };
  sent: { approval: string; attempt: number };
  confirmed: { approval: string; proof: 'accepted' | 'evidence' };
  'not-confirmed': { approval: string; attempt: number };
  /**
   * Redis has lost what this person decided or approved, or that it was undone; `by` is null if time decided. `attempts`: how often
   * the decision was sent, as far as a bot remembers; 0 if it certainly never was, so that the request waits again.
   */
  lost: { approval: string; verdict: 'approve' | 'reject' | 'decline'; by: string | null; attempts: number };
  /** A first request of a run that only tries the crew, which is approved right after this without asking anybody. */
  tried: {
    crew: string;
    task: { id: string; name: string | null };
    /** The id of the run at the crew's service. */
    kickoff: string;
    text: TextFacts;
  };
  /** From now on, this is the policy of the crew. */
  policy: { crew: string; policy: string };
}

export type LedgerKind = keyof LedgerFacts;

/** Something that the ledger is to keep. It becomes an entry in the same write as the change that it is part of. */
export type LedgerEvent = { [Kind in LedgerKind]: { kind: Kind; at: Millis; facts: LedgerFacts[Kind] } }[LedgerKind];

/** Where a chain goes on: what is known of its last entry. */
export interface LedgerHead {
  seq: number;
  hash: string;
  at: Millis;
  /** The number of the last request that it has asked for. */
  asked: number;
}

/** Before the first entry. */
export const NO_ENTRIES: LedgerHead = { seq: 0, hash: '', at: 0, asked: 0 };

/** One event in the chain of its run, as it is exported. */
export interface Entry {
  /** 1, 2, … within its run. */
  seq: number;
  at: Millis;
  ref: string;
  kind: LedgerKind;
  facts: LedgerEvent['facts'];
  /** The hash of the entry before, in lower-case hex; empty for the first. */
  prev: string;
  hash: string;
}

/** The entries that new events become. None is dated before the one that it follows on, even if Redis' clock was set back. */
export function newEntries(ref: string, head: LedgerHead, events: readonly LedgerEvent[]): Entry[] {
  let { at } = head;
  const dated = events.map((event) => {
    at = Math.max(at, event.at);
    return { ...event, at };
  });
  return chainEntries(ref, head, dated);
}

/** Where a chain goes on after more entries. */
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

/** The entries that events become, after those of a run that there are. */
export function chainEntries(ref: string, head: LedgerHead, events: readonly LedgerEvent[]): Entry[] {
  const entries: Entry[] = [];
  for (const { kind, at, facts } of events) {
    const { seq, hash: prev } = entries.at(-1) ?? head;
    const content = { seq: seq + 1, at, ref, kind, facts, prev };
    entries.push({ ...content, hash: hashOf(content) });
  }
  return entries;
}

/** The SHA-256 of the bytes of the hash before, and the canonical JSON of the entry, in UTF-8; in lower-case hex. */
export function hashOf({ seq, at, ref, kind, facts, prev }: Omit<Entry, 'hash'>): string {
  const content = canonicalJson({ seq, at, ref, kind, facts, prev });
  return createHash('sha256').update(prev, 'hex').update(content).digest('hex');
}

/**
 * The one JSON text of a value that everybody writes alike: no spaces, and the names of an object in the order of their UTF-16
 * units. Numbers and texts are as JavaScript writes them. https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

/** The SHA-256 of a text in UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The hash of a leaf of a Merkle tree, given the leaf's 32 bytes in hex. https://www.rfc-editor.org/rfc/rfc6962#section-2.1 */
export function leafHash(hash: string): string {
  return createHash('sha256').update(LEAF).update(hash, 'hex').digest('hex');
}

/** The hash of an inner node of a Merkle tree. */
export function nodeHash(left: string, right: string): string {
  return createHash('sha256').update(NODE).update(left, 'hex').update(right, 'hex').digest('hex');
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
