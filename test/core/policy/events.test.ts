import { describe, expect, it } from 'vitest';
import type { RequestState } from '../../../src/core/state/request.ts';
import { always, kindsOf, lastChange, rulesOf } from './history/always.ts';
import { humanOf } from './history/truth.ts';

describe('what the ledger is told', () => {
  /** One event each, but for the votes that no longer count, which are withdrawn by the change that finds it out. */
  const OUTCOMES: Record<string, readonly string[]> = {
    approve: ['decided', 'voted'],
    reject: ['decided'],
    decline: ['decided'],
    undo: ['undone'],
    withdraw: ['withdrawn'],
    'hand-over': ['handed-over'],
    'send-again': [],
    'ask-approvers': [],
  };

  const NO_ATTEMPTS: string[] = ['feedback-missing', 'too-soon', 'sign-in-needed'];

  it('is one event of each verdict, refusal and other action', () => {
    always((world) => {
      const { was, is, change } = lastChange(world) ?? {};
      if (!change?.click || !was || !is) return;
      const { click, refusal } = change;
      const kinds = kindsOf(change);
      if (refusal) {
        expect(kinds).toEqual(NO_ATTEMPTS.includes(refusal.kind) ? [] : ['refused']);
        return;
      }
      const own = click.action === 'withdraw' ? kinds : kinds.filter((kind) => kind !== 'withdrawn');
      const isNoted = JSON.stringify(was) !== JSON.stringify(is) && (OUTCOMES[click.action] ?? []).length > 0;
      expect(own.length).toBe(isNoted ? 1 : 0);
      for (const kind of own) expect(OUTCOMES[click.action]).toContain(kind);
      if (click.action === 'approve' && isNoted)
        expect(own).toEqual([is.state.status === 'pending' ? 'voted' : 'decided']);
    });
  });

  it('is each vote that lapses, once', () => {
    always((world) => {
      const { was, is, change } = lastChange(world) ?? {};
      if (change?.click?.action !== 'approve' || change.refusal || !was || !is || was === is) return;
      const policies = rulesOf(change, change.before, was);
      // A stage of another process's policy keeps its votes, but they don't count by these rules.
      const stages = is.discussion.stages.filter(({ key }) =>
        policies.some(({ stageKeys }) => stageKeys.includes(key)),
      );
      const votes = [...is.discussion.votes, ...stages.flatMap((stage) => stage.votes)];
      const humans = new Set([...votes.map(({ by }) => by.id), change.click.by].map(humanOf));
      const gone = was.discussion.votes.map(({ by }) => by.id).filter((id) => !humans.has(humanOf(id)));
      const told = change.events.flatMap(({ kind, facts }) => (kind === 'withdrawn' ? [facts.by] : []));
      if (was.state.status === 'pending') expect(told.sort()).toEqual(gone.sort());
    });
  });

  it('is one event of each step of a decision to the crew', () => {
    const STEPS: Partial<Record<RequestState['status'], string>> = { sending: 'sent', delivered: 'confirmed' };
    always((world) => {
      const { was, is, change } = lastChange(world) ?? {};
      if (!was || !is || !change) return;
      const step = was.state.status === is.state.status ? undefined : STEPS[is.state.status];
      const told = kindsOf(change).filter((kind) => ['sent', 'confirmed', 'not-confirmed'].includes(kind));
      expect(told).toEqual(step ? [step] : []);
    });
  });

  it('is what time brings about', () => {
    always((world) => {
      const { was, is, change } = lastChange(world) ?? {};
      if (
        !was ||
        !is ||
        !change ||
        change.click ||
        was.state.status !== 'pending' ||
        was.question.taskName !== is.question.taskName
      )
        return;
      const kinds = kindsOf(change);
      expect(kinds.includes('reminded')).toBe(is.discussion.times.reminders > was.discussion.times.reminders);
      expect(kinds.includes('escalated')).toBe(
        is.discussion.times.escalations.length > was.discussion.times.escalations.length,
      );
      const isTimeOut = is.state.status === 'decided' && is.state.decision.by === null;
      expect(kinds.includes('expired')).toBe(is.state.status === 'expired' || isTimeOut);
      expect(kinds.includes('decided')).toBe(is.state.status === 'decided');
    });
  });
});
