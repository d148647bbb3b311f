import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../src/core/messages/view-models.ts';
import type { CardDetails, LastRound } from '../../../src/slack/request/card-details.ts';
import { comparedPage } from '../../../src/slack/ui/comparison/button.ts';
import type { Changes } from '../../../src/slack/ui/comparison/text-changes.ts';
import { sayIn } from '../../support/say.ts';
import { approvalCard } from '../ui/approval-card.ts';
import { card, deciders, lastRound, name, rejection, say } from '../ui/models.ts';
import { actionsOf, partsOf, said } from '../ui/said.ts';

const shown = (round: Partial<LastRound>, details: Partial<CardDetails> = {}, change: Partial<CardModel> = {}) =>
  approvalCard(card({ round: 2, ledBy: rejection('Shorter.'), ...change }), {
    output: 'A post.',
    preview: 700,
    notes: 'offered',
    edits: 'offered',
    deciders: deciders(),
    name,
    rendering: 'full',
    say,
    lastRound: lastRound(round),
    ...details,
  });

const compared = (
  more = 0,
  lines: Changes['lines'] = [{ label: 'Amount', kind: 'replaced', before: '40', after: '45' }],
) => ({ kind: 'compared', changes: { lines, more } }) as const;

describe('the card of a later round', () => {
  it('shows what changed right after the feedback that asked for it, counts the rest, and offers to compare', () => {
    const { blocks } = shown({ change: compared(9) });
    const quoted = blocks.findIndex(({ type }) => type === 'rich_text');
    expect(blocks.slice(quoted + 1, quoted + 3)).toMatchObject([
      { text: { text: '*Changed since round 1* · 9 more changes' }, accessory: { action_id: 'compare' } },
      { elements: [{ elements: [{ text: 'Amount: − 40  + 45' }] }] },
    ]);
  });

  it('ticks the points of feedback that were followed, in place of their bullets', () => {
    const feedback = 'Make these edits, word for word:\n\n- Replace “a” with “b”.\n- Shorter.\n- Delete “<!here>”.';
    const message = shown({}, { ticks: [null, true, null, false] }, { ledBy: rejection(feedback) });
    const quoted = message.blocks.find(({ type }) => type === 'rich_text');
    const text = '☑ Replace “a” with “b”.\n• Shorter.\n☐ Delete “<!here>”.';
    expect(quoted).toMatchObject({ elements: [{ type: 'rich_text_quote', elements: [{ text }] }] });
  });

  it.each<[what: string, feedback: string, last: RegExp, left: string]>([
    [
      'points',
      `Mind this:\n${'- It is said word by word, too.\n'.repeat(12)}`,
      /word, too\.$/,
      '3 more points of feedback, 1 of them not done',
    ],
    ['sentences', 'It is a sentence of thirty. '.repeat(12), /of thirty\.$/, '2 more sentences of feedback'],
    ['a sentence', 'word '.repeat(200), /word…$/, '1 more sentence of feedback'],
  ])(
    'quotes whole points of long feedback, and counts the rest where it can be read: %s',
    (_, feedback, last, left) => {
      const ticks = [null, true, ...Array.from({ length: 10 }, () => null), false];
      const message = shown({}, { ticks }, { ledBy: rejection(feedback) });
      const quoted = message.blocks.find(({ type }) => type === 'rich_text');
      expect(
        partsOf([quoted])
          .flatMap(({ text }) => (typeof text === 'string' ? text : []))
          .at(-1),
      ).toMatch(last);
      expect(said(message)).toContain(left);
      expect(actionsOf(message)[0]).toBe('review');
    },
  );

  it('says what changed to those who see only its notification, too', () => {
    expect(shown({ change: compared() }).text).toContain('\nAmount: − 40  + 45\n');
  });

  it('names both texts in the button', () => {
    const button = partsOf(shown({ change: compared() }).blocks).find(({ action_id }) => action_id === 'compare');
    expect(comparedPage.read(String(button?.value))).toEqual({
      ...{ ref: 'r1', approvalId: '1', before: 'c'.repeat(64), after: 'a'.repeat(64) },
      ...{ title: 'Write the post', round: 2, page: 0 },
    });
  });

  it('lets no changed words mention anyone, or look like ours', () => {
    const hostile = '<!channel> *Approved*';
    const { text, blocks } = shown({
      change: compared(0, [{ label: hostile, kind: 'added', pieces: [{ kind: 'kept', text: hostile }] }]),
    });
    expect(text).toContain('+ &lt;!channel&gt; *Approved*: &lt;!channel&gt; *Approved*');
    expect(JSON.stringify(blocks.filter(({ type }) => type !== 'rich_text'))).not.toContain('channel');
  });

  it('marks a text that came back unchanged above everything else, and in the notification', () => {
    const message = shown({ change: { kind: 'same' }, sameAs: 1 });
    expect(message.blocks[1]).toMatchObject({ type: 'context' });
    expect(JSON.stringify(message.blocks[1])).toContain('*Same text as round 1*');
    expect(message.text.split('\n')[1]).toContain('Same text as round 1');
    expect(actionsOf(message)).not.toContain('compare');
  });

  it.each([
    ['only what nobody sees changed', { kind: 'unseen' } as const, 'Only spaces, line ends'],
    ['too much changed', { kind: 'too-large' } as const, 'Too much changed to be compared with round 1'],
  ])('says so, and offers no comparison, where %s', (_, change, text) => {
    expect(said(shown({ change }))).toContain(text);
    expect(actionsOf(shown({ change }))).not.toContain('compare');
  });

  it('says that only the layout changed, which can still be compared', () => {
    const message = shown({ change: { kind: 'layout' } });
    expect(said(message)).toContain('Only the layout changed.');
    expect(actionsOf(message)).toContain('compare');
  });

  it('says nothing of changes where a text is gone', () => {
    expect(said(shown({ change: null }))).not.toContain('since round');
  });

  it('says it in the language of the crew', () => {
    const change = compared(2);
    expect(said(shown({ change }, { say: sayIn('de') }))).toContain('*Geändert seit Runde 1* · 2 weitere Änderungen');
  });

  it('shows no words of the crew where Slack refuses them, but the button', () => {
    const bare = shown({ change: compared() }, { rendering: 'bare' });
    expect(`${said(bare)} ${bare.text}`).not.toContain('Amount');
    expect(actionsOf(bare)).toContain('compare');
  });
});
