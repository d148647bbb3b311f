import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { actions, button, modal, plain, problemsOf, section } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const container = (child_blocks: JsonObject[], more: JsonObject = {}): JsonObject => ({
  type: 'container',
  title: plain('More'),
  child_blocks,
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => section(`${index}`));

// https://docs.slack.dev/reference/block-kit/blocks/container-block
describe('a container', () => {
  it('has a title and up to ten blocks, on every surface', () => {
    const rich_text_title = { type: 'rich_text', elements: [] };
    expect(problemsOf([container(many(10), { subtitle: plain('s'), width: 'wide', is_collapsible: true })])).toEqual(
      [],
    );
    expect(problemsOf([{ type: 'container', rich_text_title, child_blocks: many(1) }])).toEqual([]);
    expect(problemsOf(modal([container(many(1))]))).toEqual([]);
    expect(problemsOf({ type: 'home', blocks: [container(many(1))] })).toEqual([]);
    expect(problemsOf([container(many(11))])).toEqual(['no more than 10 items allowed /blocks/0/child_blocks']);
    expect(problemsOf([{ type: 'container', child_blocks: many(1) }])).toEqual([
      'must provide either title or rich_text_title /blocks/0',
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ['a long title', { title: plain('x'.repeat(151)) }, 'must be less than 151 characters /blocks/0/title/text'],
    [
      'a long subtitle',
      { subtitle: plain('x'.repeat(151)) },
      'must be less than 151 characters /blocks/0/subtitle/text',
    ],
    ['another width', { width: 'huge' }, 'must be one of: narrow, standard, wide, full /blocks/0/width'],
    [
      'a start folded that can’t unfold',
      { default_collapsed: true },
      'default_collapsed requires is_collapsible to be true /blocks/0',
    ],
    [
      'rich text in it',
      { child_blocks: [{ type: 'rich_text', elements: [] }] },
      'unsupported type: rich_text /blocks/0/child_blocks/0/type',
    ],
    [
      'another container in it',
      { child_blocks: [container(many(1))] },
      'unsupported type: container /blocks/0/child_blocks/0/type',
    ],
    [
      'an id that another block has',
      { block_id: 'a', child_blocks: [section('x', { block_id: 'a' })] },
      '`block_id` "a" already exists /blocks/0/child_blocks/0/block_id',
    ],
  ])('is refused with %s', (_, more, says) => {
    expect(problemsOf([container(many(1), more)])).toContain(says);
  });
});

describe('what a container holds', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await workspaceWithApp();
  });
  afterAll(() => playground.close());

  it('gets ids, can be used, and tells from which block', async () => {
    const { slack, app, call } = playground;
    const go = actions(button('Go', { value: '7' }));
    const { body } = await call('chat.postMessage', {
      channel: 'C0GENERAL1',
      text: 'card',
      blocks: [container([section('inside'), go])],
    });
    const [posted] = objectsAt(objectAt(body, 'message'), 'blocks');
    expect(posted).toMatchObject({
      title: { emoji: true },
      child_blocks: [{ block_id: expect.any(String), text: { verbatim: false } }, { block_id: 'actions' }],
    });
    const maria = slack.as('maria');
    await maria.click('Go', { in: await maria.sees('#general', '[Go]') });
    expect(app.received.at(-1)?.payload).toMatchObject({
      type: 'block_actions',
      actions: [{ block_id: 'actions', action_id: 'go', value: '7' }],
      message: { blocks: [posted] },
    });
  });
});
