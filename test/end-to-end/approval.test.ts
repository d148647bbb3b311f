import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({
    fixtures: 24,
    crews: [
      { name: 'bare', settings: { approval_text: 'Released.', approval_notes: false } },
      // Notes for these are previewed, since they are sent together.
      ...['pair', 'former-pair', 'later-pair'].map((name) => ({ name, settings: { approval: { quorum: 2 } } })),
    ],
  });
  await world.startBot();
});
afterAll(() => world.stop());

/** What the crew was told in the run about this. */
async function reviewsOf(topic: string): Promise<string[]> {
  const runs = await world.crews.sandbox.runs();
  return runs.filter(({ inputs }) => inputs.topic === topic).flatMap(({ reviews }) => reviews.map(({ text }) => text));
}

async function withoutNotes(crew: string): Promise<string> {
  const file = world.env(0).CREWS_FILE ?? '';
  const { crews } = JSON.parse(await readFile(file, 'utf8'));
  const changed = crews.map((each: { name: string }) =>
    each.name === crew ? { ...each, approval_notes: false } : each,
  );
  await writeFile(`${file}.${crew}`, JSON.stringify({ crews: changed }));
  return `${file}.${crew}`;
}

/** Writes a note that isn't sent alone, and goes on to its preview. */
async function previewNote(person: Person, { request, note }: { request: Message; note: string }): Promise<OpenView> {
  await person.click('Approve with note…', { in: request });
  await person.fill('Note for the crew', note);
  await person.submit();
  return person.seesModal('with your approval');
}

const TWICE = 'A note & <b>more</b>,\n“two” lines <!channel>';

describe.concurrent('an approval card', () => {
  it('says what is asked, of which task and round, shows the output, and afterwards the decision', async () => {
    const { start, jon, maria, card, approve, channelId, crew, channel } = await world.fixture();
    const root = await start();
    const first = await card();
    for (const words of [
      crew,
      'Approval needed',
      'About tea.',
      '[Approve]',
      '[Reject…]',
      '(Approve with note… | Who can decide? | Add an approver…)',
    ])
      await jon.seesChanged(first, words);
    expect(first.broadcast).toBe(true);
    expect(first.threadTs).toBe(root.ts);
    expect(first.notifies).toEqual([maria.id]);

    await approve(first);
    const decided = visibleText(await jon.seesChanged(first, 'Sent to the crew.'));
    expect(decided).toMatch(/Jon the \w+ approved/);
    for (const button of ['[Approve]', '[Reject…]', 'Approve with note…', '[Send again]'])
      expect(decided).not.toContain(button);
    await maria.seesInThread(root, 'Finished.');
    expect(world.slack.messages().flatMap((each) => (each.channel === channelId ? each.notifies : []))).toEqual([
      maria.id,
      maria.id,
    ]);
    expect(await jon.privately(channel)).toEqual([]);
  });

  it('quotes from round two on the feedback that led there, and shows what changed', async () => {
    const { start, jon, card, reject, run } = await world.fixture();
    await start();
    await reject(await card(), 'Mention *oolong*, please');
    const second = await card('Round 2');
    const text = visibleText(second);
    expect(text).toContain('Mention *oolong*, please');
    expect(text).toContain('Jon the');
    expect(text).toMatch(/\*Changed since round 1\*.*\[Compare\]\n[−+↕] .*oolong/s);
    await jon.click('Compare', { in: second });
    await jon.seesModal('round 1 → round 2');
    await jon.closeModal();
    await reject(second, 'Shorter');
    const third = await card('Round 3');
    expect(visibleText(third)).toContain('Shorter');
    await jon.click('Approve', { in: third });
    const { reviews } = await run('is completed', ({ status }) => status === 'completed');
    expect(reviews.map(({ round, approved, text: said }) => [round, approved, said])).toEqual([
      [1, false, 'Mention *oolong*, please'],
      [2, false, 'Shorter'],
      [3, true, 'Approved.'],
    ]);
  });

  it('changes nothing when a modal is closed', async () => {
    const { start, jon, card, approve, requests } = await world.fixture();
    await start();
    const request = await card();
    await jon.click('Reject…', { in: request });
    await jon.fill('What should change?', 'Nearly sent');
    await jon.back();
    await jon.click('Approve with note…', { in: request });
    await jon.fill('Note for the crew', 'Nearly sent');
    await jon.closeModal();
    expect(await requests('resume')).toEqual([]);
    await approve(request);
  });

  it('shows before sending exactly what the crew receives where notes are sent together', async () => {
    const { maria, jon, channel, card } = await world.fixture();
    await maria.command(channel, '/kickoff', 'pair topic=together');
    const request = await card();
    await maria.click('Approve', { in: request });
    await jon.seesChanged(request, '1 of 2 approved');
    const preview = modalText(await previewNote(jon, { request, note: TWICE }));
    await jon.submit();
    await jon.seesNoModal();
    await jon.seesChanged(request, 'Sent to the crew.');
    const [sent = ''] = await reviewsOf('together');
    expect(sent).toContain(TWICE.replaceAll(/^/gm, '> '));
    expect(preview).toContain(sent);
  });

  it('sends a note that nothing is added to exactly as it was typed, at once', async () => {
    const { start, jon, card, run, asked } = await world.fixture();
    await start();
    const request = await card();
    await jon.click('Approve with note…', { in: request });
    await jon.fill('Note for the crew', TWICE);
    expect(modalText(await jon.seesModal('Note for the crew'))).toContain('[Approve]');
    await jon.submit();
    await jon.seesNoModal();
    const [resume] = await asked('resume', 1);
    expect(JSON.parse(resume?.body ?? '')).toMatchObject({ human_feedback: TWICE, is_approve: true });
    const { reviews } = await run('is completed', ({ status }) => status === 'completed');
    expect(reviews.map(({ text }) => text)).toEqual([TWICE]);
    await jon.seesChanged(request, '“two” lines');
  });

  it('offers no note where the crew takes none, and approves with the words of the operator', async () => {
    const { maria, jon, channel, card } = await world.fixture();
    await maria.command(channel, '/kickoff', 'bare topic=tea');
    const request = await card();
    expect(visibleText(request)).not.toContain('with note');
    await jon.click('Approve', { in: request });
    await jon.seesChanged(request, 'Sent to the crew.');
    const [run] = (await world.crews.sandbox.runs()).filter(({ crew }) => crew === 'bare');
    expect(run?.reviews.map(({ text }) => text)).toEqual(['Released.']);
  });

  it('takes no note by an old button either, at any step, and gives back what was typed', async () => {
    const { jon, maria, channel, card } = await world.fixture();
    await maria.command(channel, '/kickoff', 'former-pair topic=changing');
    const request = await card();
    for (const person of [jon, maria]) {
      await person.click('Approve with note…', { in: request });
      await person.fill('Note for the crew', `Carefully typed by ${person.id}`);
    }
    await jon.submit();
    await jon.seesModal('with your approval');
    await world.startBot({ env: { CREWS_FILE: await withoutNotes('former-pair') } });
    for (const person of [jon, maria]) {
      await person.submit();
      expect(modalText(await person.seesModal('can’t take approvals with a note or with edits'))).toContain(
        `typed by ${person.id}`,
      );
      await person.closeModal();
    }
    await jon.click('Approve with note…', { in: request });
    await jon.seesModal('can’t take approvals with a note or with edits');
    await jon.closeModal();
    for (const person of [maria, jon]) await person.click('Approve', { in: request });
    await jon.seesChanged(request, 'Sent to the crew.');
    expect(await reviewsOf('changing')).toEqual(['Approved.']);
  });

  /** The crews file after the operator has found that this crew takes notes for rejections. */
});

describe.concurrent('a person who is too late', () => {
  it('alone is told who decided and when, where they clicked', async () => {
    const { start, jon, maria, card, approve, channel, resumes } = await world.fixture();
    await start();
    const request = await card();
    await maria.click('Reject…', { in: request });
    await maria.fill('What should change?', 'My careful words');
    await approve(request);
    await maria.submit();
    const told = modalText(await maria.seesModal('My careful words'));
    expect(told).toMatch(/Jon the .* already approved this/);
    expect(told).toContain('<!date^');
    await maria.closeModal();
    await maria.seesChanged(request, 'Sent to the crew.');
    expect(await resumes()).toHaveLength(1);
    expect(await jon.privately(channel)).toEqual([]);
    expect(await jon.modal()).toBeUndefined();
  });

  it('is told so after the preview of a note as well', async () => {
    const { jon, maria, channel, card, reject } = await world.fixture();
    await maria.command(channel, '/kickoff', 'pair topic=late');
    const request = await card();
    await previewNote(maria, { request, note: 'Print it in green' });
    await reject(request, 'Shorter');
    await maria.submit();
    const told = modalText(await maria.seesModal('already rejected this'));
    expect(told).toContain('Print it in green');
    await jon.seesChanged(request, 'Sent to the crew.');
    expect(await reviewsOf('late')).toEqual(['Shorter']);
  });

  it('is told that the crew has asked again', async () => {
    const { start, jon, maria, card, reject } = await world.fixture();
    await start();
    const request = await card();
    await maria.click('Reject…', { in: request });
    await maria.fill('What should change?', 'Too late');
    await reject(request, 'Shorter');
    await card('Round 2');
    await maria.submit();
    await maria.seesModal('already rejected this');
    await jon.seesChanged(request, 'rejected');
  });
});

describe('a window that Slack does not open any more', () => {
  it('is a private message that asks to click again', async () => {
    const output = 'A long report. '.repeat(1_000);
    const { start, jon, card, channel, approve } = await world.fixture([{ name: 'draft', humanInput: true, output }]);
    const root = await start();
    const request = await card();
    const clicks = ['Reject…', 'Approve with note…', 'Review'].map((label) => [label, request] as const);
    for (const [label, message] of [...clicks, ['Activity', root] as const]) {
      const before = (await jon.privately(channel)).length;
      world.slack.faults.add({ method: 'views.open', effect: { kind: 'error', error: 'expired_trigger_id' } });
      await jon.click(label, { in: message });
      await expect.poll(async () => (await jon.privately(channel)).length).toBe(before + 1);
    }
    expect((await jon.privately(channel)).map(visibleText).join()).toContain('Try again');
    await approve(request);
  });
});

// By itself: the bot that is started takes the clicks of all tests.
it('A crew that takes no notes gets none of an earlier vote either, whoever completes the approval', async () => {
  const { jon, maria, channel, card } = await world.fixture();
  await maria.command(channel, '/kickoff', 'later-pair topic=half');
  const request = await card();
  await jon.click('Approve with note…', { in: request });
  await jon.fill('Note for the crew', 'Given before.');
  await jon.submit();
  await jon.seesModal('with your approval');
  await jon.submit();
  await jon.seesChanged(request, '1 of 2 approved');
  await world.startBot({ env: { CREWS_FILE: await withoutNotes('later-pair') } });
  await maria.click('Approve', { in: request });
  await maria.seesModal('can’t take approvals with a note or with edits');
  await maria.closeModal();
  await jon.click('Withdraw my vote', { in: request });
  await jon.seesChanged(request, 'withdrew their approval');
  for (const person of [maria, jon]) await person.click('Approve', { in: request });
  await jon.seesChanged(request, 'Sent to the crew.');
  expect(await reviewsOf('half')).toEqual(['Approved.']);
});
