import { describe, expect, it } from 'vitest';
import { type Account, type Facts, mayStart } from '../../../src/core/policy/permits.ts';
import { type Approver, parseApprover } from '../../../src/core/policy/policy.ts';
import { account, facts } from '../../support/requests.ts';

const PEOPLE: Record<string, Account | null> = {
  UMEMBER: account('UMEMBER', { identities: ['UMEMBER', 'UMEMBER2', 'member@signoff.example'] }),
  UGUEST: account('UGUEST', { isGuest: true }),
  USTRANGER: account('USTRANGER', { isStranger: true }),
  UBOT: account('UBOT', { isBot: true }),
  UGONE: account('UGONE', { isDeactivated: true }),
  UUNKNOWN: null,
};

const EVERYBODY = new Set(Object.keys(PEOPLE));
const MEMBERS = {
  channel: EVERYBODY,
  '@leads': EVERYBODY,
  SLEADS: EVERYBODY,
  'member@signoff.example': new Set(['UMEMBER']),
};

const starters = (names: string): Approver[] => names.split(' ').flatMap((name) => parseApprover(name) ?? []);

function judge(names: string, personId: string, change: Partial<Facts> = {}, requireUserToken = false): string {
  const crew = { starters: starters(names), requireUserToken };
  const permit = mayStart(crew, personId, facts(PEOPLE, { members: MEMBERS, ...change }));
  return permit.kind === 'permitted' ? permit.rule : permit.denial.kind;
}

describe('who may start a crew', () => {
  it.each([
    ['workspace', 'UMEMBER', 'workspace'],
    ['workspace', 'UGUEST', 'guest'],
    ['workspace', 'USTRANGER', 'stranger'],
    ['workspace', 'UBOT', 'bot'],
    ['workspace', 'UGONE', 'deactivated'],
    ['workspace', 'UUNKNOWN', 'unsure'],
    ['workspace UGUEST', 'UGUEST', 'UGUEST'],
    ['USTRANGER', 'USTRANGER', 'USTRANGER'],
    ['workspace UBOT', 'UBOT', 'bot'],
    ['workspace UGONE', 'UGONE', 'deactivated'],
    ['UUNKNOWN', 'UUNKNOWN', 'unsure'],
    ['channel', 'UMEMBER', 'channel'],
    ['channel @leads SLEADS', 'UGUEST', 'guest'],
    ['channel', 'USTRANGER', 'stranger'],
    ['@leads', 'UMEMBER', '@leads'],
    ['SLEADS', 'UMEMBER', 'SLEADS'],
    ['@leads', 'UBOT', 'bot'],
    ['member@signoff.example', 'UMEMBER', 'member@signoff.example'],
    ['UMEMBER2', 'UMEMBER', 'UMEMBER2'],
    ['UOTHER', 'UMEMBER', 'not-approver'],
    ['@others', 'UMEMBER', 'unsure'],
    ['@others UMEMBER', 'UMEMBER', 'UMEMBER'],
  ])('%s: %s is answered with %s', (names, personId, expected) => {
    expect(judge(names, personId)).toBe(expected);
  });

  it.each([
    [null, 'no-token'],
    [new Set(['UOTHER']), 'no-token'],
    [new Set(['UMEMBER']), 'workspace'],
  ])('with a token of one’s own required, those who connected %s: %s', (connected, expected) => {
    expect(judge('workspace', 'UMEMBER', { connected }, true)).toBe(expected);
  });

  it('needs no token where none is required', () => {
    expect(judge('workspace', 'UMEMBER', { connected: new Set() })).toBe('workspace');
  });

  it('says nothing of tokens to those who may not start it anyway', () => {
    expect(judge('workspace', 'UGUEST', {}, true)).toBe('guest');
  });
});
