import { describe, expect, it } from 'vitest';
import { listRecipients } from '../../../src/core/approval/alerts.ts';
import { ask } from '../../../src/core/approval/request.ts';
import { dueActionKey, dueActionsAt } from '../../../src/core/due-actions.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { duePost, type Recipients } from '../../../src/core/state/post.ts';
import { decided, JON, MARIA, output, pending, posted, RULES, START } from '../../support/approvals.ts';
import { execution, request, withRequests } from '../../support/executions.ts';
import { valueFrom } from '../../support/value-from.ts';

const LATER = START + 60_000;
const due = (each: Execution, now = LATER) =>
  dueActionsAt(each, now)
    .map(dueActionKey)
    .filter((key) => /recipients|direct/.test(key));
const withCard = (each: Execution): Execution =>
  withRequests(
    each,
    each.approvals.map((approval) => ({ ...approval, card: posted() })),
  );
const to = (...people: string[]): Recipients => ({
  people: people.map((each) => ({ to: each, reason: 'policy' })),
  untold: 0,
  isComplete: true,
});
const unsure = (...people: string[]): Recipients => ({ ...to(...people), untold: 0, isComplete: false });
const asked = (rules = {}) => valueFrom(ask(execution(), request(), START, { ...RULES, ...rules }));

describe('the direct messages about a request', () => {
  it('are for the crews that are set to have them, once the card is there', () => {
    expect(
      [asked(), asked({ notify: 'mention' }), asked({ notify: 'none' })].map(withCard).flatMap((each) => due(each)),
    ).toEqual([]);
    const direct = asked({ notify: 'dm' });
    expect([due(direct), due(withCard(direct))]).toEqual([[], ['find-recipients 1']]);
  });

  it('are one to each person', () => {
    const listed = listRecipients(withCard(asked({ notify: 'dm' })), '1', to(MARIA.id, JON.id, MARIA.id), START);
    expect(due(listed)).toEqual([`post direct:1:${MARIA.id}`, `post direct:1:${JON.id}`]);
    expect(listRecipients(listed, '1', to('U_MORE'), START)).toBe(listed);
  });

  it('wait until Slack can tell who gets them', () => {
    const unknown = listRecipients(withCard(asked({ notify: 'dm' })), '1', unsure(MARIA.id), START);
    expect([due(unknown, START), due(unknown)]).toEqual([
      [`post direct:1:${MARIA.id}`],
      ['find-recipients 1', `post direct:1:${MARIA.id}`],
    ]);
  });

  it('are no longer sent once the request is decided, or nobody tracks the run', () => {
    const list = [{ to: JON.id, reason: 'policy' as const, channel: null, post: duePost(START) }];
    const change = { directMessages: { status: 'listed', list }, output: output('text') } as const;
    const open = execution({ approvals: [pending(change)] });
    expect(due(open)).toHaveLength(1);
    expect(due({ ...open, approvals: [decided(change)] })).toEqual([]);
    expect(due({ ...open, unfollowed: { by: JON, at: START } })).toEqual([]);
  });
});
