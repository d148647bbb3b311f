import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unopenedText, visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type JsonObject, objectAt, objectsAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { actions, button, input, modal, plain, problemsOf, section, textInput } from '../support/blocks.ts';
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
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'Tea' }]] };
    const context = { type: 'context', elements: [plain('Since May')] };
    const others = [{ type: 'header', text: plain('Teas') }, { type: 'divider' }, context, table];
    expect(problemsOf([container(others, { is_collapsible: true, default_collapsed: true })])).toEqual([]);
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
      'a line under a head that folds',
      { is_collapsible: true, has_header_divider: true },
      'has_header_divider requires is_collapsible to be false /blocks/0',
    ],
    [
      'rich text in it',
      { child_blocks: [{ type: 'rich_text', elements: [] }] },
      'unsupported type: rich_text /blocks/0/child_blocks/0/type',
    ],
    [
      'Markdown in it',
      { child_blocks: [{ type: 'markdown', text: 'x' }] },
      'unsupported type: markdown /blocks/0/child_blocks/0/type',
    ],
    [
      'an input in it',
      { child_blocks: [input('a', textInput())] },
      'unsupported type: input /blocks/0/child_blocks/0/type',
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
  // 13,200 characters with the title's four: https://github.com/slackapi/bolt-js/issues/2509
  it('counts as text of the message', async () => {
    const blocks = (last: number) => [
      container([3_000, 3_000, 3_000].map((length) => section('x'.repeat(length)))),
      container([section('x'.repeat(3_000)), section('x'.repeat(last))]),
    ];
    const post = async (last: number) => {
      const channel = 'C0GENERAL1';
      return (await playground.call('chat.postMessage', { channel, text: 'x', blocks: blocks(last) })).body;
    };
    expect(await post(1_192)).toMatchObject({ ok: true });
    expect(await post(1_193)).toMatchObject({ ok: false, error: 'msg_blocks_too_long' });
  });

  it('is seen by a driven person once they open it', async () => {
    const { slack, call } = playground;
    const whole = container([section('First'), section('Last')], { is_collapsible: true, default_collapsed: true });
    await call('chat.postMessage', { channel: 'C0GENERAL1', text: 'x', blocks: [section('The beginning'), whole] });
    const maria = slack.as('maria');
    const message = await maria.sees('#general', 'The beginning');
    expect(unopenedText(message)).toBe('The beginning\nMore');
    expect(visibleText(message)).toBe('The beginning\nMore\nFirst\nLast');
    expect(await maria.opens(message, 'More')).toBe('First\nLast');
  });

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
