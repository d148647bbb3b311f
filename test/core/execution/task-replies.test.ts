import { describe, expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { recordCompletion, recordTask, tasksDone } from '../../../src/core/execution/run.ts';
import { approvedOtherwise, REPLY_WAIT_MS, reviewOf } from '../../../src/core/execution/task-replies.ts';
import { claimMessage, settleMessage } from '../../../src/core/messages/delivery.ts';
import { ask } from '../../../src/core/request/ask.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { postOf } from '../../../src/core/state/message.ts';
import type { HumanRequest } from '../../../src/core/state/request.ts';
import { PROCESS } from '../../support/claims.ts';
import { changed, execution, request } from '../../support/executions.ts';
import { decided, delivered, output, posted, RULES, rejection, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const EVENT = { hop: 0, kickoffId: 'k1' };
const DRAFT = output('first draft');
const LATER = START + REPLY_WAIT_MS;

const completed = (before: Execution, text = DRAFT, name = 'Draft') =>
  recordTask(before, { ...EVENT, name, agent: null, summary: name, output: text }, START);

function asked(before: Execution, text = DRAFT): Execution {
  return valueFrom(ask(before, request({ output: text }), START, RULES));
}

const ended = (before: Execution, result = DRAFT) => recordCompletion(before, { ...EVENT, result }, START);

/** The ids of the tasks whose replies are due. */
const repliesAt = (each: Execution, now: number) =>
  dueActionsAt(each, now).flatMap((action) =>
    action.kind === 'post' && action.message.kind === 'task' ? [action.message.taskId] : [],
  );

describe('the reply of a completed task', () => {
  it('waits a moment for what shows the same output', () => {
    const told = completed(execution());
    expect([repliesAt(told, LATER - 1), repliesAt(told, LATER)]).toEqual([[], ['1']]);
  });

  it('is left out where a person is asked about the output, whichever comes first', () => {
    for (const both of [asked(completed(execution())), completed(asked(execution()))]) {
      expect(repliesAt(both, LATER)).toEqual([]);
      expect(both.tasks).toHaveLength(1);
      expect(tasksDone(both)).toBe(0);
    }
  });

  it('is left out where the output is the result of the run', () => {
    expect(repliesAt(ended(completed(execution())), LATER)).toEqual([]);
  });

  it('is posted as soon as the run moves on with another output', () => {
    const other = output('another text');
    const told = completed(execution());
    for (const next of [completed(told, other, 'Check'), asked(told, other), ended(told, other)])
      expect(repliesAt(next, START)).toEqual(['1']);
  });

  it('stands above the card of a request about another task, which waits for it for two seconds at most', () => {
    const run = completed(execution({ root: posted() }));
    const both = asked(run, output('another text'));
    const cardsAt = (each: Execution, now: number) =>
      dueActionsAt(each, now).filter((action) => action.kind === 'post' && action.message.kind === 'card').length;
    expect([repliesAt(both, START), cardsAt(both, START), cardsAt(both, START + 2_000)]).toEqual([['1'], 0, 1]);
    const message = { kind: 'task', taskId: '1' } as const;
    const posting = claimMessage(both, message, PROCESS, START);
    expect(cardsAt(posting, START)).toBe(0);
    const outcome = { kind: 'posted', ts: '100.2', shown: 'once' } as const;
    expect(cardsAt(settleMessage(posting, { message, attempt: 1, outcome }, START), START)).toBe(1);
    // What happens later has no claim to stand above it.
    expect(cardsAt(completed(asked(execution({ root: posted() })), output('another text'), 'Check'), START)).toBe(1);
  });

  it('is posted where a later task passes an approved text on', () => {
    const passedOn = completed(execution({ requests: [delivered({ output: DRAFT })] }), DRAFT, 'Publish');
    expect(repliesAt(passedOn, LATER)).toEqual(['1']);
  });

  it('is left out for the last one only where several have the same output', () => {
    const both = completed(completed(execution()), DRAFT, 'Check');
    expect(repliesAt(asked(both), LATER)).toEqual(['1']);
    expect(repliesAt(ended(both), LATER)).toEqual(['1']);
  });

  it('stays where it is already posted or may be', () => {
    const message = { kind: 'task', taskId: '1' } as const;
    const posting = claimMessage(completed(execution()), message, PROCESS, LATER);
    const outcome = { kind: 'posted', ts: '100.2', shown: 'once' } as const;
    for (const each of [asked(posting), ended(posting)])
      expect(postOf(settleMessage(each, { message, attempt: 1, outcome }, LATER), message)).toMatchObject({
        status: 'posted',
        ts: '100.2',
      });
  });

  it('is left out where the output is decided by the time that its completion is told', () => {
    for (const request of [delivered(), delivered({ decision: rejection() }), decided()])
      expect(
        repliesAt(
          completed(execution({ requests: [{ ...request, question: { ...request.question, output: DRAFT } }] })),
          LATER,
        ),
      ).toEqual([]);
  });

  it('says what people say where the request comes later than it waits', () => {
    const told = completed(execution());
    const before = changed(told, { tasks: told.tasks.map((each) => ({ ...each, post: posted({ shown: 'once' }) })) });
    const open = asked(before);
    const answered = (request: HumanRequest) => ({
      ...open,
      requests: [{ ...request, question: { ...request.question, output: DRAFT } }],
    });
    const reviews = [before, open, answered(decided({ decision: rejection() })), answered(decided()), ended(open)];
    expect(reviews.map((each) => reviewOf(each, '1'))).toEqual(['none', 'open', 'sent-back', 'none', 'none']);
    const updates = (each: Execution) =>
      dueActionsAt(each, LATER).filter((action) => action.kind === 'update' && action.message.kind === 'task');
    expect(reviews.map((each) => updates(each).length)).toEqual([0, 1, 1, 0, 0]);
  });

  it('says so where the task ends with another text than the one that was approved', () => {
    const approvedRun = (decision = delivered()) =>
      completed(
        completed(execution({ requests: [{ ...decision, question: { ...decision.question, output: DRAFT } }] })),
        output('another text'),
      );
    const approvedOf = (each: Execution) =>
      each.tasks.map((task) => approvedOtherwise(each, task)?.question.output ?? null);
    expect(approvedOf(approvedRun())).toEqual([null, DRAFT]);
    expect(approvedOf(approvedRun(delivered({ decision: rejection() })))).toEqual([null, null]);
    const elsewhere = completed(
      completed(execution({ requests: [delivered({ output: DRAFT })] })),
      output('other'),
      'Publish',
    );
    expect(approvedOf(elsewhere)).toEqual([null, null]);
  });

  it('says so even if the text that was approved was never told as the output of the task', () => {
    const approved = delivered({ output: DRAFT, taskName: 'Draft' });
    const changed = completed(execution({ requests: [approved] }), output('stamped'));
    expect(changed.tasks.map((task) => approvedOtherwise(changed, task)?.question.output)).toEqual([DRAFT]);
    const sentBack = { ...approved, ...delivered({ decision: rejection() }), taskName: 'Draft' };
    const retried = completed(execution({ requests: [sentBack] }), output('stamped'));
    expect(retried.tasks.map((task) => approvedOtherwise(retried, task))).toEqual([null]);
  });

  it('without an output is posted at once', () => {
    const told = recordTask(execution(), { ...EVENT, name: 'Read', agent: null, summary: 'all', output: null }, START);
    expect(repliesAt(told, START)).toEqual(['1']);
  });
});
