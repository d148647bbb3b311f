import type { ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { chainEntries, type Entry, NO_ENTRIES } from '../../../../src/core/ledger/entry.ts';
import { historyModal, referenceModal, storyKey, storyPage } from '../../../../src/slack/features/history/modal.ts';
import { asked, decided, NOW } from '../../../ledger/ledger-under-test.ts';
import { sayIn } from '../../../support/say.ts';
import { actionsOf, partsOf, said } from '../../ui/said.ts';

const say = sayIn('en');
const key = { ref: 'r1', seenIn: 'C1' };

/** A task that was asked about so often, in as many rounds. */
function rounds(count: number): Entry[] {
  const events = Array.from({ length: count }, (_, i) =>
    asked({ approval: `${i + 1}`, round: i + 1 }, NOW + i * 60_000),
  );
  return chainEntries('r1', NO_ENTRIES, events);
}

const linesOf = (view: ModalView) =>
  said(view)
    .split('\n')
    .filter((line) => line.includes('asked for approval'));

describe('the history of a run', () => {
  it('says of which run it is, and tells each entry with its time, by the clock of whoever reads it', () => {
    const entries = chainEntries('r1', NO_ENTRIES, [asked(), decided()]);
    const words = said(historyModal(key, { channel: 'C0123456789', entries }, say));
    expect(words).toContain('Run `r1` of *research*, in <#C0123456789>');
    expect(words).toContain(`<!date^${NOW / 1000}^`);
    expect(words).toContain('<@U0JON> (as @leads) approved “publish the draft”, after <@U0MARIA>.');
  });

  it('names the channel by the id that it has now', () => {
    const entries = chainEntries('r1', NO_ENTRIES, [asked()]);
    const words = said(historyModal(key, { channel: 'C0MOVED00', entries }, say));
    expect(words).toContain('in <#C0MOVED00>');
    expect(words).not.toContain('C0123456789');
  });

  it('is one page for a short run', () => {
    const view = historyModal(key, { channel: 'C0123456789', entries: rounds(20) }, say);
    expect(linesOf(view)).toHaveLength(20);
    expect(actionsOf(view)).toEqual([]);
  });

  it('begins with the newest page of a long one, the newest last, and turns back to the first', () => {
    const entries = rounds(45);
    const newest = historyModal(key, { channel: 'C0123456789', entries }, say);
    expect(linesOf(newest).at(-1)).toContain('round 45');
    expect(linesOf(newest)).toHaveLength(5);
    expect(said(newest)).toContain('Page 3 of 3');
    const [previous] = partsOf(newest.blocks).filter(({ action_id }) => action_id === 'history_previous');
    expect(storyPage.read(String(previous?.value))?.page).toBe(1);
    const first = historyModal(key, { channel: 'C0123456789', entries, page: 0 }, say);
    expect(linesOf(first)[1]).toContain('round 2');
    expect(actionsOf(first)).toEqual(['history_next']);
  });

  it('says the time once for all of a minute', () => {
    const entries = chainEntries('r1', NO_ENTRIES, [asked(), decided(), asked({ approval: '2' }, NOW + 120_000)]);
    const words = said(historyModal(key, { channel: 'C0123456789', entries }, say));
    expect(words.split('<!date^')).toHaveLength(3);
    expect(words).toMatch(/\*\n• <@U0ANNA> started(.|\n)*\n• <@U0JON>(.|\n)*<!date(.|\n)*• research asked/);
  });

  it('says that nothing has been asked yet', () => {
    expect(said(historyModal(key, { channel: 'C0123456789', entries: [] }, say))).toContain(
      'Nothing has been asked in this run yet.',
    );
  });

  it('remembers the run and where it was opened, and takes nothing else for that', () => {
    const view = historyModal(key, { channel: 'C0123456789', entries: rounds(1) }, say);
    expect(storyKey.read(view.private_metadata)).toEqual(key);
    for (const other of [undefined, '', 'r1', '{"ref":"r1"}', '{"ref":1,"seenIn":null}'])
      expect(storyKey.read(other)).toBeNull();
    for (const other of ['', 'x', '{"page":-1}', '{"page":1.5}']) expect(storyPage.read(other)).toBeNull();
  });
});

describe('the reference of a run', () => {
  const valuesIn = (view: ReturnType<typeof referenceModal>) =>
    partsOf(view.blocks).flatMap(({ initial_value }) => (initial_value === undefined ? [] : [initial_value]));

  it('stands in fields, from which it can be copied', () => {
    const link = 'https://example.slack.com/archives/C1/p1000000001000000';
    expect(valuesIn(referenceModal({ ref: 'r1', kickoffId: 'k1', link }, say))).toEqual(['r1', 'k1', link]);
    expect(valuesIn(referenceModal({ ref: 'r1', kickoffId: null, link: null }, say))).toEqual(['r1']);
  });
});
