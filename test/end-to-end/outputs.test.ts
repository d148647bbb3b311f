import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { homeText, modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { githubToken } from '../support/made-up-secrets.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 13, dialect: 'observed', env: { KEEP_TEXTS: 'attach' } });
  await world.startBot();
});
afterAll(async () => {
  const broken = world.slack.calls().flatMap((call) => call.broken);
  await world.stop();
  expect(broken).toEqual([]);
});

/** A fixture whose crew asks for approval of this output. */
async function asking(output: object) {
  const fixture = await world.fixture([{ name: 'draft', agent: 'Writer', humanInput: true, ...output }]);
  const root = await fixture.start();
  return { ...fixture, root, request: await fixture.card() };
}

const numbered = (lines: number) =>
  Array.from({ length: lines }, (_, i) => `Line number ${i + 1} of the report.`).join('\n');

describe.concurrent('An output of a crew', () => {
  it('is shown as Markdown, cut at a sensible place, and can be read whole in pages', async () => {
    const { jon, request } = await asking({ output: `# Report\n\n${numbered(1_000)}` });
    const shown = visibleText(request);
    expect(shown).toContain('Line number 1 of the report.');
    expect(shown).not.toContain('Line number 999 of');
    expect(shown).toMatch(/of the report\.\n99\d more sentences\n\[Review\]/);
    await jon.click('Review', { in: request });
    let page = modalText(await jon.seesModal('Page 1 of'));
    const pages = Number(/Page 1 of (\d+)/.exec(page)?.[1]);
    let text = page;
    for (let number = 2; number <= pages; number++) {
      await jon.click('Next');
      page = modalText(await jon.seesModal(`Page ${number} of ${pages}`));
      text += page;
    }
    for (const line of [1, 500, 1_000]) expect(text).toContain(`Line number ${line} of the report.`);
    expect(text.match(/Line number/g)).toHaveLength(1_000);
    await jon.click('Previous');
    await jon.seesModal(`Page ${pages - 1} of ${pages}`);
    expect(request.files).toEqual([]);
  });

  it('is decided at its end, to which a heading leads', async () => {
    const { jon, maria, request, root } = await asking({
      output: `# Report\n\n${numbered(1_000)}\n\n## Costs\n\nNone.`,
    });
    await jon.click('Review', { in: request });
    expect(modalText(await jon.seesModal('Page 1 of'))).toMatch(/\[Approve\]\n\[Reject…\].*Report/s);
    await jon.click('Next');
    expect(modalText(await jon.seesModal('Page 2 of'))).not.toContain('[Approve]');
    await jon.choose('Jump to…', 'Costs');
    const last = modalText(await jon.seesModal('None.'));
    expect(last).toMatch(/Page (\d+) of \1/);
    await jon.click('Reject…', { in: 'modal' });
    await jon.seesModal('What should change?');
    await jon.back();
    await jon.seesModal('None.');
    await jon.click('Approve', { in: 'modal' });
    await jon.seesModal(/You approved \*crew-2\* · .*The crew continues\./s);
    await maria.seesInThread(root, 'Finished.');
    expect(visibleText(await maria.seesChanged(request, 'Sent to the crew.'))).toContain('approved this result');
  });

  it('is attached as a file where the pages can’t hold it', async () => {
    const { jon, maria, request, root, channelId } = await asking({ outputBytes: 5_000_000 });
    const file = await maria.seesInThread(root, '[file');
    const [info] = file.files;
    expect(info?.sizeBytes).toBe(5_000_000);
    const bytes = await maria.download(file, info?.name ?? '');
    expect(bytes.toString('utf8').startsWith('All work and no play')).toBe(true);
    expect(bytes.length).toBe(5_000_000);
    expect(file.broadcast).toBe(false);
    await jon.click('Review', { in: request });
    await jon.seesModal('Page 1 of');
    await jon.closeModal();
    await jon.click('Approve', { in: request });
    const result = await maria.seesInThread(root, 'Finished.');
    expect(visibleText(result)).toContain('All work and no play');
    const pinged = world.slack.messages().flatMap((each) => (each.channel === channelId ? each.notifies : []));
    // By the card and by the end.
    expect(pinged).toEqual([maria.id, maria.id]);
    // It was attached already.
    expect((await maria.thread(root)).filter(({ files }) => files.length > 0)).toHaveLength(1);
  });

  it('is attached byte for byte once it is approved, under its hash, where approved texts are kept', async () => {
    const text = '# Tee für alle 🍵\r\n\n\u200b  trailing \n';
    const { jon, maria, request, root, approve, reject, card } = await asking({ output: text });
    await reject(request, 'Again.');
    await approve(await card('Round 2'));
    const file = await maria.seesInThread(root, '[file');
    const name = file.files[0]?.name ?? '';
    expect(visibleText(file)).toContain('The text that was approved in round 2.');
    const sha256 = createHash('sha256')
      .update(await maria.download(file, name))
      .digest('hex');
    expect(name).toContain(`-round-2-sha256-${sha256}.md`);
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
    await maria.seesInThread(root, 'Finished.');
    expect((await jon.thread(root)).filter(({ files }) => files.length > 0)).toHaveLength(1);
  });

  it('pings no one, breaks nothing and forges no part of the card, however hostile it is', async () => {
    const hostile = [
      '<!channel> <!here> <@UMARIA001> <!subteam^SRELEASE1> @channel @maria',
      '[Approve](https://evil.example) <https://evil.example|harmless>',
      '\u202Egnp.txt\u202C \u0000 \ud800 \u200B',
      '---',
      '✅ *<@UJON00002> approved draft*',
      '| a | b |',
      '|---|---|',
      '| `x` | <!everyone> |',
      '```',
      'never closed <!channel>',
    ].join('\n');
    const { jon, maria, request, root, channelId } = await asking({ output: `${hostile}\n${hostile.repeat(60)}` });
    expect(request.blocks.map(({ type }) => type)).toEqual(expect.arrayContaining(['divider', 'markdown', 'actions']));
    expect(request.blocks.filter(({ type }) => type === 'divider')).toHaveLength(2);
    await jon.click('Review', { in: request });
    await jon.seesModal('never closed');
    await jon.closeModal();
    await jon.click('Reject…', { in: request });
    await jon.fill('What should change?', '<!channel> <@UMARIA001> ``` *be nice*');
    await jon.submit();
    const second: Message = await jon.sees(`#room-${channelId.slice(6, -1)}`, 'Round 2');
    expect(visibleText(second)).toContain('<!channel> <@UMARIA001> ``` *be nice*');
    await jon.click('Approve', { in: second });
    await maria.seesInThread(root, 'Finished.');
    const pinged = world.slack.messages().flatMap((each) => (each.channel === channelId ? each.notifies : []));
    // By the two cards and by the end.
    expect(pinged).toEqual([maria.id, maria.id, maria.id]);
  });

  it('stays in the error of a run that failed', async () => {
    const fixture = await world.fixture([{ name: 'only', fails: 'Boom <!channel> <@UMARIA001> `x` '.repeat(200) }]);
    const root = await fixture.start();
    const failure = await fixture.maria.seesInThread(root, 'Boom <!channel>');
    expect(failure.notifies).toEqual([fixture.maria.id]);
  });

  it('is shown whole as fields where it is the call of a tool, under what the tool does', async () => {
    const args = { to: 'ana@example.com', subject: 'Refund', body: 'Hi Ana,\n\nit is on its way.', urgent: false };
    const { jon, request, approve } = await asking({ output: { name: 'send_email', args } });
    const shown = visibleText(request);
    expect(shown).toContain('Approval needed: Send e-mail');
    expect(shown).toContain('`send_email`');
    expect(shown).toContain(
      'To: ana@example.com\nSubject: Refund\nBody: \nHi Ana,\n\nit is on its way.\nUrgent: false\n',
    );
    expect(shown).not.toContain(' more ');
    await approve(request);
    await jon.seesChanged(request, 'Sent to the crew.');
  });

  it('lies folded on its card where it is longer than that shows', async () => {
    const text = `# Report\n\n${'One sentence with <!channel> in it. '.repeat(60)}\n\n## Costs\n\nNone *at all*.`;
    const { maria, request } = await asking({ output: text });
    const [container, ...others] = request.blocks.filter(({ type }) => type === 'container');
    expect(others).toEqual([]);
    expect(request.notifies).toEqual([maria.id]);
    expect(container).toMatchObject({
      title: { text: 'Whole text · 365 words · 2 more paragraphs' },
      default_collapsed: true,
    });
    const words = visibleText(request);
    expect(words).toMatch(/in it\.\nWhole text/);
    expect(words.match(/<!channel> in it/g)?.length).toBeGreaterThan(60);
    expect(words).toContain('*Costs*\n\nNone _at all_.');
  });
});

describe.each<['known' | 'off', string, RegExp]>([
  ['known', 'is masked', /█GitHub-token-\w+█/],
  ['off', 'is shown in clear', /ghp_\w{36}/],
])('A secret that a crew wrote, with MASK=%s,', (mask, shown, wanted) => {
  it(`${shown} in the thread, in a direct message, in the file and in the result`, async () => {
    const [typed, draft, result] = [githubToken(), githubToken(), githubToken()];
    const world = await startWorld({
      crews: [
        {
          name: 'leaky',
          tasks: [
            { name: 'draft', humanInput: true, output: `Deploy with ${draft}.` },
            { name: 'publish', output: `Deployed with ${result}.` },
          ],
          settings: { channel: 'releases', notify: 'dm', approval: { approvers: ['UJON00002'] } },
        },
      ],
      env: { KEEP_TEXTS: 'attach', MASK: mask },
    });
    onTestFinished(() => world.stop());
    await world.startBot();
    const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
    await maria.command('#releases', `/kickoff leaky topic=${typed}`);
    const root = await maria.sees('#releases', 'leaky');
    const card = await jon.sees('#releases', 'Deploy with');
    const direct = await jon.sees('Signoff', 'Deploy with');
    await jon.openHome();
    const home = homeText(await jon.seesHome('1 request is waiting for you'));
    await jon.click('Approve', { in: card });
    const file = await maria.seesInThread(root, 'The text that was approved');
    const kept = await maria.download(file, file.files[0]?.name ?? '');
    const end = await maria.seesInThread(root, 'Finished.');
    const texts = [card, direct, end].map(visibleText);
    for (const text of [...texts, kept.toString('utf8')]) expect(text).toMatch(wanted);
    const said = JSON.stringify([texts, home, kept.toString('utf8'), world.slack.messages()]);
    for (const secret of [typed, draft, result]) expect(said.includes(secret)).toBe(mask === 'off');
  });
});
