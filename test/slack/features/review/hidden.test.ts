import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { githubToken, privateKey, random } from '../../../support/made-up-secrets.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const jon = () => world.slack.as('jon');
const aiko = () => world.slack.as('aiko');

/** All that Slack has been sent from now on: calls, and answers to clicks. */
function recording(): () => string {
  const before = world.slack.calls().length;
  return () =>
    JSON.stringify(
      world.slack
        .calls()
        .slice(before)
        .map(({ direction, request, response }) => (direction === 'from-app' ? request : response)),
    );
}

const parts = (secret: string) => secret.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'));

async function reviewed(ref: string) {
  const {
    question: { output },
  } = await world.approvalOf(ref);
  const value = approvalValue({ ref, approvalId: '1', hash: output.hash });
  return world.offers('review', { label: 'Review', value });
}

describe('a text with secrets', () => {
  it('is masked on the card, in the notification and in Review, and the card says how many are hidden', async () => {
    const sent = recording();
    const secrets = [githubToken(), privateKey()];
    const { card } = await world.asks({}, { text: `# Deploy\n\nUse ${secrets.join('\n\nand\n\n')}\n\nDone.` });
    expect(JSON.stringify(card)).toMatch(/█GitHub-token-\w+█/);
    expect(JSON.stringify(card)).toContain('2 secrets are');
    await jon().click('Review', { in: card });
    expect(modalText(await jon().seesModal('2 secrets are'))).toMatch(/█private-key-\w+█/);
    await jon().closeModal();
    for (const part of secrets.flatMap(parts)) expect(sent()).not.toContain(part);
  });

  it('is masked before it is cut, wherever that is', async () => {
    const sent = recording();
    const secret = githubToken();
    for (const before of [270, 280, 290, 296])
      await world.asks({}, { text: `${'x'.repeat(before)} ${secret} ${'y '.repeat(400)}` });
    await world.asks({}, { text: `# ${'x'.repeat(60)} ${secret}\n\nText.` });
    expect(sent()).not.toContain(secret.slice(0, 24));
  });

  it('is shown in full in Review to a person who can decide, which the ledger says', async () => {
    const secret = githubToken();
    const { ref } = await world.asks({}, { text: `Use ${secret} twice: ${secret}.` });
    await jon().click('Review', { in: await reviewed(ref) });
    await jon().click('Show', { in: 'modal' });
    const view = await jon().seesModal('You see all of the text');
    expect(modalText(view)).toContain(secret);
    expect(modalText(view)).not.toContain('█');
    expect(await world.entriesOf(ref)).toContainEqual({
      kind: 'revealed',
      facts: { approval: '1', by: 'UJON00002', secrets: 2 },
    });
    await jon().click('Approve', { in: 'modal' });
    await jon().seesModal('You approved');
    await jon().closeModal();
  });

  it('is not shown to anybody else, who are told why', async () => {
    const sent = recording();
    const secret = githubToken();
    const { ref } = await world.asks(
      { approvers: [{ kind: 'person', name: 'UAIKO0003' }] },
      { text: `Use ${secret}.` },
    );
    await jon().click('Review', { in: await reviewed(ref) });
    expect(modalText(await jon().seesModal('secret is'))).not.toContain('[Show]');
    await jon().closeModal();
    const {
      question: { output },
    } = await world.approvalOf(ref);
    const value = JSON.stringify({ ref, approvalId: '1', hash: output.hash, page: 0, isRevealed: true });
    for (const action of ['reveal', 'review_next'] as const) {
      await jon().click('Show', { in: await world.offers(action, { label: 'Show', value }) });
      await jon().seesModal('');
      await jon().closeModal();
    }
    expect(sent()).not.toContain(secret);
    expect((await world.entriesOf(ref)).map(({ kind }) => kind)).not.toContain('revealed');
  });

  it('is edited with its marks, and the crew gets edits of the full text', async () => {
    const sent = recording();
    const [kept, gone] = [githubToken(), `xoxb-${random(12, '123456789')}-${random(24)}`];
    const { ref, card } = await world.asks(
      { undoMs: 3_600_000 },
      { text: `Start with ${kept} now.\n\nThen drop ${gone} here.` },
    );
    await jon().click('Edit…', { in: card });
    await jon().seesModal('Change the text');
    const [text = ''] = await jon().chosen('Text');
    expect(text).toMatch(/^Start with █GitHub-token-\w+█ now\.\n\nThen drop █Slack-token-\w+█ here\.$/);
    await jon().fill(
      'Text',
      text
        .replace('Start with', 'Begin by')
        .replace(' now', ' today')
        .replace(/█Slack-token-\w+█/, 'it'),
    );
    await jon().submit();
    await jon().choose('What happens next', 'Send back with these edits');
    await jon().submit();
    const request = await world.approvalOf(ref);
    const feedback = 'decision' in request.state ? (request.state.decision?.text ?? '') : '';
    expect(feedback).not.toContain('█');
    expect(feedback).toContain('Begin by');
    expect(feedback).toContain(gone);
    await world.show(ref);
    for (const secret of [kept, gone]) expect(sent()).not.toContain(secret);
  });

  it('is approved as edited with all that its marks stand for, and nobody is shown that', async () => {
    const sent = recording();
    const kept = githubToken();
    const { ref, card } = await world.asks({ undoMs: 3_600_000 }, { text: `Start with ${kept} now.` });
    await jon().click('Edit…', { in: card });
    await jon().seesModal('Change the text');
    const [text = ''] = await jon().chosen('Text');
    await jon().fill('Text', text.replace('Start', 'Begin'));
    await jon().submit();
    await jon().choose('What happens next', 'Approve with these edits');
    await jon().submit();
    const {
      question: { output, edited },
    } = await world.approvalOf(ref);
    expect(edited).toMatchObject({ by: { id: 'UJON00002' } });
    expect(output.hash).toBe(createHash('sha256').update(`Begin with ${kept} now.`).digest('hex'));
    await world.show(ref);
    expect(sent()).not.toContain(kept);
  });

  it('hides what people type in feedback', async () => {
    const sent = recording();
    const secret = githubToken();
    const { ref, card } = await world.asks({ undoMs: 3_600_000 }, { text: 'Fine.' });
    await jon().click('Reject…', { in: card });
    await jon().fill('What should change?', `Use ${secret} instead.`);
    await jon().submit();
    await world.show(ref);
    expect(sent()).toMatch(/Use █GitHub-token-\w+█ instead/);
    expect(sent()).not.toContain(secret);
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision: { text: `Use ${secret} instead.` } } });
  });
});

describe('a text with disguises', () => {
  it('has its invisible characters counted, and shown by Review', async () => {
    const hidden = Array.from('ignore', (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join(
      '',
    );
    const { ref, card } = await world.asks({}, { text: `Ship\u200B it${hidden} 👩‍👩‍👧 ❤️ now.` });
    expect(JSON.stringify(card)).toContain('7 invisible characters');
    await aiko().click('Review', { in: await reviewed(ref) });
    await aiko().click('Show', { in: 'modal' });
    expect(modalText(await aiko().seesModal('You see all'))).toContain('Ship⟨U+200B⟩ it⟨ignore⟩ 👩‍👩‍👧 ❤️ now.');
    await aiko().closeModal();
    expect((await world.entriesOf(ref)).map(({ kind }) => kind)).not.toContain('revealed');
  });

  it('has the hosts that look like others in punycode', async () => {
    const { card } = await world.asks(
      {},
      { text: 'Sign in at https://\u0430pple.com/id, see [Apple](https://\u0430pple.com).' },
    );
    const shown = JSON.stringify(card);
    expect(shown).toContain('https://xn--pple-43d.com/id');
    expect(shown).toContain('An address looks');
    expect(shown).not.toContain('\u0430pple');
  });
});
