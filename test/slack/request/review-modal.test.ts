import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../src/core/messages/view-models.ts';
import { outcomeBlocks } from '../../../src/slack/request/outcome.ts';
import { type ReviewedRequest, reviewModal } from '../../../src/slack/request/review-modal.ts';
import { buttonChosenIn } from '../../../src/slack/ui/button-value.ts';
import { modalOf } from '../../../src/slack/ui/modal.ts';
import {
  card,
  changeTo,
  completes,
  counts,
  deciders,
  handOver,
  jon,
  lastRound,
  maria,
  name,
  policy,
  rejection,
  say,
  vote,
} from '../ui/models.ts';
import { actionsOf, partsOf, said } from '../ui/said.ts';

type Reviewed = Parameters<typeof reviewModal>[0];
type Details = Omit<ReviewedRequest, 'model'> & Omit<Reviewed, 'key' | 'request'> & Pick<Reviewed['key'], 'inbox'>;

const CHANGE = changeTo('A calm text. And more.');

const shown = (
  change: Partial<CardModel> = {},
  { text = 'A post about tea.', page = 0, whyNot, after, inbox, ...details }: Partial<Details> = {},
) => {
  const model = card(change);
  const request = { notes: 'offered', edits: 'offered', deciders: deciders(), name, ...details, model } as const;
  const key = { ref: 'r1', hash: model.output.hash, inbox };
  return reviewModal({ key, text, page, request, ...(whyNot && { whyNot }), ...(after && { after }) }, say);
};

const buttonOf = (view: ReturnType<typeof shown>, id: string) =>
  partsOf(view.blocks).find(({ action_id }) => action_id === id);

describe('the review of a request', () => {
  it('begins with what is asked, by whom, who can decide and has, and whom it was passed on to', () => {
    const two = deciders({ rule: policy({ quorum: 2 }) });
    const view = shown({ votes: [vote(jon)], handedOver: [handOver(jon, maria)] }, { deciders: two });
    expect(said(view)).toMatch(
      /^\*Write the post\* · Research\nstarted by Maria · <!date.*> · 1 of 2 approved: Jon · still needs 1 more person\n➡️ Can decide, too: Jon \(added by Maria\)/,
    );
  });

  it('names the starter once', () => {
    const own = deciders({ rule: policy({ selfApproval: false }), starter: maria });
    expect(said(shown({}, { deciders: own })).match(/Maria/g)).toHaveLength(1);
    expect(said(shown({ starter: null }))).not.toContain('started by');
  });

  it('shows the feedback that led to it in full, and what changed since, on its first page alone', () => {
    const feedback = 'Shorter. '.repeat(200).trim();
    const later = { lastRound: lastRound({ change: CHANGE }), text: 'Many words.\n\n'.repeat(2_000) };
    const first = shown({ round: 2, ledBy: rejection(feedback) }, later);
    expect(said(first)).toContain(feedback);
    expect(said(first)).toContain('Changed since round 1');
    expect(actionsOf(first)).toContain('compare');
    const second = shown({ round: 2, ledBy: rejection(feedback) }, { ...later, page: 1 });
    expect(said(second)).not.toContain('Shorter.');
    expect(said(second)).toMatch(/^\*Write the post\* · Research · Round 2 · Page 2 of \d+\n/);
    expect(said(second)).not.toContain('started by');
  });

  it('has the choices below a short head, then what led to it and the text between two dividers', () => {
    const types = ({ blocks }: ReturnType<typeof shown>) => blocks.map(({ type }) => type);
    expect(types(shown())).toEqual(['context', 'actions', 'divider', 'rich_text', 'divider']);
    const later = { round: 2, ledBy: rejection('Shorter.') };
    expect(types(shown(later, { lastRound: lastRound({ change: CHANGE }) }))).toEqual([
      ...['context', 'actions', 'context', 'rich_text', 'section', 'rich_text'],
      ...['divider', 'rich_text', 'divider'],
    ]);
    // Below the text, so that its beginning can be seen at once.
    const long = shown({ ...later, ledBy: rejection('Much shorter. '.repeat(40)) });
    expect(types(long)).toEqual([
      ...['context', 'actions', 'divider', 'rich_text', 'divider'],
      ...['context', 'rich_text'],
    ]);
  });

  it('repeats the choices at the end of a text that isn’t seen at once, under names of their own', () => {
    const choices = (view: ReturnType<typeof shown>) =>
      view.blocks.filter(({ block_id: id }) => id?.startsWith('text:')).map((block) => view.blocks.indexOf(block));
    const lines = (count: number) => 'A line of the post.\n'.repeat(count);
    expect(choices(shown({}, { text: lines(8) }))).toEqual([1]);
    const long = shown({}, { text: lines(40) });
    expect(choices(long)).toEqual([1, long.blocks.length - 1]);
    expect(choices(shown({}, { text: 'A post about tea. '.repeat(100) }))).toHaveLength(2);
    const [above, end] = choices(long).map((place) => long.blocks[place]?.block_id ?? '');
    expect(above).not.toBe(end);
    const spoken = partsOf(long.blocks).flatMap(({ accessibility_label: label }) => label ?? []);
    expect(spoken.slice(0, 2)).toEqual(['Approve at the end of the text', 'Reject… at the end of the text']);
    for (const block_id of [above, end]) {
      const selected = { text: { type: 'plain_text' as const, text: 'Who' }, value: 'who_can_decide r1 1' };
      const action = { type: 'overflow' as const, action_id: 'more', block_id: `${block_id}`, action_ts: '1.0' };
      const chosen = buttonChosenIn({ ...action, selected_option: selected }, undefined);
      expect(JSON.parse(chosen?.value ?? '')).toMatchObject({ hash: card().output.hash });
    }
  });

  it('says where the person is on their way through what waits, and carries it in every choice', () => {
    const inbox = { place: 2, of: 5, skipped: 1, seen: ['r21'] };
    const view = shown({}, { inbox });
    expect(view.title.text).toBe('Review · 2 of 5');
    expect(actionsOf(view)).toEqual(['approve', 'reject', 'edit', 'skip', 'more']);
    for (const id of ['approve', 'reject', 'edit', 'skip'])
      expect(JSON.parse(String(buttonOf(view, id)?.value))).toMatchObject({ inbox });
    expect(JSON.parse(view.private_metadata ?? '')).toMatchObject({ inbox });
  });

  it('says once what became of a request that is closed, and what the crew gets', () => {
    const view = shown({ state: { kind: 'told', decision: rejection('Too long.') } });
    expect(said(view)).toMatch(
      /^\*Write the post\* · Research\nstarted by Maria\n↩️ \*Maria rejected “Write the post”\* · <!date.*> · Sent to the crew\.\nThe crew gets this with the decision:\nToo long\./,
    );
    expect(actionsOf(view)).toEqual([]);
    expect(said(view)).not.toContain('can decide');
  });

  it('begins with what came of the request before, where it took its place', () => {
    const { result } = outcomeBlocks(
      { model: card({ votes: [vote(jon)] }), verdict: 'approve', standing: counts(1, 2) },
      say,
    );
    const view = shown({}, { after: { result, openedAt: 1_000 } });
    expect(view.blocks.map(({ type }) => type).slice(0, 4)).toEqual(['section', 'divider', 'context', 'actions']);
    expect(actionsOf(view).slice(0, 2)).toEqual(['withdraw', 'approve']);
    expect(JSON.parse(String(buttonOf(view, 'approve')?.value))).toMatchObject({ openedAt: 1_000 });
  });

  it('binds each choice to the text that is shown', () => {
    const view = shown();
    const { hash } = card().output;
    for (const id of ['approve', 'reject', 'edit'])
      expect(JSON.parse(String(buttonOf(view, id)?.value))).toEqual({ ref: 'r1', approvalId: '1', hash, isRead: true });
    const row = view.blocks.find(({ type }) => type === 'actions')?.block_id ?? '';
    const chosenIn = (blockId: string, modal?: { private_metadata: string }) => {
      const selected = { text: { type: 'plain_text' as const, text: 'Edit' }, value: 'edit r1 1' };
      const action = { type: 'overflow' as const, action_id: 'more', block_id: blockId, action_ts: '1.0' };
      return JSON.parse(buttonChosenIn({ ...action, selected_option: selected }, modal)?.value ?? '');
    };
    const key = { ref: 'r1', approvalId: '1', hash };
    expect(chosenIn(row, { private_metadata: view.private_metadata ?? '' })).toEqual({ ...key, isRead: true });
    expect(chosenIn(row)).toEqual(key);
    expect(chosenIn('of an older version')).toEqual({ ...key, hash: null });
  });

  it('asks before a decision on what may be a repeated notice, as the card does', () => {
    const view = shown({ repeatsRound: 1, round: 2 });
    expect(said(view)).toContain('⚠️ This is the same text as in round 1, perhaps a repeated notice.');
    for (const id of ['approve', 'approve_with_note', 'reject'])
      expect(buttonOf(view, id)?.confirm).toMatchObject({ title: { text: 'The same text again' } });
  });

  it('takes notes and edits only where they can be made', () => {
    const said = (view: ReturnType<typeof shown>) => JSON.stringify(view.blocks);
    expect(said(shown())).toMatch(/Edit….*Approve with note…/);
    expect(said(shown({}, { notes: 'hidden' }))).not.toContain('Approve with note…');
    expect(said(shown({}, { text: 'x'.repeat(150_000) }))).toContain('Edit…');
    expect(said(shown({}, { text: 'x'.repeat(150_001) }))).not.toContain('Edit…');
    expect(said(shown({}, { text: null }))).toMatch(/The text is no longer stored\./);
    expect(said(shown({}, { text: null }))).not.toContain('Edit…');
  });
});

describe('the outcome of a decision', () => {
  it.each([
    [
      'approve',
      card({ votes: [vote(jon)] }),
      'Your approval of *Write the post* · Research counts: 1 of 2.',
      ['withdraw'],
      counts(1, 2),
    ],
    [
      'approve',
      card({ stages: [{ key: 'k', name: 'Peer <1>', at: 1, votes: [vote(jon)] }] }),
      'You approved *Write the post* · Research. *Peer &lt;1&gt;* is complete; *Release* is next.',
      [],
      completes('Peer <1>', 'Release'),
    ],
    ['approve', told('approve'), 'You approved *Write the post* · Research. The crew continues.', [], null],
    ['reject', told('reject'), 'You rejected *Write the post* · Research. The crew tries again.', [], null],
  ] as const)('says what it amounts to: %s', (verdict, model, words, actions, standing) => {
    const { title, result } = outcomeBlocks({ model, verdict, standing }, say);
    expect(result).toHaveLength(1);
    const view = modalOf(say, { title, blocks: [...result] });
    expect(said(view)).toContain(words);
    expect(actionsOf(view)).toEqual(actions);
  });
});

function told(verdict: 'approve' | 'reject'): CardModel {
  return card({ state: { kind: 'told', decision: { ...rejection(), verdict } } });
}
