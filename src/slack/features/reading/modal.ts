// A whole text in a modal, with the decision that it is read for.

import type { KnownBlock, ModalView } from '@slack/types';
import { cardModel } from '../../../core/messages/view-models.ts';
import { allVotes } from '../../../core/state/approval.ts';
import { findApproval } from '../../../core/state/execution.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { restOf } from '../../request/attached-file.ts';
import { toldText } from '../../request/card-state.ts';
import { button, buttons, context, quote } from '../../ui/blocks.ts';
import {
  approvalValue,
  codec,
  pageNumber,
  type TextKey,
  TITLE_LIMIT,
  textKey,
  textValue,
} from '../../ui/button-value.ts';
import { FEEDBACK_LENGTH } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { hiddenLine } from '../../ui/shown.ts';
import { cut, escapedLine, textProof } from '../../ui/text/escape.ts';
import { textPage } from '../../ui/text-page.ts';

/** One page of a text, counted from 0. */
interface ReadAll {
  key: TextKey;
  /** The whole text; null if it is no longer stored. */
  text: string | null;
  page: number;
  about: AboutText;
  /** Why a text that should be attached isn't; null if it is. */
  unattached?: string | null;
  above?: readonly KnownBlock[];
}

/** A whole text in pages, with its headings, and the decision that it is read for. */
export function readAllModal({ key, text, page, about, unattached = null, above = [] }: ReadAll, say: Say): ModalView {
  const name = escapedLine(key.title, TITLE_LIMIT);
  return modal(say, {
    callbackId: 'reading',
    title: say('reading.title'),
    metadata: textValue(key),
    blocks: [
      ...above,
      ...(text === null
        ? [
            context(`*${name}*`),
            ...feedbackBlocks(about, say),
            context(textProof({ hash: key.hash, goneAt: null }, say)),
          ]
        : pageBlocks({ key, text, page, about, unattached, name }, say)),
    ],
  });
}

function pageBlocks(
  { key, text, page: wanted, about, unattached = null, name }: ReadAll & { text: string; name: string },
  say: Say,
): KnownBlock[] {
  const valueFor = (other: number) => readPage.write({ ...key, title: cut(key.title, TITLE_LIMIT), page: other });
  const rest =
    key.rest === 'attached'
      ? restOf(unattached, say)
      : { kind: 'elsewhere' as const, text: say('reading.left-out', { count: text.length }) };
  const shown = { page: wanted, rest, of: 'read', valueFor } as const;
  const { at, count, blocks } = textPage(text, shown, say);
  const where = count > 1 ? ` · ${say('page.of', { page: at + 1, count })}` : '';
  return [
    context([`*${name}*${where}`, hiddenLine(text, say)].filter((line) => line !== null).join('\n')),
    ...decisionButtons(key, about, say),
    ...(at === 0 ? feedbackBlocks(about, say) : []),
    ...blocks,
  ];
}

/** What the card shows only the beginning of. */
function feedbackBlocks({ feedback }: AboutText, say: Say): KnownBlock[] {
  return feedback === null ? [] : [context(say(`reading.${feedback.kind}`)), quote(feedback.text, FEEDBACK_LENGTH)];
}

/** What can be decided about the text that is read; the handlers are those of the card's buttons. */
function decisionButtons({ ref, hash, approvalId }: TextKey, { isOpen }: AboutText, say: Say): KnownBlock[] {
  if (!isOpen || approvalId === undefined) return [];
  const value = approvalValue({ ref, approvalId, hash, isRead: true });
  return buttons(
    button('approve', say('card.approve'), { value, style: 'primary' }),
    button('reject', say('card.reject'), { value }),
  );
}

export const readPage = codec(textKey.extend({ page: pageNumber }));

/** What the request that asks about a text has come to. */
interface AboutText {
  /** Whether it can be decided beside the text: what may be a repeated notice is decided on its card, which warns. */
  isOpen: boolean;
  /** What the crew gets with the decision, or what asked for the round. */
  feedback: { kind: 'told' | 'asked-for'; text: string } | null;
}

export const NO_REQUEST: AboutText = { isOpen: false, feedback: null };

const RECENT_MS = 1_000;

/** Never throws: the text can be read even if nobody knows more about it. */
export async function findAboutText({ store, log }: ListenerContext, key: TextKey): Promise<AboutText> {
  if (key.approvalId === undefined) return NO_REQUEST;
  try {
    const execution = (await store.load(key.ref, { mostAgeMs: RECENT_MS }))?.execution;
    const approval = execution && findApproval(execution, key.approvalId);
    if (!approval || approval.output.hash !== key.hash) return NO_REQUEST;
    const { state, ledBy } = cardModel(execution, approval);
    const told = 'decision' in state && state.decision ? toldText(state.decision, allVotes(approval)) : null;
    const asked = state.kind === 'pending' ? (ledBy?.feedback ?? null) : null;
    return {
      isOpen: state.kind === 'pending' && approval.repeatsRound === null,
      feedback: told ? { kind: 'told', text: told } : asked ? { kind: 'asked-for', text: asked } : null,
    };
  } catch (error) {
    log.warn({ ref: key.ref, err: error }, 'could not find out what a text is asked about');
    return NO_REQUEST;
  }
}
