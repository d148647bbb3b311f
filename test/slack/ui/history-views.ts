import type { ModalView } from '@slack/types';
import { chainEntries, type LedgerEvent, NO_ENTRIES } from '../../../src/core/ledger/entry.ts';
import { historyModal, referenceModal } from '../../../src/slack/features/history/modal.ts';
import { asked, decided, jon, maria, voted } from '../../ledger/ledger-under-test.ts';
import { NOW, say } from './models.ts';

/** What a run's menu opens, with the given text wherever foreign text goes. */
export function historyModals(text: string): [string, ModalView][] {
  const key = { ref: 'r1', seenIn: 'C1' };
  const entries = chainEntries('r1', NO_ENTRIES, [...storyAbout(text), ...longStory(text)]);
  return [
    ['history, none', historyModal(key, { channel: 'C0123456789', entries: [] }, say)],
    ['history', historyModal(key, { channel: 'C0123456789', entries }, say)],
    ['history, first page', historyModal(key, { channel: 'C0123456789', entries, page: 0 }, say)],
    ['reference', referenceModal({ ref: 'r1', kickoffId: text || 'k1', link: 'https://example.slack.com/x' }, say)],
    ['reference alone', referenceModal({ ref: 'r1', kickoffId: null, link: null }, say)],
  ];
}

function storyAbout(text: string): LedgerEvent[] {
  const mentioned = Array.from({ length: 50 }, () => text);
  return [
    asked({ crew: text, task: { id: text, name: text }, seen: seen(text) }, NOW),
    {
      ...voted(),
      facts: {
        ...voted().facts,
        stage: text,
        completes: [{ place: text, stage: text, votes: [{ ...jon, seat: text }] }],
      },
    } as LedgerEvent,
    { kind: 'refused', at: NOW, facts: { approval: '1', action: text, by: text, reason: text, policy: '' } },
    { kind: 'reminded', at: NOW, facts: { approval: '1', number: 1, mentioned } },
    {
      kind: 'escalated',
      at: NOW,
      facts: { approval: '1', places: ['', '/when/0'], to: mentioned, mentioned, policy: '' },
    },
    decided({ by: { ...jon, by: text, rule: text }, votes: Array.from({ length: 50 }, () => maria) }, NOW),
  ];
}

function seen(text: string) {
  const values = Array.from({ length: 20 }, (_, i) => [`inputs.${i}${text}`, text]);
  return { possible: ['/when/0', '/tasks/0', ''], values: Object.fromEntries([...values, ['starter', text]]) };
}

function longStory(text: string): LedgerEvent[] {
  return Array.from({ length: 40 }, (_, i) =>
    asked({ crew: text, approval: `${i + 2}`, round: i + 2, task: { id: text, name: text } }, NOW),
  );
}
