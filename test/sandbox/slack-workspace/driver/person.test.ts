import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../../../src/sandbox/slack-workspace/driver/person.ts';
import { visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { actions, button, input, modal, option, plain, section } from '../support/blocks.ts';
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

  it('reads what folds out of plans and containers, and every page of a data table, and uses what is inside', async () => {
    const rich = (text: string) => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
    });
    const task = (title: string, status: string) => ({ type: 'task_card', task_id: title, title, status });
    const tasks = [{ ...task('Read', 'complete'), output: rich('Nine areas') }, task('Write', 'pending')];
    const cell = (text: string) => ({ type: 'raw_text', text });
    const rows = ['Area', 'slack', 'redis', 'core', 'docs', 'http', 'crew'].map((text) => [cell(text), cell('Jon')]);
    const blocks = [
      { type: 'plan', title: 'Notes', tasks },
      { type: 'container', title: plain('More'), child_blocks: [section('Inside'), actions(button('Open'))] },
      { type: 'data_table', caption: 'Areas', rows },
    ];
    const { body } = await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'x', blocks });
    expect(body.response_metadata).toBeUndefined();
    const maria = playground.slack.as('maria');
    const seen = await maria.sees('#general', 'Nine areas');
    expect(visibleText(seen).split('\n').filter(Boolean)).toEqual([
      ...['Notes', 'complete: Read', 'Nine areas', 'pending: Write', 'More', 'Inside', '[Open]', 'Areas'],
      ...['Area', 'slack', 'redis', 'core', 'docs', 'http', 'crew'].map((area) => `${area} | Jon`),
    ]);
    await maria.click('Open', { in: seen });
    expect(playground.app.received.at(-1)?.payload).toMatchObject({ type: 'block_actions' });
  });

  it('chooses people in a modal by name or handle, active ones only', async () => {
    const aiko = playground.slack.as('aiko');
    const blocks = [
      input('Hand over to', { type: 'users_select', initial_user: 'UJON00002' }),
      input('Reviewers', { type: 'multi_users_select' }, { optional: true }),
    ];
    playground.app.reply = async ({ payload }) => {
      if (payload.command === '/kickoff')
        await playground.call('views.open', { trigger_id: payload.trigger_id ?? '', view: modal(blocks) });
      return {};
    };
    await aiko.command('#releases', '/kickoff');
    await aiko.seesModal('Hand over to');
    expect(await aiko.chosen('Hand over to')).toEqual(['Jon Bell']);
    await aiko.choose('Hand over to', 'Priya Nair');
    await aiko.choose('Reviewers', ['@maria', 'Gina Rossi']);
    expect(await aiko.chosen('Hand over to')).toEqual(['Priya Nair']);
    expect(await aiko.chosen('Reviewers')).toEqual(['Maria Alvarez', 'Gina Rossi']);
    await expect(aiko.choose('Hand over to', '#releases')).rejects.toThrow('#releases can’t be chosen');
    playground.slack.admin.deactivate('gina');
    await expect(aiko.choose('Hand over to', 'Gina Rossi')).rejects.toThrow('Gina Rossi can’t be chosen');
    playground.slack.admin.reactivate('gina');
    await aiko.submit();
    await aiko.seesNoModal();
    expect(playground.app.received.at(-1)?.payload).toMatchObject({
      type: 'view_submission',
      view: { state: { values: { 'Hand over to': { 'Hand over to': { selected_user: 'UPRIYA004' } } } } },
    });
    playground.app.reply = () => ({});
  });

  it('uses an overflow menu by its entries, and reads it', async () => {
    const confirm = { title: plain('Sure?'), text: plain('Really?'), confirm: plain('Yes'), deny: plain('No') };
    const options = [option('Who can decide?', 'who'), option('Withdraw my vote', 'withdraw')];
    const menu = { type: 'overflow', action_id: 'more', options, confirm };
    const { body } = await playground.call('chat.postMessage', {
      channel: 'C0GENERAL1',
      text: 'x',
      blocks: [section('A card', { accessory: menu })],
    });
    expect(body.ok).toBe(true);
    const maria = playground.slack.as('maria');
    const card = await maria.sees('#general', '(Who can decide? | Withdraw my vote)');
    await expect(maria.click('Withdraw my vote', { in: card })).rejects.toMatchObject({
      problem: { code: 'needs_confirmation' },
    });
    await maria.click('Withdraw my vote', { in: card, confirm: 'Yes' });
    expect(playground.app.received.at(-1)?.payload).toMatchObject({
      actions: [{ type: 'overflow', selected_option: { value: 'withdraw' } }],
    });
  });

  it('reads what was said to them alone, in a channel and in a thread', async () => {
    const [maria, jon] = ['maria', 'jon'].map((name) => playground.slack.as(name)) as [Person, Person];
    const root = await maria.say('#releases', 'a root');
    await maria.reply(root, 'a reply');
    const alone = { channel: root.channel, user: jon.id };
    await playground.call('chat.postEphemeral', { ...alone, text: 'only you may' });
    await playground.call('chat.postEphemeral', { ...alone, text: 'only you may here', thread_ts: root.ts });
    await jon.seesPrivately('#releases', /^only you may$/);
    await jon.seesPrivately('#releases', 'only you may here');
    await jon.seesInThread(root, 'only you may here');
    expect(await maria.privately('#releases')).toEqual([]);
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
