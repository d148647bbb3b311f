import { App, LogLevel } from '@slack/bolt';
import { describe, expect, it, vi } from 'vitest';
import { createRemoteClient } from '../../../../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson, type Person } from '../../../../src/sandbox/slack-workspace/driver/person.ts';
import { defaultWaitMs } from '../../../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { startSlackWorkspace } from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { freePort } from '../../../../src/setup/free-port.ts';
import { actions, button, input, modal, option, plain, section } from '../support/blocks.ts';
import { sharedWorkspace, startScriptedApp } from '../support/scripted-app.ts';

const playground = sharedWorkspace({ rateLimits: 'off' });

describe('a driven person', () => {
  it('shows the screen when a wait times out', async () => {
    const maria = playground.slack.as('maria');
    const root = await maria.say('#releases', 'root & <stem>');
    await maria.reply(root, 'reply');
    await expect(maria.sees('#releases', 'flower', { withinMs: 40 })).rejects.toThrow(
      /timed out waiting for flower in #releases\nMaria Alvarez sees:[\s\S]*Maria Alvarez: root & <stem>\n {2}↳ Maria Alvarez: reply/,
    );
  });

  it.each([
    ['what the environment says', '80', {}, 80],
    ['what the workspace was started with', '9000', { waitMs: 90 }, 90],
  ])(
    'waits %s, by default four seconds, before a test runner ends the test after five',
    async (_, inEnvironment, options, waitedMs) => {
      vi.stubEnv('SLACK_WORKSPACE_WAIT_MS', undefined);
      expect(defaultWaitMs()).toBe(4_000);
      vi.stubEnv('SLACK_WORKSPACE_WAIT_MS', inEnvironment);
      const slack = await startSlackWorkspace(options);
      const at = performance.now();
      await expect(slack.as('jon').sees('#general', 'flower')).rejects.toThrow('Jon Bell sees:');
      expect(performance.now() - at).toBeGreaterThan(waitedMs - 10);
      expect(performance.now() - at).toBeLessThan(4_000);
      vi.unstubAllEnvs();
      await slack.close();
    },
  );

  it('clicks, chooses and ticks in the newest message that offers it, if it isn’t told where', async () => {
    const { slack, app, call } = playground;
    const rows = (of: string) => [
      actions(
        { ...button('Pour'), value: of },
        { type: 'static_select', action_id: 'sort', placeholder: plain('Sort'), options: [option('Green', 'g')] },
      ),
      { ...actions({ type: 'checkboxes', action_id: 'milk', options: [option('Milk', 'm')] }), block_id: 'more' },
    ];
    for (const of of ['first', 'second'])
      await call('chat.postMessage', { channel: 'C0GENERAL1', text: of, blocks: rows(of) });
    await call('chat.postMessage', { channel: 'C0RELEASE2', text: 'without any' });
    const maria = slack.as('maria');
    await maria.click('Pour');
    expect(app.received.at(-1)?.payload).toMatchObject({ actions: [{ value: 'second' }] });
    await maria.choose('Sort', 'Green');
    expect(app.received.at(-1)?.payload).toMatchObject({ actions: [{ selected_option: { value: 'g' } }] });
    await maria.tick('Milk');
    expect(app.received.at(-1)?.payload).toMatchObject({ actions: [{ selected_options: [{ value: 'm' }] }] });
  });

  it('clicks nothing below a modal, which covers it, and finds what only the Home tab has', async () => {
    const { slack, app, call } = playground;
    await call('chat.postMessage', { channel: 'C0GENERAL1', text: 'x', blocks: [actions(button('Below'))] });
    await call('views.publish', { user_id: 'UPRIYA004', view: { type: 'home', blocks: [actions(button('At home'))] } });
    app.reply = async ({ payload }) => {
      if (payload.command === '/kickoff')
        await call('views.open', { trigger_id: payload.trigger_id ?? '', view: modal([section('Above')]) });
      return {};
    };
    const priya = slack.as('priya');
    await priya.command('#general', '/kickoff');
    await expect(priya.click('Below', { withinMs: 40 })).rejects.toThrow(
      /a button labelled “Below”\nPriya Nair sees:[\s\S]*Above/,
    );
    await priya.closeModal();
    await priya.click('Below');
    await priya.click('At home');
    expect(app.received.at(-1)?.payload).toMatchObject({ container: { type: 'view' } });
    app.reply = () => ({});
  });

  it('knows when an app takes deliveries over HTTP, without a request to it', async () => {
    const slack = await startSlackWorkspace();
    const maria = createPerson(createRemoteClient(slack.pageUrl), 'UMARIA001', { withinMs: 40 });
    await expect(maria.reachable()).rejects.toThrow(/the app, which can’t be reached\nMaria Alvarez sees:/);
    slack.installAt(`http://127.0.0.1:${await freePort()}/slack/events`);
    await expect(maria.reachable()).rejects.toThrow('the app, which can’t be reached');
    const app = await startScriptedApp();
    slack.installAt(app.url);
    await maria.reachable();
    expect(app.received).toEqual([]);
    await app.close();
    await slack.close();
  });

  it('knows when an app has a connection of Socket Mode', async () => {
    const slack = await startSlackWorkspace({ app: { delivery: { mode: 'socket' } } });
    const maria = slack.as('maria');
    await expect(maria.reachable({ withinMs: 40 })).rejects.toThrow('the app, which can’t be reached');
    const app = new App({
      ...{ token: slack.botToken, appToken: slack.appToken, socketMode: true, logLevel: LogLevel.ERROR },
      clientOptions: { slackApiUrl: slack.apiUrl },
    });
    await Promise.all([maria.reachable(), app.start()]);
    await app.stop();
    await slack.close();
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
});
