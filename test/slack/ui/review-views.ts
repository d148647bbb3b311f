import type { ModalView } from '@slack/types';
import type { CardModel } from '../../../src/core/messages/view-models.ts';
import { MOST_AT_ONCE } from '../../../src/slack/features/home/selection.ts';
import {
  batchFailedModal,
  batchLoadingModal,
  batchModal,
  batchResultsModal,
  nothingTickedModal,
} from '../../../src/slack/features/review/batch-modals.ts';
import { outcomeBlocks, takenBackModal } from '../../../src/slack/request/outcome.ts';
import { reviewModal } from '../../../src/slack/request/review-modal.ts';
import { modalOf } from '../../../src/slack/ui/modal.ts';
import { escapedLine } from '../../../src/slack/ui/text/escape.ts';
import {
  card,
  changeTo,
  completes,
  counts,
  deciders,
  decision,
  handOver,
  jon,
  lastRound,
  maria,
  NOW,
  rejection,
  say,
  vote,
} from './models.ts';

/** Reviews of requests and what comes of them, with the given text wherever foreign text goes. */
export function reviewModals(text: string): [string, ModalView][] {
  const named = escapedLine(text, 80);
  const model = card({
    ...{ crew: text, taskName: text, round: 2, repeatsRound: 1, ledBy: rejection(text.slice(0, 3_000)) },
    ...{ votes: [vote(jon, text)], handedOver: [handOver(jon, maria)], escalatedAt: NOW },
  });
  const change = changeTo(text);
  const details = { notes: 'offered', edits: 'offered', deciders: deciders(), name: () => named } as const;
  const request = { ...details, model, lastRound: lastRound({ change }) };
  const seen = Array.from({ length: 80 }, () => 'r'.repeat(16));
  const key = {
    ...{ ref: 'r'.repeat(26), hash: 'd'.repeat(64), title: text },
    inbox: { place: 99, of: 999, skipped: 99, seen },
  };
  const shown = { key, text, page: 0, request };
  const whyNot = { text: `🚫 ${named}`, next: { kind: 'ask', ref: key.ref, approvalId: '1', hash: key.hash } } as const;
  const closed = { ...request, model: { ...model, state: { kind: 'told', decision: decision({ text }) } } } as const;
  return [
    ...[0, 1, 5].flatMap((page): [string, ModalView][] => [
      [`review, page ${page}`, reviewModal({ ...shown, page }, say)],
      [`review of a text, page ${page}`, reviewModal({ ...shown, request: null, page }, say)],
    ]),
    ['review, without a right', reviewModal({ ...shown, whyNot }, say)],
    ['review, decided', reviewModal({ ...shown, request: closed }, say)],
    [
      'review, after another',
      reviewModal(
        {
          ...shown,
          after: {
            result: outcomeBlocks({ model, verdict: 'approve', standing: counts(1, 3) }, say).result,
            openedAt: NOW,
          },
        },
        say,
      ),
    ],
    ['review, expired', reviewModal({ ...shown, text: null }, say)],
    ...outcomes({ crew: text, taskName: text }),
    ...batches(text, named),
  ];
}

function outcomes(names: Pick<CardModel, 'crew' | 'taskName'>): [string, ModalView][] {
  const undoable = { kind: 'undoable', decision: decision(), undoUntil: NOW } as const;
  return [
    [
      'outcome, vote',
      outcome({ model: card({ ...names, votes: [vote(jon)] }), verdict: 'approve', standing: counts(1, 3) }),
    ],
    [
      'outcome, stage',
      outcome({ model: card(names), verdict: 'approve', standing: completes(`${names.taskName}`, names.crew) }),
    ],
    ['outcome, undoable', outcome({ model: card({ ...names, state: undoable }), verdict: 'reject', standing: null })],
    ['outcome, taken back', takenBackModal(card(names), say)],
  ];
}

function outcome(decided: Parameters<typeof outcomeBlocks>[0]): ModalView {
  const { title, result } = outcomeBlocks(decided, say);
  return modalOf(say, { title, blocks: [...result] });
}

/** With as many requests as one modal takes. */
function batches(text: string, named: string): [string, ModalView][] {
  const model = card({ crew: text, taskName: text, output: { hash: 'a'.repeat(43), length: text.length } });
  const keys = Array.from({ length: MOST_AT_ONCE }, (_, i) => ({
    ref: 'r'.repeat(26),
    approvalId: String(i),
    hash: 'a'.repeat(43),
  }));
  const item = { kind: 'approvable', model, output: text, standing: counts(1, 2), needed: 2, sameAs: 1 } as const;
  const leftOut = keys.map(() => ({ model, why: named }));
  const open = keys.map((key) => ({ key, model: null, why: named }));
  const name = () => text;
  const undoable = card({ ...model, state: { kind: 'undoable', decision: decision(), undoUntil: NOW } });
  return [
    ['batch', batchModal({ approvable: keys.map((key) => ({ ...item, key })), leftOut: [], name: () => text }, say)],
    ['batch, none', batchModal({ approvable: [], leftOut, name: () => text }, say)],
    ['batch, nothing ticked', nothingTickedModal(say)],
    ['batch, failed', batchFailedModal(say)],
    ['batch, loading', batchLoadingModal(say)],
    [
      'batch, done',
      batchResultsModal(
        { approved: keys.map(() => ({ model: undoable, standing: null })), leftOut: [], open: [], name },
        say,
      ),
    ],
    [
      'batch, left out and open',
      batchResultsModal(
        {
          approved: [counts(1, 2), completes(text, text)].map((standing) => ({
            model: { ...model, starter: null },
            standing,
          })),
          leftOut,
          open,
          name,
        },
        say,
      ),
    ],
  ];
}
