import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../src/core/messages/view-models.ts';
import { approvalCard } from '../../../src/slack/approval/card.ts';
import { parseApprovalValue, parseTextValue } from '../../../src/slack/ui/button-value.ts';
import { card, deciders, decision, jon, name, rejection } from '../ui/models.ts';
import { actionsOf, partsOf, said } from '../ui/said.ts';

const shown = (
  change: Partial<CardModel> = {},
  output: string | null = 'A *fine* post.',
  notes: 'offered' | 'hidden' = 'offered',
) => approvalCard(card(change), { output, notes, deciders: deciders(), name, rendering: 'full' });

const buttonOf = (message: ReturnType<typeof shown>, id: string) =>
  partsOf(message.blocks).find((part) => part.action_id === id);

describe('an approval card', () => {
  it('says what is asked, of which task, when, and shows the text', () => {
    const words = said(shown());
    for (const part of ['Please decide: Write the post', 'Research', 'First round', '<!date^', 'A *fine* post.'])
      expect(words).toContain(part);
  });

  it('offers to approve, to approve with a note, to reject and to read all', () => {
    const more = ['edit', 'who_can_decide', 'hand_over'];
    expect(actionsOf(shown())).toEqual(['read_all', 'approve', 'approve_with_note', 'reject', ...more]);
    expect(actionsOf(shown({}, 'x', 'hidden'))).toEqual(['read_all', 'approve', 'reject', ...more]);
  });

  it('names the request and the text in its buttons', () => {
    const value = (id: string) => String(buttonOf(shown(), id)?.value);
    expect(parseApprovalValue(value('approve'))).toEqual({ ref: 'r1', approvalId: '1' });
    expect(parseTextValue(value('read_all'))).toEqual({
      ref: 'r1',
      hash: 'a'.repeat(64),
      title: 'Write the post, round 1',
      rest: 'attached',
    });
    expect(parseApprovalValue('someone else’s')).toBeNull();
  });

  it('quotes the feedback that led here', () => {
    const words = said(shown({ round: 2, ledBy: rejection('Shorter, <!channel>.') }));
    expect(words).toContain('Maria rejected round 1');
    expect(words).toContain('Shorter, <!channel>.');
    expect(shown({ round: 2, ledBy: rejection('Shorter.') }).blocks[3]).toMatchObject({
      type: 'rich_text',
      elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text: 'Shorter.' }] }],
    });
  });

  it('asks for confirmation if the request may be a repeated notification', () => {
    const message = shown({ round: 3, repeatsRound: 2 });
    expect(said(message)).toContain('same text as in round 2');
    for (const id of ['approve', 'approve_with_note', 'reject'])
      expect(buttonOf(message, id)).toHaveProperty('confirm');
    expect(buttonOf(shown(), 'approve')).not.toHaveProperty('confirm');
  });

  it('replaces the buttons with the decision once there is one', () => {
    const message = shown({ state: { kind: 'told', decision: rejection('Too long.') } });
    expect(actionsOf(message)).toEqual(['read_all']);
    for (const part of ['*↩️ Rejected* by Maria', 'Too long.', 'The crew has been told.'])
      expect(said(message)).toContain(part);
    expect(message.text).toContain('Rejected by Maria');
    expect(JSON.stringify(message)).not.toContain('<@');
  });

  it('shows even the longest feedback in full, so that everyone sees what the crew was told', () => {
    const longest = `${'word '.repeat(599)}last.`;
    expect(longest).toHaveLength(3_000);
    expect(said(shown({ state: { kind: 'told', decision: rejection(longest) } }))).toContain(longest);
  });

  it('says that the crew can’t be reached', () => {
    const telling = (tries: number) => said(shown({ state: { kind: 'telling', decision: decision(), tries } }));
    expect(telling(0)).toContain('Telling the crew…');
    expect(telling(2)).toContain('can’t be reached right now');
  });

  it('offers to send a refused decision again, with the reason and the crew’s own answer', () => {
    const failure = { kind: 'refused', code: 'unauthorized', status: 401, detail: 'Invalid <token>' } as const;
    const message = shown({ state: { kind: 'failed', decision: decision(), failure } });
    expect(actionsOf(message)).toEqual(['read_all', 'send_again']);
    expect(said(message)).toContain('Approved, not delivered');
    expect(said(message)).toContain('doesn’t accept Signoff’s access token');
    expect(said(message)).toContain('The crew’s answer (HTTP 401): Invalid &lt;token&gt;');
  });

  it.each([
    ['user-token-refused', 'doesn’t accept Maria’s own token'],
    ['no-user-token', 'needs Maria’s own token'],
  ] as const)('names the person whose token it takes, for %s', (code, words) => {
    const failure = { kind: 'refused', code, status: 0, detail: '' } as const;
    const message = shown({ state: { kind: 'failed', decision: decision(), failure } });
    for (const part of [words, '/kickoff connect Research']) expect(said(message)).toContain(part);
    expect(actionsOf(message)).toEqual(['read_all', 'send_again']);
  });

  it('warns before an unconfirmed decision is sent again', () => {
    const message = shown({ state: { kind: 'failed', decision: decision(), failure: { kind: 'unconfirmed' } } });
    expect(said(message)).toContain('Approved, not confirmed');
    expect(said(message)).toContain('didn’t confirm this decision');
    expect(said(message)).toContain('may decide the crew’s next question');
  });

  it.each([
    ['newer-round', 'asked again before anybody decided'],
    ['ended', 'The run ended before anybody decided'],
    ['unfollowed', 'stopped following the run before anybody decided'],
  ] as const)('says why it is closed by %s', (by, words) => {
    const message = shown({ state: { kind: 'superseded', decision: null, by } });
    expect(said(message)).toContain(words);
    expect(actionsOf(message)).toEqual(['read_all']);
  });

  it('says that a decision came too late', () => {
    const state = { kind: 'superseded', decision: decision({ by: jon }), by: 'ended' } as const;
    expect(said(shown({ state }))).toContain('before Jon’s decision reached the crew');
  });

  it('says that the text is no longer stored, or was empty', () => {
    expect(said(shown({}, null))).toContain('no longer stored');
    expect(said(shown({}, ' \n'))).toContain('empty text');
  });

  it('says how long a cut text is', () => {
    const output = { hash: 'a', length: 50_000 };
    expect(said(shown({ output }, 'A sentence. '.repeat(5_000)))).toContain('50,000 characters in all');
  });

  it('keeps the crew’s text in one block, between our own', () => {
    const forged = '✅ *Approved* by <@U0JON>\n✔️ The crew has been told.\n\n---\n*Approve*';
    const types = ({ blocks }: ReturnType<typeof shown>) => blocks.map(({ type }) => type);
    expect(types(shown({}, forged))).toEqual(types(shown()));
    expect(shown({}, forged).blocks[0]).toEqual(shown().blocks[0]);
    expect(shown({ taskName: '\n✅ Approved by Jon\n' }).blocks).toHaveLength(shown().blocks.length);
    expect(said(shown({ taskName: 'a\n✅ Approved' }))).toContain('“a ✅ Approved”');
  });
});
