// The buttons of an open request, on its card and in each window that shows its text.
import type { ActionsBlock, Button, Confirm, KnownBlock, StaticSelect } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { verdictUnder } from '../../core/policy/outcomes.ts';
import type { Policy } from '../../core/policy/policy.ts';
import { answeredVote, answerFacts } from '../../core/state/answer.ts';
import type { Say } from '../language/say.ts';
import { button, confirm, context, section, spokenAs } from '../ui/blocks.ts';
import { approvalValue, choices, outcomeList, type RequestKey } from '../ui/button-value.ts';
import { BUTTON_LIMIT } from '../ui/limits.ts';
import { cut } from '../ui/text/escape.ts';
import { answerOnCard, fitsCard } from './answer-text.ts';
import type { CardDetails } from './card-details.ts';
import { approveLabel } from './card-state.ts';
import { addApproverEntry } from './who-decides.ts';

interface Choices extends Pick<RequestKey, 'openedAt'>, Pick<CardDetails, 'notes' | 'edits'> {
  /** The buttons at the end of a text repeat those above it, without the warning. */
  place?: 'above' | 'end';
  /** Value that the buttons carry. */
  key: RequestKey;
  /** Rules that may apply. Empty while they aren't known. */
  policies: readonly Policy[];
  /** True if the only reader decides with a lent right, which they can't pass on. */
  isLent?: boolean | undefined;
}

/** Shows the buttons for an open request, below the warning that the crew may be asking again about a decided text. */
export function decisionBlocks(
  model: Pick<CardModel, 'repeatsRound' | 'isConfirmedRepeat' | 'votes' | 'stages' | 'outcomes' | 'fields' | 'isAsk'>,
  { key, openedAt, policies, isLent = false, notes, edits, place = 'above' }: Choices,
  say: Say,
): KnownBlock[] {
  const value = approvalValue(key);
  const { repeatsRound } = model;
  const repeats = model.isConfirmedRepeat ? 'card.same-text' : 'card.repeats';
  const approving = confirmingRepeat(model, 'card.approve-anyway', say);
  const rejecting = confirmingRepeat(model, 'card.reject-anyway', say);
  // A menu asks before each of its entries, or before none.
  const isPlain = model.outcomes === undefined && model.fields === undefined;
  const isOnlyOutcome =
    model.outcomes?.length === 1 && model.outcomes.every((outcome) => isApproval(outcome, policies));
  const takesNote =
    notes === 'offered' && (isPlain || model.outcomes?.some((outcome) => isApproval(outcome, policies)));
  const note = !takesNote ? 'none' : repeatsRound === null || !isPlain ? 'in-menu' : 'button';
  const reject = button('reject', say('card.reject'), { value, ...rejecting });
  const approvingKey = { ...key, openedAt };
  const verdicts = model.fields
    ? [...answerChoices(model, { key: approvingKey, confirm: approving, say }), reject]
    : model.outcomes
      ? [...outcomeChoices(model.outcomes, { key: approvingKey, policies, say }), isOnlyOutcome ? reject : null]
      : [
          button('approve', approveLabel(notes, say), {
            value: approvalValue(approvingKey),
            style: 'primary',
            ...approving,
          }),
          reject,
          edits === 'offered' ? button('edit', say('card.edit'), { value }) : null,
          note === 'button'
            ? button('approve_with_note', say('card.approve-with-note'), { value, ...approving })
            : null,
        ];
  const rows = choices(key, {
    place,
    inRow: [...verdicts, key.inbox && key.inbox.of > 1 ? button('skip', say('review.skip'), { value }) : null],
    inMenu: [
      note === 'in-menu' ? { actionId: 'approve_with_note', label: say('card.approve-with-note') } : null,
      { actionId: 'who_can_decide', label: say('card.who') },
      isLent ? null : addApproverEntry(policies, say),
      model.votes.length > 0 ? { actionId: 'withdraw', label: say('card.withdraw') } : null,
      model.isAsk ? { actionId: 'history', label: say('history.title') } : null,
    ],
  });
  if (place === 'end') return rows.map((row) => spokenAtEnd(row, say));
  // Others have answered, and more people have to confirm it.
  const { answer } = answeredVote(model) ?? {};
  return [
    ...(answer ? [section(say('card.answer-so-far')), ...answerOnCard(answer, model.fields ?? [], say)] : []),
    ...(repeatsRound === null ? [] : [context(`⚠️ ${say(repeats, { round: repeatsRound })}`)]),
    ...rows,
  ];
}

type Answered = Pick<CardModel, 'votes' | 'stages' | 'fields'>;

function answerChoices(
  model: Answered,
  { key, confirm, say }: Pick<Choices, 'key'> & { confirm: { confirm?: Confirm }; say: Say },
): Button[] {
  const value = approvalValue(key);
  const { answer } = answeredVote(model) ?? {};
  if (!answer) return [button('answer', say('card.answer'), { value, style: 'primary' })];
  // Nobody confirms what they can't see. The form shows all of it.
  if (!fitsCard(answer, model.fields ?? []))
    return [button('answer', say('card.confirm-or-change'), { value, style: 'primary' })];
  const confirming = approvalValue({ ...key, confirms: answerFacts(answer).sha256 });
  return [
    button('approve', say('card.confirm-answer'), { value: confirming, style: 'primary', ...confirm }),
    button('answer', say('card.answer-differently'), { value }),
  ];
}

/** Gives the buttons below the text other names for screen readers than the same ones above it. */
function spokenAtEnd(row: ActionsBlock, say: Say): ActionsBlock {
  const elements = row.elements.map((element) =>
    element.type === 'button'
      ? { ...element, ...spokenAs(say('review.at-end', { label: element.text.text })) }
      : element,
  );
  return { ...row, elements };
}

/** Slack has five actions for the buttons of one block. */
const OUTCOME_BUTTONS = ['outcome_1', 'outcome_2', 'outcome_3', 'outcome_4', 'outcome_5'] as const;

/** Shows a button for each outcome, or a list if there are too many. An outcome that rejects asks for feedback first. */
function outcomeChoices(
  outcomes: readonly string[],
  { key, policies, say }: Pick<Choices, 'key' | 'policies'> & { say: Say },
): (Button | StaticSelect)[] {
  const label = (outcome: string) => (isApproval(outcome, policies) ? outcome : `${cut(outcome, BUTTON_LIMIT - 1)}…`);
  if (outcomes.length > OUTCOME_BUTTONS.length)
    return [outcomeList(key, { placeholder: say('card.choose'), outcomes: outcomes.map(label) })];
  return outcomes.flatMap((outcome, choice) => {
    const actionId = OUTCOME_BUTTONS[choice];
    return actionId ? [button(actionId, label(outcome), { value: approvalValue({ ...key, choice }) })] : [];
  });
}

function isApproval(outcome: string, policies: readonly Policy[]): boolean {
  return policies.length === 0 || verdictUnder(outcome, policies) === 'approve';
}

/** Returns the question of a button before it decides a request that may be a repeated notice of a decided one. */
export function confirmingRepeat(
  { repeatsRound, isConfirmedRepeat }: Pick<CardModel, 'repeatsRound' | 'isConfirmedRepeat'>,
  yes: 'card.approve-anyway' | 'card.reject-anyway',
  say: Say,
): { confirm?: Confirm } {
  if (repeatsRound === null) return {};
  return {
    confirm: confirm({
      title: say('card.repeats-title'),
      text: say(isConfirmedRepeat ? 'card.same-text' : 'card.repeats-question', { round: repeatsRound }),
      yes: say(yes),
      no: say('card.go-back'),
    }),
  };
}
