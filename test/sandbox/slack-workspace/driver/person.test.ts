import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { actions, button, section } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await workspaceWithApp();
});
afterAll(() => playground.close());

describe('a driven person', () => {
  it('shows the screen when a wait times out', async () => {
    const maria = playground.slack.as('maria');
    const root = await maria.say('#releases', 'root & <stem>');
    await maria.reply(root, 'reply');
    await expect(maria.sees('#releases', 'flower', { withinMs: 40 })).rejects.toThrow(
      /timed out waiting for flower in #releases\nMaria Alvarez sees:[\s\S]*Maria Alvarez: root & <stem>\n {2}↳ Maria Alvarez: reply/,
    );
  });

  it('reads messages as a person does: blocks, fields, buttons, unescaped', async () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Title' } },
      section('*bold* &amp; &lt;tag&gt;', { fields: [{ type: 'mrkdwn', text: 'field' }] }),
      actions(button('Approve'), button('Reject')),
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'one' },
          { type: 'plain_text', text: 'two' },
        ],
      },
      { type: 'markdown', text: '# Output' },
    ];
    await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'only for notifications', blocks });
    const seen = await playground.slack.as('maria').sees('#general', 'Title');
    expect(visibleText(seen)).toBe('Title\n*bold* & <tag>\nfield\n[Approve]\n[Reject]\none two\n# Output');
  });

  it('is found by id or handle, and nobody else is', () => {
    expect(playground.slack.as('UJON00002').id).toBe(playground.slack.as('jon').id);
    expect(() => playground.slack.as('zoe')).toThrow('no member zoe; members: maria, jon');
  });

  it('joins public channels', async () => {
    const aiko = playground.slack.as('aiko');
    await expect(aiko.say('#partners', 'hello')).rejects.toMatchObject({ problem: { code: 'not_visible' } });
    await aiko.join('#partners');
    await aiko.say('#partners', 'hello');
  });
});
