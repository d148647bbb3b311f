import { describe, expect, it } from 'vitest';
import { type Approver, parseApprover } from '../../../../src/core/approval/policy/approver.ts';
import { DEFAULT_POLICY, type Policy } from '../../../../src/core/approval/policy/policy.ts';
import {
  policyStatements,
  sentenceWithPlace,
  starterStatement,
} from '../../../../src/core/approval/policy/sentences.ts';
import { parseWorkingHours } from '../../../../src/core/working-hours.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CREW = { name: 'research', hours: parseWorkingHours(''), requireUserToken: false };

const NAMES: Record<string, string> = { U0123ABC: 'Maria (U0123ABC)', S0456DEF: '@release-managers' };
const nameOf = ({ name }: Approver) => NAMES[name] ?? name;

const approvers = (...names: string[]) => names.map(parseApprover).filter((approver) => approver !== null);

function sentencesOf(own: Partial<Policy>, crew: Partial<typeof CREW> = {}): string[] {
  return policyStatements({ policy: { ...DEFAULT_POLICY, ...own }, crew: { ...CREW, ...crew }, nameOf }).map(
    ({ sentence }) => sentence,
  );
}

describe('a policy in sentences', () => {
  it('is short where nothing is set', () => {
    expect(sentencesOf({})).toEqual([
      'One person decides.',
      'All members of the workspace can decide.',
      'The person who started the run can decide it, too.',
      'Guests and people of other organisations can’t decide.',
    ]);
  });

  it('tells everything that is set, with times in words', () => {
    const policy = {
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
    };
    const crew = { ...CREW, requireUserToken: true, hours: parseWorkingHours('Mon-Fri 09:00-17:00 Europe/Berlin') };
    expect(sentencesOf(policy, crew)).toEqual([
      '2 different people have to approve; one rejection decides at once.',
      'Maria (U0123ABC), everybody in @release-managers, and the members of the channel can decide.',
      'The person who started the run can’t decide it.',
      'Guests and people of other organisations can decide only if they are named by their id.',
      'Everybody needs a token of their own for this crew: /kickoff connect research.',
      'Approving in the first 20 seconds has to be confirmed.',
      'A decision is sent 10 seconds after it was made; until then it can be undone.',
      'Those who can decide are reminded after 30 minutes, and again at longer and longer intervals.',
      'After 4 hours without a decision, everybody in @leads and boss@example.com can decide, too.',
      'After 3 days without a decision, it counts as rejected, and the crew is told “Nobody decided in time.”',
      'For these times, only working hours count: Mon-Fri 09:00-17:00 Europe/Berlin.',
    ]);
  });

  it.each([
    ['Maria (U0123ABC) can decide.', ['U0123ABC']],
    ['jon@example.com and Maria (U0123ABC) can decide.', ['jon@example.com', 'U0123ABC']],
    ['Everybody in @leads can decide.', ['@leads', '@leads']],
    ['The members of the channel and everybody in @leads can decide.', ['channel', '@leads']],
    ['All members of the workspace can decide.', ['U0123ABC', 'workspace', '@leads']],
  ])('says: %s', (sentence, names) => {
    expect(sentencesOf({ approvers: approvers(...names) })).toContain(sentence);
    const start = sentence.replace('decide', 'start it');
    expect(starterStatement(approvers(...names), nameOf)).toEqual({ settings: ['starters'], sentence: start });
  });

  it.each([
    [{ expireAfterMs: DAY }, 'After 1 day without a decision, the request is closed, and nothing is sent to the crew.'],
    [{ undoMs: 90_000 }, 'A decision is sent 90 seconds after it was made; until then it can be undone.'],
    [{ minReviewMs: MINUTE }, 'Approving in the first 1 minute has to be confirmed.'],
    [{ approvers: approvers('@leads') }, 'The person who started the run can decide it, too, if they are one of them.'],
    [{ guests: true }, 'Guests and people of other organisations can’t decide.'],
  ])('says of %j: %s', (own, sentence) => {
    expect(sentencesOf(own)).toContain(sentence);
  });

  it('says nothing of hours where no clock runs', () => {
    const crew = { ...CREW, hours: parseWorkingHours('Mon-Fri 09:00-17:00 UTC') };
    expect(sentencesOf({}, crew).join()).not.toContain('hours');
  });

  it('says where a rule stands, and nothing where it is a default', () => {
    const places = new Map([
      ['approval.quorum', 'crews.yml, line 7'],
      ['approval.tasks.1.quorum', 'crews.yml, line 9'],
    ]);
    const rule = { settings: ['quorum' as const], sentence: 'One person decides.' };
    expect(sentenceWithPlace(rule, { places, task: 0 })).toBe('One person decides. (crews.yml, line 7)');
    expect(sentenceWithPlace(rule, { places, task: 1 })).toBe('One person decides. (crews.yml, line 9)');
    expect(sentenceWithPlace(rule, { places: new Map(), task: null })).toBe('One person decides.');
  });

  it('names the settings that each sentence comes from', () => {
    const policy = { ...DEFAULT_POLICY, escalateAfterMs: DAY, escalateTo: approvers('@leads'), expireAfterMs: 2 * DAY };
    expect(policyStatements({ policy, crew: CREW, nameOf }).map(({ settings }) => settings)).toEqual([
      ['quorum'],
      ['approvers'],
      ['self_approval'],
      ['guests'],
      ['escalate_after', 'escalate_to'],
      ['expire_after', 'on_expiry'],
    ]);
  });
});
