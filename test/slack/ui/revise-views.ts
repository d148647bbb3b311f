import type { ModalView } from '@slack/types';
import { messageDraft } from '../../../src/slack/features/card/feedback.ts';
import { handOverModal } from '../../../src/slack/features/card/hand-over.ts';
import { editChoiceModal, editModal, sectionModal } from '../../../src/slack/features/edit/modals.ts';
import { editableText, sectionsOf } from '../../../src/slack/request/edits/sections.ts';
import { addTextOption, declineModal, feedbackModal } from '../../../src/slack/request/feedback-modal.ts';
import {
  approveSoonModal,
  noteModal,
  notePreviewModal,
  readNote,
  signInModal,
} from '../../../src/slack/request/note-modals.ts';
import { lateFeedbackModal } from '../../../src/slack/request/refusal.ts';
import { keyOf } from '../../../src/slack/ui/button-value.ts';
import { compareTexts } from '../../../src/slack/ui/comparison/compare-texts.ts';
import { READABLE_LENGTH, TYPED_TEXT_LIMIT } from '../../../src/slack/ui/limits.ts';
import { nextStepButtons } from '../../../src/slack/ui/modal.ts';
import { field } from '../../support/requests.ts';
import { enoughOf } from './hostile.ts';
import { card, say } from './models.ts';

/** Whatever asks for words about a request, with the given text wherever foreign text goes. */
export function reviseModals(text: string): [string, ModalView][] {
  return [...feedbackForms(text), ...editForms(text), ...others(text)];
}

function feedbackForms(text: string): [string, ModalView][] {
  const model = card({ crew: text, taskName: text, about: text });
  const templates = Array.from({ length: 120 }, (_, i) => ({ name: `${i} ${text.slice(0, 70)}`, text }));
  const first = { value: 'first', name: `0 ${text.slice(0, 70)}`, text: text.slice(0, TYPED_TEXT_LIMIT) };
  const drafts = [
    addTextOption('', first, say),
    addTextOption('x'.repeat(TYPED_TEXT_LIMIT), first, say),
    addTextOption(text.slice(0, TYPED_TEXT_LIMIT), undefined, say),
    messageDraft({ text, open: 2, model }, say),
  ];
  const empty = { model, comment: 'none', onDecline: 'reject', templates: [], recent: [] } as const;
  const full = {
    model,
    comment: 'optional' as const,
    templates,
    onDecline: 'close' as const,
    recent: ['1', '2', '3'].map((each) => `${each}${enoughOf(text)}`),
  };
  return [
    ['rejection without feedback', feedbackModal(empty, say)],
    ['feedback', feedbackModal({ ...empty, comment: 'required' }, say)],
    ['decline', declineModal(full, say)],
    ['feedback, with all that it can offer', feedbackModal(full, say)],
    ...drafts.map((draft, i): [string, ModalView] => [
      `feedback, text ${i}`,
      feedbackModal({ ...full, templates: templates.slice(0, 100) }, say, { ...draft, edition: i + 1 }),
    ]),
  ];
}

function editForms(text: string): [string, ModalView][] {
  const model = card({ crew: text, taskName: text });
  const edited = editableText(text.slice(0, READABLE_LENGTH));
  const sections = sectionsOf(edited);
  const [first = { start: 0, end: 1, heading: edited.slice(0, 5_000), part: null }] = sections;
  const comparison = compareTexts('a text', text.slice(0, READABLE_LENGTH));
  const choice = { crew: text, edited: model.output, comparison, needsOthers: false };
  return [
    ['edit', editModal(model, { text: edited || ' ', span: first, close: 'back' }, say)],
    ['sections', sectionModal(keyOf(model), sections.length > 1 ? sections : [first], say)],
    ['edits', editChoiceModal(keyOf(model), { ...choice, ways: ['approve', 'reject'] }, say)],
    [
      'edits that others approve',
      editChoiceModal(keyOf(model), { ...choice, ways: ['approve'], needsOthers: true }, say),
    ],
  ];
}

function others(text: string): [string, ModalView][] {
  const model = card({ crew: text, taskName: text });
  const note = readNote({ note: { any: { type: 'plain_text_input', value: text } } });
  const preview = { ...keyOf(model), crew: text, note };
  const more = nextStepButtons({ kind: 'ask', ref: model.ref, approvalId: model.approvalId }, say);
  return [
    ['note', noteModal(model, { sending: 'as-typed', typed: text }, say)],
    ['note with those of others', noteModal(model, { sending: 'with-others' }, say)],
    ['note preview', notePreviewModal({ ...preview, text: note, needed: 0, soonMs: null }, say)],
    [
      'note preview, of many and soon',
      notePreviewModal(
        { ...preview, text: `Maria (U0MARIA):\n> ${note}\n\n`.repeat(50), needed: 3, soonMs: 4_000 },
        say,
      ),
    ],
    [
      'sign in to answer',
      signInModal(
        { ...model, fields: [field('why', { label: text.slice(0, 75) })] },
        { id: 'link', url: 'https://bot.example.com/step-up/x', isNoted: false, answer: { why: text.slice(0, 3_000) } },
        say,
      ),
    ],
    [
      'sign in',
      signInModal(
        model,
        { id: 'link', url: 'https://bot.example.com/step-up/x', isNoted: false, answer: undefined },
        say,
      ),
    ],
    [
      'sign in',
      signInModal(
        model,
        { id: 'link', url: 'https://bot.example.com/step-up/x', isNoted: true, answer: undefined },
        say,
      ),
    ],
    ['approve soon', approveSoonModal(keyOf(model), { kind: 'just-asked', afterMs: 14_000 }, say)],
    ['approve, just opened', approveSoonModal(keyOf(model), { kind: 'just-opened' }, say)],
    ['hand over', handOverModal(model, say)],
    ['hand over, unnamed', handOverModal({ ...model, taskName: null }, say)],
    ['late feedback', lateFeedbackModal('Too late.', { typed: text.slice(0, TYPED_TEXT_LIMIT), more }, say)],
  ];
}
