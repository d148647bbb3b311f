import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { modal, problemsOf } from '../support/blocks.ts';

const rich = (...texts: string[]): JsonObject => ({
  type: 'rich_text',
  elements: texts.map((text) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] })),
});
const task = (more: JsonObject = {}): JsonObject => ({
  type: 'task_card',
  task_id: 'one',
  title: 'Searching',
  status: 'in_progress',
  ...more,
});
const plan = (...tasks: JsonObject[]): JsonObject => ({ type: 'plan', title: 'Working', tasks });

// https://docs.slack.dev/reference/block-kit/blocks/task-card-block
describe('a task card', () => {
  it('has a title, a status, what was done and found, and sources', () => {
    const sources = [{ type: 'url', url: 'https://a.example', text: 'A' }];
    expect(problemsOf([task({ details: rich('a'), output: rich('b'), sources, hide_title: true })])).toEqual([]);
    for (const status of ['pending', 'in_progress', 'complete', 'error'])
      expect(problemsOf([task({ status })])).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ['another status', { status: 'done' }, 'must be one of: pending, in_progress, complete, error /blocks/0/status'],
    ['no id', { task_id: '' }, 'must be more than 0 characters /blocks/0/task_id'],
    [
      'text that is not rich',
      { details: { type: 'mrkdwn', text: 'x' } },
      'must be one of: rich_text /blocks/0/details/type',
    ],
    [
      'more than one piece of rich text',
      { output: rich('a', 'b') },
      'no more than 1 items allowed /blocks/0/output/elements',
    ],
    ['a source that is no address', { sources: [{ type: 'file' }] }, 'must be one of: url /blocks/0/sources/0/type'],
  ])('is refused with %s', (_, more, says) => {
    expect(problemsOf([task(more)])).toContain(says);
  });
});

// https://docs.slack.dev/reference/block-kit/blocks/plan-block
describe('a plan', () => {
  const tasks = (count: number) => Array.from({ length: count }, (_, index) => task({ task_id: `${index}` }));

  it('has up to 50 tasks, each with an id of its own, or none', () => {
    expect(problemsOf([{ type: 'plan', title: 'Thinking' }])).toEqual([]);
    expect(problemsOf([plan(...tasks(50))])).toEqual([]);
    expect(problemsOf([plan(...tasks(51))])).toEqual(['no more than 50 items allowed /blocks/0/tasks']);
    expect(problemsOf([plan(task(), task())])).toEqual(['`task_id` "one" already exists /blocks/0']);
    expect(problemsOf([plan({ type: 'divider' })])).toContain('must be one of: task_card /blocks/0/tasks/0/type');
  });

  it('stands in a message without task cards beside it, and in no view', () => {
    expect(problemsOf([plan(task()), task({ task_id: 'two' })])).toEqual([
      'plan and task_card blocks exclude each other /blocks',
    ]);
    const here = (block: JsonObject) => [
      ...problemsOf(modal([block])),
      ...problemsOf({ type: 'home', blocks: [block] }),
    ];
    expect(here(plan(task()))).toEqual(Array(2).fill('unsupported type: plan /view/blocks/0/type'));
    expect(here(task())).toEqual(Array(2).fill('unsupported type: task_card /view/blocks/0/type'));
  });
});
