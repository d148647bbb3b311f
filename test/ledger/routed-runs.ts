// Runs whose rules follow the request, right and wrong, and what those who verify them say.
import { policyOf } from '../../src/config/approval-settings.ts';
import { type LedgerEvent, type LedgerFacts, sha256, type VoteFacts } from '../../src/core/ledger/entry.ts';
import { policyHash } from '../../src/core/policy/document.ts';
import { OWN_DECISION } from '../../src/core/policy/permits.ts';
import { asked, decided, NOW } from './ledger-under-test.ts';

const leads = [{ kind: 'handle' as const, name: '@leads' }];
const channel = [{ kind: 'channel' as const, name: 'channel' }];
const of = (settings: Parameters<typeof policyOf>[0]) =>
  policyOf(settings, { startedElsewhere: [], inputs: { amount: 'number', owner: 'text' }, timeZone: 'UTC' });

const conditional = of({ approvers: leads, when: [{ if: 'inputs.amount > 5000', quorum: 2 }] });
const staged = of({
  approvers: leads,
  stages: [
    { name: 'Peer', approvers: channel },
    { name: 'Legal', all_of: [{ kind: 'handle', name: '@legal' }, ...leads] },
  ],
});
const owned = of({ approvers: [{ kind: 'input', name: 'input:owner' }] });
const noted = of({ approvers: leads, comment: { approve: 'required' }, on_decline: 'reject' });

const undoable = of({ approvers: leads, undo: 60_000 });

const choosing = of({ approvers: leads, quorum: 2, approving: ['Ship*'] });
/** Two of the leads, and a decision can be undone; or no text comes with an approval. */
const [ofTwo, silent] = [
  of({ approvers: leads, quorum: 2, undo: 60_000 }),
  of({ approvers: leads, comment: { approve: 'none' } }),
];
const impatient = of({ approvers: leads, expire_after: 60_000 });

/** One of the leads has to approve beside Maria. */
const beside = of({ approvers: [{ kind: 'person', name: 'U0MARIA' }], all_of: leads });

export const ROUTED_POLICIES = [
  ...[beside, conditional, staged, owned, noted, undoable, choosing, impatient, ofTwo, silent],
];

const [ofConditional, ofStaged, ofOwned] = [conditional, staged, owned].map((each) => ({ policy: policyHash(each) }));
const member = (by: string, rule: string, seat?: string): VoteFacts => ({
  ...{ by, rule, account: 'member' as const },
  ...(seat !== undefined && { seat }),
});
const [tom, lea] = [member('U0TOM', '@leads'), member('U0LEA', '@leads')];
const anna = { starter: 'U0ANNA' };

const seen = (values: Record<string, string | number>, ...possible: string[]) => ({ seen: { possible, values } });
const large = { ...ofConditional, ...seen({ 'inputs.amount': 9000 }, '/when/0') };
const small = { ...ofConditional, ...seen({ 'inputs.amount': 10 }, '') };
const unknown = { ...ofConditional, ...seen({}, '/when/0', '') };
/** By each of these rules, a lead counts as one. */
const under = (vote: VoteFacts, ...places: string[]): VoteFacts => ({
  ...vote,
  under: places.map((place) => ({ place, rule: vote.rule })),
});
const [tomUnder, leaUnder] = [under(tom, '/when/0', ''), under(lea, '/when/0', '')];

function textOf(text: string) {
  return { sha256: sha256(text), length: text.length };
}

function voted(by: VoteFacts, facts: Partial<LedgerFacts['voted']>, at = NOW + 1_000): LedgerEvent {
  return { kind: 'voted', at, facts: { approval: '1', ...by, text: null, policy: '', ...facts } };
}

const inPeer = { ...ofStaged, stage: 'Peer' };
const inLegal = { ...ofStaged, stage: 'Legal' };
const inPeerBy = (by: string) => {
  const vote = member(by, 'channel');
  return voted(vote, { ...inPeer, completes: [{ place: '', stage: 'Peer', votes: [vote] }] });
};
const peer = inPeerBy('U0CARL');
const askedStaged = asked({ ...anna, ...ofStaged });
const legal = member('U0EVE', '@legal', '@legal');
const lead = member('U0TOM', '@leads', '@leads');
const legalVoted = voted(legal, inLegal, NOW + 1_500);
const ofUndoable = { policy: policyHash(undoable) };
/** By rules that were in force for a while. */
const undoneWithoutStages: LedgerEvent[] = [
  decided({ by: tom, votes: [], undo_ms: 60_000, ...ofUndoable }, NOW + 1_200),
  { kind: 'undone', at: NOW + 1_300, facts: { approval: '1', by: tom.by, rule: OWN_DECISION, ...ofUndoable } },
];
const owner = { ...ofOwned, ...seen({ 'inputs.owner': 'U0TOM' }, '') };
const ownedByLea = { ...ofOwned, ...seen({ 'inputs.owner': 'U0LEA' }, '') };

const offering = { outcomes: ['ship it', 'hold', 'drop'], policy: policyHash(choosing) };
const ofChoosing = { policy: policyHash(choosing) };
const tomShips = voted(tom, { outcome: 'ship it', ...ofChoosing });
const nobody = { by: null, votes: [], verdict: 'reject' as const, text: textOf(impatient.expiryText), undo_ms: 0 };
const expired = (outcome: 'close' | 'reject', policy: string, at: number): LedgerEvent => ({
  kind: 'expired',
  at,
  facts: { approval: '1', outcome, policy },
});
const cancelled: LedgerEvent = { kind: 'cancelled', at: NOW + 1_000, facts: { approval: '1' } };
const ofImpatient = { policy: policyHash(impatient) };
const revealed: LedgerEvent = { kind: 'revealed', at: NOW + 1_000, facts: { approval: '1', by: 'U0TOM', secrets: 2 } };
const lost = (attempts: number): LedgerEvent => ({
  kind: 'lost',
  at: NOW + 900,
  facts: { approval: '1', verdict: 'approve', by: 'U0TOM', attempts },
});
const question = { fields: ['where'], policy: policyHash(choosing) };
const answered = (where: string) => ({ answer: textOf(JSON.stringify({ where })) });
const sent = (attempt: number): LedgerEvent => ({ kind: 'sent', at: NOW + 2_000, facts: { approval: '1', attempt } });

const byTwo = { policy: policyHash(ofTwo) };
const [toms, leas] = [textOf('as Tom would have it'), textOf('as Lea would have it')];
function edited(by: VoteFacts, text = textOf('a draft'), facts: Partial<LedgerFacts['edited']> = byTwo): LedgerEvent {
  const told = { approval: '1', by: by.by, rule: by.rule, text, policy: '' };
  return { kind: 'edited', at: NOW + 1_000, facts: { ...told, ...facts } };
}
const askedTwo = asked(byTwo);
/** Tom approves the text as he has edited it. */
const tomEdits = [edited(tom, toms), voted(tom, { ...byTwo, edited: toms })];
const leaDecides = (facts: Partial<LedgerFacts['decided']>) =>
  decided({ by: lea, votes: [tom], undo_ms: 60_000, ...byTwo, ...facts });
const withdrawn = (by: VoteFacts): LedgerEvent => ({
  kind: 'withdrawn',
  at: NOW + 1_500,
  facts: { approval: '1', by: by.by, reason: 'own' },
});
const undone = (by: VoteFacts): LedgerEvent => ({
  kind: 'undone',
  at: NOW + 2_500,
  facts: { approval: '1', by: by.by, rule: OWN_DECISION, ...byTwo },
});
const otherText = ['approves another text than the one that is decided', 'approves another text'] as const;

/** What the product says of it, and what somebody else does; null where it is right. */
export const ROUTED: [string, LedgerEvent[], string | null, string | null][] = [
  ['a text that two approve as one has edited it', [askedTwo, ...tomEdits, leaDecides({ edited: toms })], null, null],
  [
    'a vote for the text that was edited since',
    [
      askedTwo,
      voted(tom, byTwo),
      edited(lea, leas),
      decided({ by: lea, votes: [tom], undo_ms: 60_000, edited: leas, ...byTwo }),
    ],
    'counts a vote of U0TOM that no entry before it has',
    'counts a vote of U0TOM, who gave none',
  ],
  ['an approval of the text from before it was edited', [askedTwo, ...tomEdits, leaDecides({})], ...otherText],
  ['an approval of a text that nobody has made', [askedTwo, ...tomEdits, leaDecides({ edited: leas })], ...otherText],
  ['a vote for a text that nobody has made', [askedTwo, voted(tom, { ...byTwo, edited: toms })], ...otherText],
  [
    'a text that is edited twice',
    [
      askedTwo,
      ...tomEdits,
      edited(lea, leas),
      voted(lea, { ...byTwo, edited: leas }),
      decided({ by: tom, votes: [lea], undo_ms: 60_000, edited: leas, ...byTwo }),
    ],
    null,
    null,
  ],
  [
    'a vote for the text of the crew, to which somebody has gone back',
    [
      askedTwo,
      ...tomEdits,
      edited(lea),
      voted(lea, byTwo),
      decided({ by: tom, votes: [lea], undo_ms: 60_000, ...byTwo }),
    ],
    null,
    null,
  ],
  [
    'edits that were withdrawn with their vote',
    [askedTwo, ...tomEdits, withdrawn(tom), voted(tom, byTwo), leaDecides({})],
    null,
    null,
  ],
  [
    'edits that are approved after they were withdrawn',
    [askedTwo, ...tomEdits, withdrawn(tom), leaDecides({ edited: toms })],
    ...otherText,
  ],
  [
    'edits of one that stay when the decision of another is undone',
    [
      askedTwo,
      ...tomEdits,
      leaDecides({ edited: toms }),
      undone(lea),
      { ...leaDecides({ edited: toms }), at: NOW + 2_600 },
    ],
    null,
    null,
  ],
  [
    'edits by somebody who may not decide',
    [askedTwo, edited(member('U0EVE', '@sales'), toms)],
    "is edited by U0EVE, whom its policy doesn't allow it (not-approver)",
    'U0EVE',
  ],
  [
    'edits where no text comes with an approval',
    [asked({ policy: policyHash(silent) }), edited(tom, toms, { policy: policyHash(silent) })],
    'edits a text that its policy lets nobody approve with edits',
    'edits what takes no edits',
  ],
  [
    'edits of a question with outcomes',
    [asked(offering), edited(tom, toms, ofChoosing)],
    'edits a text that its policy lets nobody approve with edits',
    'edits what takes no edits',
  ],
  [
    'an outcome that two approve',
    [asked(offering), tomShips, decided({ by: lea, votes: [tom], outcome: 'ship it', ...ofChoosing })],
    null,
    null,
  ],
  [
    'an outcome by which one rejects',
    [asked(offering), tomShips, decided({ by: lea, votes: [], verdict: 'reject', outcome: 'drop', ...ofChoosing })],
    null,
    null,
  ],
  [
    'an outcome that rejects as an approval',
    [asked(offering), tomShips, decided({ by: lea, votes: [tom], outcome: 'drop', ...ofChoosing })],
    'counts its outcome otherwise than its policy',
    'is another verdict than its outcome',
  ],
  [
    'an outcome that was never offered',
    [asked(offering), tomShips, decided({ by: lea, votes: [tom], outcome: 'ship now', ...ofChoosing })],
    'chooses an outcome that was not offered',
    'chooses what was not offered',
  ],
  [
    'an approval without an outcome',
    [asked(offering), decided({ by: lea, votes: [], verdict: 'reject', ...ofChoosing })],
    'chooses nothing, but outcomes were offered',
    'chooses nothing',
  ],
  [
    'an answer that two give',
    [
      asked(question),
      voted(tom, { ...answered('here'), ...ofChoosing }),
      decided({ by: lea, votes: [tom], ...answered('here'), ...ofChoosing }),
    ],
    null,
    null,
  ],
  [
    'a rejection instead of an answer',
    [asked(question), decided({ by: lea, votes: [], verdict: 'reject', ...ofChoosing })],
    null,
    null,
  ],
  [
    'different answers',
    [
      asked(question),
      voted(tom, { ...answered('here'), ...ofChoosing }),
      decided({ by: lea, votes: [tom], ...answered('there'), ...ofChoosing }),
    ],
    'counts a vote of U0TOM for another answer',
    'counts votes for another answer',
  ],
  [
    'an approval without an answer',
    [asked(question), voted(tom, ofChoosing)],
    'answers nothing',
    'answers nothing, or what was not asked',
  ],
  [
    'an answer to what has no fields',
    [asked(ofChoosing), voted(tom, { ...answered('here'), ...ofChoosing })],
    'answers what was not asked',
    'answers nothing, or what was not asked',
  ],
  [
    'a rejection of the only outcome',
    [asked({ ...offering, outcomes: ['ship it'] }), decided({ by: lea, votes: [], verdict: 'reject', ...ofChoosing })],
    null,
    null,
  ],
  [
    'an approval without the only outcome',
    [asked({ ...offering, outcomes: ['ship it'] }), tomShips, decided({ by: lea, votes: [tom], ...ofChoosing })],
    'chooses nothing, but outcomes were offered',
    'chooses nothing',
  ],
  [
    'approvals of different outcomes',
    [
      asked({ ...offering, outcomes: ['ship it', 'ship later'] }),
      tomShips,
      decided({ by: lea, votes: [tom], outcome: 'ship later', ...ofChoosing }),
    ],
    'counts a vote of U0TOM for another outcome',
    'counts votes for another outcome',
  ],
  [
    'an outcome where none was offered',
    [asked(ofChoosing), tomShips],
    'chooses an outcome that was not offered',
    'chooses what was not offered',
  ],
  [
    'an expiry at the end of the time that the asker has',
    [asked({ ...ofImpatient, limit_ms: 500, destination: 'poll' }), expired('close', ofImpatient.policy, NOW + 1_000)],
    null,
    null,
  ],
  [
    'an expiry before that',
    [
      asked({ ...ofImpatient, limit_ms: 5_000, destination: 'poll' }),
      expired('close', ofImpatient.policy, NOW + 1_000),
    ],
    'is an expiry before the time that people had',
    'expires too early',
  ],
  [
    'an expiry that an asker hears of in any case',
    [
      asked({ ...ofImpatient, limit_ms: 500, destination: 'callback' }),
      expired('reject', ofImpatient.policy, NOW + 1_000),
      decided({ ...nobody, ...ofImpatient }, NOW + 1_000),
    ],
    null,
    null,
  ],
  [
    'an expiry that such an asker doesn’t hear of',
    [
      asked({ ...ofImpatient, limit_ms: 500, destination: 'callback' }),
      expired('close', ofImpatient.policy, NOW + 1_000),
    ],
    'is an expiry that its policy has none of',
    'expires otherwise',
  ],
  [
    'secrets that are revealed before the decision',
    [asked(ofImpatient), revealed, decided({ by: tom, votes: [], ...ofImpatient })],
    null,
    null,
  ],
  [
    'secrets that are revealed after it',
    [asked(ofImpatient), decided({ by: tom, votes: [], ...ofImpatient }, NOW + 500), revealed],
    'is "revealed", but request 1 is decided',
    'comes while the request is decided',
  ],
  [
    'secrets of a request that was never asked',
    [asked({ ...ofImpatient, approval: '2' }), revealed],
    'is about the request 1, which no entry before it has asked',
    'is about a request that no entry before it has asked',
  ],
  [
    'a decision that Redis lost before it was sent, and that is made again',
    [asked(ofImpatient), lost(0), decided({ by: tom, votes: [], ...ofImpatient }), sent(1)],
    null,
    null,
  ],
  ['a decision that Redis lost, and that is sent again', [asked(ofImpatient), lost(1), sent(2)], null, null],
  [
    'a decision that Redis lost before it was sent, and that is sent',
    [asked(ofImpatient), lost(0), sent(1)],
    'is "sent", but request 1 still waits for a decision',
    'comes while the request is waiting',
  ],
  [
    'a decision that Redis lost, of more attempts than it says',
    [asked(ofImpatient), decided({ by: tom, votes: [], ...ofImpatient }, NOW + 500), sent(1), lost(0)],
    'was sent 0 times, but entries before it sent it more often',
    'was sent more often before',
  ],
  ['what its program takes back', [asked({ ...ofImpatient, destination: 'poll' }), cancelled], null, null],
  [
    'what a crew takes back',
    [asked(ofImpatient), cancelled],
    'takes back what no program has asked',
    'takes back what no program has asked',
  ],
  [
    'what is taken back after a rejection that can be undone',
    [
      asked({ ...ofUndoable, destination: 'poll' }),
      decided({ by: tom, votes: [], verdict: 'reject', undo_ms: 60_000, ...ofUndoable }, NOW + 500),
      cancelled,
    ],
    'is "cancelled", but request 1 is decided',
    'comes while the request is decided',
  ],
  [
    'what is decided after it was taken back',
    [asked({ ...ofImpatient, destination: 'callback' }), cancelled, decided({ by: tom, votes: [], ...ofImpatient })],
    'is "decided", but request 1 was taken back',
    'comes while the request is over',
  ],
  [
    'a condition that holds',
    [asked(large), voted(tom, large), decided({ by: lea, votes: [tom], ...large })],
    null,
    null,
  ],
  ['a condition that doesn’t hold', [asked(small), decided({ by: lea, votes: [], ...small })], null, null],
  [
    'a condition of which nobody can tell',
    [asked(unknown), voted(tomUnder, unknown), decided({ by: leaUnder, votes: [tomUnder], ...unknown })],
    null,
    null,
  ],
  [
    'too few for a condition that holds',
    [asked(large), decided({ by: lea, votes: [], ...large })],
    'is decided with 1 too few approvals',
    'has too few approvals',
  ],
  [
    'a condition that counts although it doesn’t hold',
    [asked({ ...small, ...seen({ 'inputs.amount': 10 }, '/when/0') })],
    'takes other rules for possible than its policy',
    null,
  ],
  [
    'a value that changes',
    [asked(large), decided({ by: lea, votes: [], ...small })],
    'says another inputs.amount than an entry before it',
    null,
  ],
  [
    'a value that is left out',
    [asked(large), voted(tomUnder, unknown)],
    'says another inputs.amount than an entry before it',
    null,
  ],
  [
    'no word of what its rules depend on',
    [asked(ofConditional)],
    "doesn't say what its rules depend on",
    'says otherwise whether its rules depend on something',
  ],
  [
    'a value that no rule sees',
    [asked({ ...small, ...seen({ 'inputs.amount': 10, hour: 7 }, '') })],
    "says the value hour, which its rules don't depend on",
    null,
  ],
  [
    'two stages',
    [askedStaged, peer, legalVoted, decided({ by: lead, votes: [legal], ...inLegal }, NOW + 2_000)],
    null,
    null,
  ],
  [
    'a rejection in the first stage',
    [askedStaged, decided({ by: member('U0CARL', 'channel'), verdict: 'reject', votes: [], ...inPeer })],
    null,
    null,
  ],
  [
    'a decision that leaves out a stage',
    [askedStaged, decided({ by: member('U0CARL', 'channel'), votes: [], ...inPeer })],
    'is decided before its last stage',
    'leaves out a stage',
  ],
  [
    'a decision in the first stage by somebody of the second',
    [askedStaged, decided({ by: lead, votes: [], ...inLegal })],
    'is a decision in another stage than that of its policy',
    'is a decision in another stage',
  ],
  [
    'a vote for a stage that isn’t open',
    [askedStaged, legalVoted],
    'is a vote for another stage than that of its policy',
    'is a vote for another stage',
  ],
  [
    'a person in two stages',
    [askedStaged, inPeerBy('U0TOM'), legalVoted, decided({ by: lead, votes: [legal], ...inLegal })],
    "whom its policy doesn't allow it (right-used)",
    'counts a person or a right twice',
  ],
  [
    'a stage that stays complete though a decision by rules without stages was undone',
    [askedStaged, peer, ...undoneWithoutStages, { ...legalVoted, at: NOW + 1_500 }],
    null,
    null,
  ],
  [
    'a vote for such a stage',
    [askedStaged, peer, ...undoneWithoutStages, { ...peer, at: NOW + 1_400 }],
    'is a vote for another stage than that of its policy',
    'is a vote for another stage',
  ],
  [
    'one of each lacking',
    [askedStaged, peer, legalVoted, decided({ by: member('U0FAY', '@legal'), votes: [legal], ...inLegal })],
    'too few approvals',
    'lacks one of each',
  ],
  [
    'a decision that doesn’t say who has a seat',
    [askedStaged, peer, legalVoted, decided({ by: member('U0TOM', '@leads'), votes: [legal], ...inLegal })],
    "doesn't say which of its votes has the seat of @leads",
    'lacks one of each',
  ],
  [
    'one group beside approvers, by two people',
    [
      asked({ policy: policyHash(beside) }),
      voted(member('U0MARIA', 'U0MARIA'), { policy: policyHash(beside) }),
      decided({
        by: member('U0TOM', '@leads', '@leads'),
        votes: [member('U0MARIA', 'U0MARIA')],
        policy: policyHash(beside),
      }),
    ],
    null,
    null,
  ],
  [
    'a vote that completes the last stage without a decision',
    [
      askedStaged,
      peer,
      legalVoted,
      voted(lead, { ...inLegal, completes: [{ place: '', stage: 'Legal', votes: [legal, lead] }] }, NOW + 1_600),
    ],
    'completes the last stage, but decides nothing',
    'completes the last stage',
  ],
  [
    'whom each request of a run names itself',
    [
      asked(owner),
      asked({ ...ownedByLea, approval: '2', task: { id: 'other', name: 'print' } }),
      decided({ by: member('U0TOM', 'U0TOM'), votes: [], ...owner }),
      decided({ approval: '2', by: member('U0LEA', 'U0LEA'), votes: [], ...ownedByLea }),
    ],
    null,
    null,
  ],
  ['whom an input names', [asked(owner), decided({ by: member('U0TOM', 'U0TOM'), votes: [], ...owner })], null, null],
  [
    'somebody whom the input doesn’t name',
    [asked(owner), decided({ by: member('U0LEA', 'U0LEA'), votes: [], ...owner })],
    "whom its policy doesn't allow it (not-approver)",
    'whom the policy does not let decide',
  ],
  [
    'a starter who has named themselves',
    [asked({ ...owner, starter: 'U0TOM' }), decided({ by: member('U0TOM', 'U0TOM'), votes: [], ...owner })],
    "whom its policy doesn't allow it (not-approver)",
    null,
  ],
  [
    'rules about notes and a decline',
    [asked({ policy: policyHash(noted) }), decided({ by: lea, votes: [], policy: policyHash(noted) })],
    null,
    null,
  ],
];

export const tried: LedgerEvent = {
  kind: 'tried',
  at: NOW,
  facts: { crew: 'research', task: { id: 'publish', name: null }, kickoff: 'k-1', text: textOf('Approved.') },
};

/** A trial of the crew `research` in these chains, and what is said of it, as above. */
export const TRIALS: [string, string, string | null, string | null][] = [
  ['a trial on one of its crew’s days', 'crew:research/2026-11-28', null, null],
  [
    'a trial on a day of another crew',
    'crew:other/2026-11-28',
    'is a trial of the crew research in the chain crew:other/2026-11-28',
    'is a trial in another chain',
  ],
  [
    'a trial among the policies of its crew',
    'crew:research',
    'is a trial of the crew research in the chain crew:research',
    'is a trial in another chain',
  ],
  ['a trial in a run', 'run', 'is a trial of the crew research in the chain run', 'is a trial in another chain'],
];
