import type { ModalView } from '@slack/types';
import type { CardModel } from '../../../src/core/messages/view-models.ts';
import { outcomeModal, takenBackModal } from '../../../src/slack/approval/outcome-modal.ts';
import type { Change } from '../../../src/slack/compare/change.ts';
import { reviewModal } from '../../../src/slack/review/review-modal.ts';
import { escapedLine } from '../../../src/slack/ui/text/escape.ts';
import { card, deciders, decision, handOver, jon, lastRound, maria, NOW, rejection, say, vote } from './models.ts';

/** Reviews of requests and what comes of them, with the given text wherever foreign text goes. */
export function reviewModals(text: string): [string, ModalView][] {
  const named = escapedLine(text, 80);
  const model = card({
    ...{ crew: text, taskName: text, round: 2, repeatsRound: 1, ledBy: rejection(text.slice(0, 3_000)) },
    ...{ votes: [vote(jon, text)], handedOver: [handOver(jon, maria)], escalatedAt: NOW },
  });
  const change: Change = {
    kind: 'compared',
    summary: { changed: 2, added: 1, removed: 1, sections: { added: [text, text], removed: [text] } },
  };
  const details = { notes: 'offered', deciders: deciders(), name: () => named, starter: named } as const;
  return [
    ...[0, 1, 5].map((page): [string, ModalView] => [
      `review, page ${page}`,
      reviewModal({ ...details, model, output: text, lastRound: lastRound({ change }), page }, say),
    ]),
    ['review, expired', reviewModal({ ...details, model, output: null, page: 0 }, say)],
    ...outcomes({ crew: text, taskName: text }),
  ];
}

function outcomes(names: Pick<CardModel, 'crew' | 'taskName'>): [string, ModalView][] {
  const undoable = { kind: 'undoable', decision: decision(), undoUntil: NOW } as const;
  return [
    [
      'outcome, vote',
      outcomeModal({ model: card({ ...names, votes: [vote(jon)] }), verdict: 'approve', quorum: 3 }, say),
    ],
    [
      'outcome, undoable',
      outcomeModal({ model: card({ ...names, state: undoable }), verdict: 'reject', quorum: 1 }, say),
    ],
    ['outcome, taken back', takenBackModal(card(names), say)],
  ];
}
