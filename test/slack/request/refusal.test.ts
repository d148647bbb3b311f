import { describe, expect, it } from 'vitest';
import type { Denial } from '../../../src/core/policy/permits.ts';
import type { Refusal } from '../../../src/core/policy/refusal.ts';
import { canAsk, takeOverText } from '../../../src/slack/request/denial.ts';
import { refusalText } from '../../../src/slack/request/refusal.ts';
import { nextStepButtons } from '../../../src/slack/ui/modal.ts';
import { sayIn } from '../../support/say.ts';
import { denials } from '../ui/every-view.ts';
import { decision, jon, NOW, refusalDetails } from '../ui/models.ts';

const whoCan = '@release-managers and Aiko';
const told = (refusal: Refusal) => refusalText(refusal, refusalDetails({ whoCan }));
const denied = (denial: Denial) => told({ kind: 'denied', denial });

describe('a refusal', () => {
  it.each<[Denial, string]>([
    [{ kind: 'not-approver' }, 'You aren’t allowed to decide this. Who can decide: @release-managers and Aiko.'],
    [
      { kind: 'guest' },
      'You’re a guest in this workspace, and guests can’t decide this. Who can decide: @release-managers and Aiko.',
    ],
    [
      { kind: 'self-approval' },
      'You started this run, so somebody else has to decide. Who can decide: @release-managers and Aiko.',
    ],
    [{ kind: 'no-token' }, '`/kickoff connect Research`'],
    [
      { kind: 'unsure', personId: 'U0AIKO', approver: '@leads' },
      'Slack can’t tell right now whether you’re in @leads. Try again in a minute.',
    ],
    [{ kind: 'unsure', personId: 'U0AIKO', approver: 'channel' }, 'whether you’re in this channel.'],
    [{ kind: 'unsure', personId: 'U0AIKO', approver: 'a@b.example' }, 'whether you’re a@b.example.'],
    [{ kind: 'unsure', personId: 'U0AIKO', approver: null }, 'Slack can’t tell right now who you are.'],
    [{ kind: 'unsure', personId: 'U0MARIA', approver: null }, 'whether you started this run'],
    [
      { kind: 'unsure', personId: 'U0JON', approver: '@leads' },
      'whether everybody who approved this or added an approver',
    ],
  ])('says why, and who can: %j', (denial, words) => {
    expect(denied(denial)).toContain(words);
  });

  it('has a sentence of its own for each reason', () => {
    const texts = denials('calm').map(([, text]) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('is told in the language of the person', () => {
    const say = sayIn('de');
    const inGerman = (refusal: Refusal) => refusalText(refusal, refusalDetails({ whoCan, say }));
    expect(inGerman({ kind: 'denied', denial: { kind: 'not-approver' } })).toBe(
      `Du gehörst nicht zu denen, die das entscheiden können. Entscheiden können: ${whoCan}.`,
    );
    expect(inGerman({ kind: 'already-decided', decision: decision({ by: jon }) })).toMatch(
      /^Jon hat das schon freigegeben \(<!date\^.* um /,
    );
    expect(JSON.stringify(nextStepButtons({ kind: 'connect', crew: 'Research' }, say))).toContain(
      'Eigenes Token verbinden',
    );
  });

  it('tells strangers why, not who', () => {
    expect(denied({ kind: 'stranger' })).not.toContain('Aiko');
  });

  it.each<[Denial, boolean]>([
    [{ kind: 'not-approver' }, true],
    [{ kind: 'guest' }, true],
    [{ kind: 'self-approval' }, true],
    [{ kind: 'giver-denied', giver: 'U0AIKO' }, true],
    [{ kind: 'right-used', by: 'U0AIKO' }, true],
    [{ kind: 'stranger' }, false],
    [{ kind: 'bot' }, false],
    [{ kind: 'no-token' }, false],
  ])('offers to ask others where that helps: %o', (denial, offered) => {
    expect(canAsk(denial)).toBe(offered);
  });

  it('says when those who can decide were asked last', () => {
    expect(told({ kind: 'asked-lately', at: NOW })).toContain('They were already asked (<!date^1763690000^');
  });

  it('says why somebody can’t take a request over', () => {
    const refusal = { kind: 'cannot-take-over', to: jon, denial: { kind: 'guest' } } as const;
    expect(told(refusal)).toBe('Jon is a guest in this workspace, and guests can’t decide this.');
    const kinds = ['stranger', 'guest', 'bot', 'deactivated', 'self-approval', 'not-approver', 'no-token'] as const;
    expect(new Set(kinds.map((kind) => takeOverText({ kind }, { who: 'Jon', say: sayIn('en') }))).size).toBe(
      kinds.length,
    );
  });
});
