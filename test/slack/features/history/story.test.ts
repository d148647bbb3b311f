import { describe, expect, it } from 'vitest';
import { chainEntries, type LedgerEvent, NO_ENTRIES, type VoteFacts } from '../../../../src/core/ledger/entry.ts';
import { type Sentence, storyOf, type Wording } from '../../../../src/slack/features/history/story.ts';
import { asked, confirmed, decided, jon, maria, NOW, sent, voted } from '../../../ledger/ledger-under-test.ts';
import { sayIn } from '../../../support/say.ts';

const wording: Wording = {
  say: sayIn('en'),
  name: (id) => id,
  foreign: (text) => text,
  moment: (at, sentence) => sentence(new Date(at).toISOString().slice(0, 10)),
};

type Told = Omit<LedgerEvent, 'at'>;

function tell(events: Told[], words = wording): Sentence[] {
  return storyOf(
    chainEntries(
      'run',
      NO_ENTRIES,
      events.map((event) => ({ ...event, at: NOW }) as LedgerEvent),
    ),
    words,
  );
}

const about = { approval: '1', by: jon.by };
const of = { policy: '0123456789abcdef', rule: '@leads' };
const refused = (action: string, reason = 'guest', approval: string | null = '1'): Told => ({
  kind: 'refused',
  facts: { approval, action, by: jon.by, reason, policy: of.policy },
});

const withOutcome = ({ facts, ...event }: LedgerEvent) =>
  ({ ...event, facts: { ...facts, outcome: 'ship it' } }) as LedgerEvent;

/** What comes after the crew has asked. */
const SENTENCES: [Told, string][] = [
  [
    voted({ ...maria, account: 'guest' }),
    'U0MARIA (a guest) approved “publish the draft”. More approvals were needed.',
  ],
  [{ kind: 'withdrawn', facts: { ...about, reason: 'own' } }, 'U0JON withdrew their vote on “publish the draft”.'],
  [
    { kind: 'withdrawn', facts: { ...about, reason: 'deactivated' } },
    'The vote of U0JON on “publish the draft” no longer counted: the account is deactivated.',
  ],
  [decided({ votes: [] }), 'U0JON (as @leads) approved “publish the draft”.'],
  [decided(), 'U0JON (as @leads) approved “publish the draft”, after U0MARIA.'],
  [
    decided({ votes: [], outcome: 'ship it' }),
    'U0JON (as @leads) approved “publish the draft”. The answer was “ship it”.',
  ],
  [withOutcome(voted()), 'U0MARIA approved “publish the draft”. More approvals were needed. The answer was “ship it”.'],
  [
    decided({ verdict: 'reject', votes: [], undo_ms: 60_000 }),
    'U0JON (as @leads) rejected “publish the draft”. It could be undone for 1 minute.',
  ],
  [decided({ verdict: 'reject' }), 'U0JON (as @leads) rejected “publish the draft”, which U0MARIA had approved.'],
  [decided({ verdict: 'decline', votes: [] }), 'U0JON (as @leads) declined “publish the draft”.'],
  [decided({ verdict: 'decline' }), 'U0JON (as @leads) declined “publish the draft”, which U0MARIA had approved.'],
  [refused('decline'), 'U0JON tried to decline “publish the draft”. Nothing changed: guests aren’t allowed to.'],
  [
    decided({ votes: [], by: { ...jon, rule: 'handed over', for: { ...jon, by: 'U0EVE' } } }),
    'U0JON (with the right of U0EVE, as @leads) approved “publish the draft”.',
  ],
  [
    decided({ votes: [], by: { ...jon, rule: 'handed over' } }),
    'U0JON (as an added approver) approved “publish the draft”.',
  ],
  [
    decided({ votes: [], by: { ...jon, rule: 'channel', account: 'stranger' } }),
    'U0JON (as a member of the channel, of another organisation) approved “publish the draft”.',
  ],
  [decided({ by: null, verdict: 'reject' }), 'By the rules, that was a rejection of “publish the draft”.'],
  [refused('approve'), 'U0JON tried to approve “publish the draft”. Nothing changed: guests aren’t allowed to.'],
  [
    refused('send-again', 'crew-missing'),
    'U0JON tried to send the decision on “publish the draft” again. Nothing changed: the crew wasn’t set up.',
  ],
  [
    refused('hand-over', 'cannot-take-over'),
    'U0JON tried to add an approver to “publish the draft”. Nothing changed: the other person isn’t allowed to decide.',
  ],
  [
    refused('ask-approvers', 'asked-lately'),
    'U0JON tried to have others asked about “publish the draft”. Nothing changed: they had just been asked.',
  ],
  [
    refused('start', 'stranger', null),
    'U0JON tried to start a run. Nothing changed: people of other organisations aren’t allowed to.',
  ],
  [refused('dance', 'no-music', null), 'U0JON tried to dance. Nothing changed: no-music.'],
  [refused('constructor', 'toString', null), 'U0JON tried to constructor. Nothing changed: toString.'],
  [
    { kind: 'refused', facts: { ...about, action: 'approve', reason: 'not-approver', policy: of.policy, times: 2 } },
    'U0JON tried 2 more times within a minute to approve “publish the draft”. Nothing changed: the rules don’t allow them to.',
  ],
  [
    { kind: 'undone', facts: { ...about, ...of } },
    'U0JON undid the decision on “publish the draft” before it was sent.',
  ],
  [
    { kind: 'handed-over', facts: { ...about, ...of, to: 'U0EVE' } },
    'U0JON added U0EVE as an approver of “publish the draft”.',
  ],
  [
    {
      kind: 'handed-over',
      facts: { ...about, ...of, to: 'U0EVE', until: Date.UTC(2026, 11, 2) },
    },
    'U0JON added U0EVE as an approver of “publish the draft” (until 2026-12-02).',
  ],
  [
    { kind: 'taken-back', facts: { approval: '1', by: 'U0JON', to: 'U0EVE', until: NOW } },
    'U0EVE no longer stood in for U0JON on “publish the draft”.',
  ],
  [
    {
      kind: 'tried',
      facts: { crew: 'research', task: { id: 'publish', name: null }, kickoff: 'k-1', text: { length: 9, sha256: '' } },
    },
    'Somebody who tried research at the command line approved “publish”, without asking anybody.',
  ],
  [{ kind: 'cancelled', facts: { approval: '1' } }, 'The program that asked took “publish the draft” back.'],
  [
    { kind: 'cancelled', facts: { approval: '1', replaced_by: 'ref2' } },
    'The program that asked replaced “publish the draft” with a newer request.',
  ],
  [
    { kind: 'revealed', facts: { approval: '1', by: 'U0JON', secrets: 2 } },
    'U0JON was shown the 2 secrets in the text of “publish the draft”.',
  ],
  [
    { kind: 'reminded', facts: { approval: '1', number: 2, mentioned: [] } },
    'Reminder 2 about “publish the draft” mentioned nobody.',
  ],
  [
    {
      kind: 'escalated',
      facts: { approval: '1', places: [''], to: ['@legal', 'channel', 'workspace'], mentioned: [], policy: of.policy },
    },
    'As nobody had decided “publish the draft”, @legal, all members of this channel and all members of the workspace could decide it, too.',
  ],
  [
    { kind: 'expired', facts: { approval: '1', outcome: 'close', policy: of.policy } },
    'Nobody decided “publish the draft” in time. It was closed, and nothing was sent.',
  ],
  [
    { kind: 'expired', facts: { approval: '1', outcome: 'reject', policy: of.policy } },
    'Nobody decided “publish the draft” in time.',
  ],
  [sent, 'The decision on “publish the draft” was sent to research.'],
  [
    { kind: 'sent', facts: { approval: '1', attempt: 2 } },
    'The decision on “publish the draft” was sent to research again (attempt 2).',
  ],
  [confirmed, 'research accepted the decision on “publish the draft”.'],
  [
    { kind: 'confirmed', facts: { approval: '1', proof: 'evidence' } },
    'research went on, so it got the decision on “publish the draft”.',
  ],
  [
    { kind: 'not-confirmed', facts: { approval: '1', attempt: 2 } },
    'research didn’t confirm that it got the decision on “publish the draft”.',
  ],
  [
    { kind: 'lost', facts: { approval: '1', verdict: 'approve', by: 'U0JON', attempts: 0 } },
    'The database lost that U0JON approved “publish the draft”. The crew never got it, so “publish the draft” waited for a decision again.',
  ],
  [
    { kind: 'lost', facts: { approval: '1', verdict: 'reject', by: null, attempts: 1 } },
    'The database lost that the rules rejected “publish the draft”. The crew may have got it all the same.',
  ],
];

it.each(SENTENCES)('%# tells %j', (event, sentence) => {
  expect(tell([asked(), event]).map(({ text }) => text)).toEqual([
    'U0ANNA started research. It asked for approval of “publish the draft”.',
    sentence,
  ]);
});

describe('the story of a run', () => {
  const texts = (events: Told[], words?: Wording) => tell(events, words).map(({ text }) => text);

  it('names texts by task and round, and tells how the run began only once', () => {
    const task = { id: 't2', name: 'write' };
    const again = asked({ approval: '2', round: 2 });
    const other = asked({ approval: '3', task });
    expect(texts([asked({ starter: null }), again, other, decided({ approval: '2', votes: [] })])).toEqual([
      'Started outside Slack, research asked for approval of “publish the draft”.',
      'research asked for approval of “publish the draft”, round 2.',
      'research asked for approval of “write”.',
      'U0JON (as @leads) approved “publish the draft”, round 2.',
    ]);
  });

  it('knows a task by the name that it ever got, also in rounds before that', () => {
    const task = { id: 't1', name: null };
    const named: Told = {
      kind: 'named',
      facts: { approval: '2', task: { id: 't1', name: 'publish' }, policy: of.policy },
    };
    const unnamed = [asked({ task }), asked({ approval: '2', round: 2, task })];
    expect(texts([...unnamed, named, decided({ approval: '2', votes: [] })])).toEqual([
      'U0ANNA started research. It asked for approval of “publish”.',
      'research asked for approval of “publish”, round 2.',
      'research named this task: “publish”, round 2.',
      'U0JON (as @leads) approved “publish”, round 2.',
    ]);
    expect(texts(unnamed)).toEqual([
      'U0ANNA started research. It asked for approval of request 1.',
      'research asked for approval of round 2 (request 2).',
    ]);
  });

  it('names a request that it knows nothing about by its number', () => {
    expect(texts([sent, confirmed])).toEqual([
      'The decision on request 1 was sent to the crew.',
      'the crew accepted the decision on request 1.',
    ]);
  });

  it('tells of stages and of whom people approved for', () => {
    const peer = { ...voted(), facts: { ...voted().facts, stage: 'Peer' } } as Told;
    const completed = (votes: VoteFacts[]) => {
      const completes = [{ place: '', stage: 'Peer', votes: [...votes, jon] }];
      return { kind: 'voted', facts: { ...voted(jon).facts, stage: 'Peer', completes } } as Told;
    };
    const last = decided({
      stage: 'Release',
      by: { ...jon, seat: '@security' },
      votes: [{ ...maria, seat: 'U0MARIA' }],
    });
    expect(texts([asked(), peer, completed([maria]), completed([]), last]).slice(1)).toEqual([
      'U0MARIA approved “publish the draft”, stage “Peer”. More approvals were needed.',
      'U0JON (as @leads) approved “publish the draft”, stage “Peer”, after U0MARIA, which completed the stage.',
      'U0JON (as @leads) approved “publish the draft”, stage “Peer”, which completed the stage.',
      'U0JON (as @leads, for @security) approved “publish the draft”, stage “Release”, after U0MARIA.',
    ]);
  });

  it('tells which conditions counted and what they saw, until that changes', () => {
    const conditions = new Map([
      [
        of.policy,
        { when: ['round > 9'], tasks: [{ match: 'publish*', when: ['inputs.amount > 5', "starter == 'U0'"] }] },
      ],
    ]);
    const seen = { possible: ['/tasks/0/when/0'], values: { 'inputs.amount': 9, starter: 'U0ANNA' } };
    const told = (events: Told[], known = conditions, words = wording) =>
      storyOf(
        chainEntries(
          'run',
          NO_ENTRIES,
          events.map((each) => ({ ...each, at: NOW }) as LedgerEvent),
        ),
        words,
        known,
      );
    const first = asked({ policy: of.policy, seen });
    const same = decided({ policy: of.policy, seen, votes: [] });
    const other = decided({
      policy: 'f'.repeat(64),
      seen: { possible: ['/when/0', '/tasks/0', ''], values: {} },
      votes: [],
    });
    const none = decided({
      policy: of.policy,
      seen: { possible: ['/tasks/0'], values: { 'inputs.owner': 'x@y.org' } },
      votes: [],
    });
    const approved = 'U0JON (as @leads) approved “publish the draft”.';
    expect(told([first, same, other, none]).map(({ text }) => text)).toEqual([
      'U0ANNA started research. It asked for approval of “publish the draft”. ' +
        'These rules applied: those where “inputs.amount > 5” holds (amount: 9 and starter: U0ANNA).',
      approved,
      `${approved} Each of these rules could apply: those at /when/0, those at /tasks/0 and the crew’s own.`,
      `${approved} These rules applied: those for tasks like “publish*” (owner: x@y.org).`,
    ]);
    const foreign = told([first], conditions, { ...wording, foreign: (text) => `<${text}>` });
    expect(foreign[0]?.text).toContain('“<inputs.amount > 5>” holds (<amount>: <9> and <starter>: U0ANNA)');
  });

  it('tells of a crew when its rules changed', () => {
    const facts = { crew: 'research', policy: '0123456789abcdef' };
    expect(texts([{ kind: 'policy', facts }])).toEqual([
      'From then on, other rules applied to research (policy 0123456789ab).',
    ]);
  });

  it('is told in German, too', () => {
    const events = [asked(), voted(), decided({ verdict: 'reject' }), refused('undo', 'no-decision')];
    expect(texts(events, { ...wording, say: sayIn('de') })).toEqual([
      'U0ANNA hat research gestartet. Die Crew hat um Freigabe von „publish the draft“ gebeten.',
      'U0MARIA hat „publish the draft“ freigegeben. Es fehlten noch weitere Freigaben.',
      'U0JON (als @leads) hat „publish the draft“ abgelehnt, entgegen der Freigabe von U0MARIA.',
      'U0JON wollte die Entscheidung über „publish the draft“ rückgängig machen. Geändert wurde nichts: es gab nichts rückgängig zu machen.',
    ]);
  });
});
