import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/core/policy/condition.ts';
import type { Language } from '../../../src/core/policy/crew.ts';
import {
  type Approver,
  DEFAULT_POLICY,
  type Policy,
  parseApprover,
  type StagePolicy,
} from '../../../src/core/policy/policy.ts';
import { conditionStatements, policyStatements, starterStatement } from '../../../src/core/policy/statements.ts';
import { parseWorkingHours } from '../../../src/core/values/working-hours.ts';
import { policySentence } from '../../../src/slack/request/policy-sentences.ts';
import { sayIn } from '../../support/say.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type StatedCrew = Parameters<typeof policyStatements>[0]['crew'];

const CREW: StatedCrew = {
  name: 'research',
  hours: parseWorkingHours(''),
  requireUserToken: false,
  channel: null,
  startedElsewhere: 'followed',
};

const NAMES: Record<string, string> = { U0123ABC: 'Maria (U0123ABC)', S0456DEF: '@release-managers' };
const nameOf = ({ name }: Approver) => NAMES[name] ?? name;

const approvers = (...names: string[]) => names.map(parseApprover).filter((approver) => approver !== null);

const wording = { say: sayIn('en'), nameOf };

function sentencesOf(own: Partial<Policy>, crew: Partial<StatedCrew> = {}, language: Language = 'en'): string[] {
  return policyStatements({ policy: { ...DEFAULT_POLICY, ...own }, crew: { ...CREW, ...crew } }).map((rule) =>
    policySentence(rule, { say: sayIn(language), nameOf }),
  );
}

function stage(name: string, own: Partial<Policy>): StagePolicy {
  const { stages: _, stage: _at, ...rules } = { ...DEFAULT_POLICY, ...own };
  return { ...rules, name };
}

const condition = (text: string): Condition => ({ text, sees: [], holds: () => null });

const FULL_POLICY = {
  ...DEFAULT_POLICY,
  approvers: approvers('U0123ABC', 'S0456DEF', 'channel'),
  quorum: 2,
  selfApproval: false,
  guests: true,
  undoMs: 10_000,
  minReviewMs: 20_000,
  remindAfterMs: 30 * MINUTE,
  escalateAfterMs: 4 * HOUR,
  escalateTo: approvers('@leads', 'boss@example.com'),
  expireAfterMs: 3 * DAY,
  onExpiry: 'reject' as const,
  comment: { approve: 'required', reject: 'optional' } as const,
  onDecline: 'reject' as const,
};
const FULL_CREW = { ...CREW, requireUserToken: true, hours: parseWorkingHours('Mon-Fri 09:00-17:00 Europe/Berlin') };

describe('a policy in sentences', () => {
  it('is short where nothing is set', () => {
    expect(sentencesOf({})).toEqual([
      'Any member of the workspace can decide.',
      'The person who started the run can decide it, too.',
    ]);
  });

  it('tells defaults only where people would expect something else', () => {
    const about = (words: RegExp, own: Partial<Policy>) => sentencesOf(own).filter((sentence) => words.test(sentence));
    const [guests, added] = [/^Guests/, /added as an approver/];
    expect(about(guests, { approvers: approvers('@leads') })).toEqual([]);
    expect(about(guests, { stages: STAGES.slice(0, 1) })).toHaveLength(1);
    expect(about(guests, { approvers: approvers('@leads'), guests: true })).toHaveLength(1);
    expect(about(added, { approvers: approvers('@leads') })).toEqual([]);
    expect(about(added, { approvers: approvers('@leads'), delegation: 'anyone' })).toHaveLength(1);
  });

  it('tells which outcomes approve, if any', () => {
    expect(sentencesOf({ approving: ['approved', 'ship*'] })).toContain(
      'If a request offers its own answers, these approve: approved and ship*. All others reject.',
    );
    expect(sentencesOf({ approving: [] })).toContain('If a request offers its own answers, all of them reject.');
  });

  it('tells everything that is set, with times in words', () => {
    expect(sentencesOf(FULL_POLICY, FULL_CREW)).toEqual([
      'Two of Maria (U0123ABC), @release-managers and the members of the channel have to approve; one rejection decides at once.',
      'The person who started the run can’t decide it.',
      'Guests and people from other organisations can decide only if they’re named by their ID.',
      'Everybody needs their own access token for this crew: /kickoff connect research.',
      'An approval needs a note.',
      'A rejection doesn’t need feedback.',
      'After “Decline”, the crew gets a last rejection that says so.',
      'Signoff asks for confirmation if you approve less than 20 seconds after the request.',
      'A decision is sent 10 seconds after it’s made. Until then, it can be undone.',
      'People who can decide are reminded after 30 minutes, then less and less often.',
      'After 4 hours without a decision, anyone in @leads or boss@example.com can decide, too.',
      'After 3 days without a decision, Signoff rejects: “Nobody decided in time.”',
      'For these times, only working hours count: Mon-Fri 09:00-17:00 Europe/Berlin.',
    ]);
  });

  it('tells that nothing can be said with a verdict', () => {
    const told = sentencesOf({ comment: { approve: 'none', reject: 'none' } });
    expect(told).toEqual(expect.arrayContaining(['Approvals can’t have a note.', 'Rejections can’t have feedback.']));
  });

  it.each<[Partial<StatedCrew>, string[], string[]]>([
    [{ channel: null }, [], []],
    [{ startedElsewhere: 'refused' }, [], []],
    [{}, [], ['Who started a run outside Slack isn’t known, so they can decide it, too.']],
    [
      {},
      ['U0123ABC', 'boss@example.com'],
      ['A run that was started outside Slack counts as started by Maria (U0123ABC) and boss@example.com.'],
    ],
  ])(
    'says who counts as the starter of a run that was started elsewhere, where it matters: %j %j',
    (own, names, said) => {
      const crew = { channel: 'releases', ...own };
      const startedElsewhere = approvers(...names);
      const about = (sentences: string[]) => sentences.filter((sentence) => sentence.includes('outside Slack'));
      expect(about(sentencesOf({ selfApproval: false, startedElsewhere }, crew))).toEqual(said);
      expect(about(sentencesOf({ selfApproval: true, startedElsewhere }, crew))).toEqual([]);
    },
  );

  it('is whole in another language', () => {
    const words = sentencesOf(FULL_POLICY, FULL_CREW, 'de');
    expect(words).toHaveLength(13);
    expect(words).toContain(
      'Freigeben müssen zwei von Maria (U0123ABC), @release-managers und den Mitgliedern des Channels; wer ablehnt, entscheidet sofort.',
    );
    expect(words).toContain(
      'Entscheidet 4 Stunden lang niemand, kann auch entscheiden: jede Person in @leads oder boss@example.com.',
    );
  });

  it.each([
    ['Maria (U0123ABC) can decide.', ['U0123ABC']],
    ['jon@example.com or Maria (U0123ABC) can decide.', ['jon@example.com', 'U0123ABC']],
    ['Anyone in @leads can decide.', ['@leads', '@leads']],
    ['Anyone in the channel or anyone in @leads can decide.', ['channel', '@leads']],
    ['Any member of the workspace can decide.', ['U0123ABC', 'workspace', '@leads']],
    ['Nobody can decide.', []],
  ])('says: %s', (sentence, names) => {
    expect(sentencesOf({ approvers: approvers(...names) })).toContain(sentence);
    const start = sentence.replace('decide', 'start it');
    expect(policySentence(starterStatement(approvers(...names)), wording)).toBe(start);
  });

  it.each([
    ['Two people of @leads', ['@leads'], 2],
    ['3 people of @leads and @legal', ['@leads', '@legal'], 3],
    ['Two members of the workspace', ['workspace'], 2],
    ['Two of the members of the channel', ['channel'], 2],
    ['Two of Maria (U0123ABC) and @leads', ['U0123ABC', '@leads'], 2],
  ])('says how many of whom have to approve: %s', (who, names, quorum) => {
    const [sentence] = sentencesOf({ approvers: approvers(...names), quorum });
    expect(sentence).toBe(`${who} have to approve; one rejection decides at once.`);
  });

  it.each([
    [
      { expireAfterMs: DAY },
      'After 1 day without a decision, the approval is closed, and nothing is sent to the crew.',
    ],
    [{ undoMs: 90_000 }, 'A decision is sent 90 seconds after it’s made. Until then, it can be undone.'],
    [{ minReviewMs: MINUTE }, 'Signoff asks for confirmation if you approve less than 1 minute after the request.'],
    [{ approvers: approvers('@leads') }, 'The person who started the run can decide it, too, if they’re one of them.'],
    [
      { delegation: 'none' as const },
      'Nobody can be added as an approver, and nobody stands in for people who are away.',
    ],
    [
      { delegation: 'anyone' as const },
      'Any member of the workspace can be added as an approver, and stand in for people who are away.',
    ],
    [{ approvers: approvers('channel') }, 'Guests and people from other organisations can’t decide.'],
  ])('says of %j: %s', (own, sentence) => {
    expect(sentencesOf(own)).toContain(sentence);
  });

  it.each([
    ['One person of @legal and one person of @security have', ['@legal', '@security'], 1],
    ['One person of @legal and one person of @security have', ['workspace'], 2],
    [
      '3 people of @legal and @security have to approve, among them one person of @legal and one person of @security',
      ['@legal', '@security'],
      3,
    ],
    [
      '3 members of the workspace have to approve, among them one person of @legal and one person of @security',
      ['workspace'],
      3,
    ],
    [
      'One person of @release-managers, one person of @legal and one person of @security have to approve (a person can count for several of these)',
      ['@release-managers'],
      1,
    ],
    [
      'Two people of @release-managers, one person of @legal and one person of @security have to approve (a person can count for several of these)',
      ['@release-managers'],
      2,
    ],
  ])('says where one each has to approve: %s', (who, names, quorum) => {
    const [sentence] = sentencesOf({ approvers: approvers(...names), quorum, allOf: approvers('@legal', '@security') });
    const rest = who.endsWith('have') ? ' to approve' : '';
    expect(sentence).toBe(`${who}${rest}; one rejection decides at once.`);
  });

  it('says where one person alone has to approve', () => {
    const allOf = approvers('@legal');
    expect(sentencesOf({ approvers: allOf, allOf })).toContain('One person of @legal has to approve.');
  });

  const STAGES = [
    stage('Peer', { approvers: approvers('channel'), expireAfterMs: DAY }),
    stage('Release', { approvers: approvers('@leads'), quorum: 2, allOf: approvers('@legal', '@security') }),
  ];

  it('tells its stages in place of who decides, and what happens with time in each', () => {
    expect(sentencesOf({ stages: STAGES })).toEqual([
      '2 stages have to be approved one after the other, each by other people; one rejection decides at once.',
      'Stage 1, “Peer”: Anyone in the channel can decide.',
      'Stage 2, “Release”: Two people of @leads, one person of @legal and one person of @security have to approve (a person can count for several of these).',
      'The person who started the run can decide it, too, if they’re one of them.',
      'Guests and people from other organisations can’t decide.',
      'In “Peer”: After 1 day without a decision, the approval is closed, and nothing is sent to the crew.',
    ]);
    const alike = STAGES.map((each) => ({ ...each, expireAfterMs: DAY }));
    expect(sentencesOf({ stages: alike }).at(-1)).toMatch(/^After 1 day without a decision/);
  });

  it('says whom inputs name, and once they are known, whom they don’t', () => {
    const named: Approver = { kind: 'person', name: 'U0123ABC', input: 'owner' };
    const policy = { ...DEFAULT_POLICY, approvers: [named, ...approvers('input:owner_email')] };
    const [statement] = policyStatements({ policy, crew: CREW });
    const said = (inputs: 'open' | 'known') => statement && policySentence(statement, { ...wording, inputs });
    const maria = 'Maria (U0123ABC) (named by the input owner)';
    expect(said('open')).toBe(`${maria} or the person whom the input owner_email names can decide.`);
    expect(said('known')).toBe(`${maria} can decide.`);
  });

  it('says that approving takes a sign-in', () => {
    expect(sentencesOf({ stepUp: true })).toContain('To approve, you sign in with your company’s identity provider.');
  });

  it('tells what each condition changes, and what doesn’t hold then', () => {
    const usual = { ...DEFAULT_POLICY, approvers: approvers('@leads'), undoMs: 10_000, expireAfterMs: DAY };
    const when = [
      { ...usual, quorum: 2, expireAfterMs: null, condition: condition("inputs.amount > 5000\n  && task == 'x`'") },
      { ...usual, stages: STAGES.slice(0, 1), expireAfterMs: HOUR, condition: condition('round > 2') },
      { ...usual, condition: condition('hour < 6') },
    ];
    const statements = conditionStatements({ policy: { ...usual, when }, crew: CREW });
    expect(statements.map((rule) => policySentence(rule, wording))).toEqual([
      'The first condition that holds counts. While a value that it needs is missing, an approval has to be complete with and without it.',
      "If `inputs.amount > 5000 && task == 'x''`: Two people of @leads have to approve; one rejection decides at once. " +
        'No longer: “After 1 day without a decision, the approval is closed, and nothing is sent to the crew.”',
      'If `round > 2`: One stage has to be approved; one rejection decides at once. ' +
        'Stage 1, “Peer”: Anyone in the channel can decide.',
      'If `hour < 6`: The same rules.',
    ]);
    expect(conditionStatements({ policy: DEFAULT_POLICY, crew: CREW })).toEqual([]);
  });

  it('says nothing of hours where no clock runs', () => {
    const crew = { ...CREW, hours: parseWorkingHours('Mon-Fri 09:00-17:00 UTC') };
    expect(sentencesOf({}, crew).join()).not.toContain('hours');
  });
});
