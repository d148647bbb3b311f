import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../src/core/messages/view-models.ts';
import type { CardDetails, LastRound } from '../../../src/slack/request/card-details.ts';
import { comparedPage } from '../../../src/slack/ui/comparison/button.ts';
import type { Change } from '../../../src/slack/ui/comparison/summary.ts';
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

const compared = (change: Partial<Extract<Change, { kind: 'compared' }>['summary']>): Change => ({
  kind: 'compared',
  summary: { changed: 0, added: 0, removed: 0, sections: { added: [], removed: [] }, ...change },
});

describe('the card of a later round', () => {
  it('says what changed right after the feedback that asked for it, and offers to compare', () => {
    const change = compared({ changed: 12, added: 3, removed: 4, sections: { added: [], removed: ['Tests'] } });
    const { blocks } = shown({ change });
    const quoted = blocks.findIndex(({ type }) => type === 'rich_text');
    expect(blocks[quoted + 1]).toMatchObject({
      text: { text: 'Since round 1: 12 lines changed, 3 added, 4 removed (*Tests*)' },
      accessory: { action_id: 'compare' },
    });
  });

  it.each([
    ['1 line changed', compared({ changed: 1 })],
    ['2 lines added, 1 removed', compared({ added: 2, removed: 1 })],
    ['1 line removed', compared({ removed: 1 })],
    [
      '9 lines added (*A*, *B*, *C* and 2 more)',
      compared({ added: 9, sections: { added: ['A', 'B', 'C', 'D', 'E'], removed: [] } }),
    ],
    ['only empty lines changed', compared({})],
  ])('counts what changed: %s', (text, change) => {
    expect(said(shown({ change }))).toContain(`Since round 1: ${text}`);
  });

  it('names both texts in the button', () => {
    const button = partsOf(shown({ change: compared({ changed: 1 }) }).blocks).find(
      ({ action_id }) => action_id === 'compare',
    );
    expect(comparedPage.read(String(button?.value))).toEqual({
      ...{ ref: 'r1', approvalId: '1', before: 'c'.repeat(64), after: 'a'.repeat(64) },
      ...{ title: 'Write the post', round: 2, page: 0 },
    });
  });

  it('lets no title of a section mention anyone', () => {
    const change = compared({ added: 1, sections: { added: ['<!channel>'], removed: [] } });
    expect(said(shown({ change }))).toContain('1 line added (*&lt;!channel&gt;*)');
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

  it('says nothing of changes where a text is gone', () => {
    expect(said(shown({ change: null }))).not.toContain('Since round');
  });

  it('says it in the language of the crew', () => {
    const change = compared({ changed: 1, added: 2, sections: { added: ['Neu'], removed: [] } });
    expect(said(shown({ change }, { say: sayIn('de') }))).toContain('Seit Runde 1: 1 Zeile geändert, 2 neu (*Neu*)');
  });

  it('shows no words of the crew where Slack refuses them, but the button', () => {
    const change = compared({ added: 1, sections: { added: ['Tests'], removed: [] } });
    const bare = shown({ change }, { rendering: 'bare' });
    expect(said(bare)).not.toContain('Tests');
    expect(actionsOf(bare)).toContain('compare');
  });
});
