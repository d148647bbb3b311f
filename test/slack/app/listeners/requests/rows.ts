import type { Json } from '../../../../../src/core/values/json.ts';
import { batchValue } from '../../../../../src/slack/features/home/selection.ts';
import { listPage } from '../../../../../src/slack/features/home/state.ts';
import type { CommandLine } from '../../../../../src/slack/features/kickoff/command-line.ts';
import type { ActionId, ShortcutId, SubmittedModal } from '../../../../../src/slack/ui/action-ids.ts';
import { approvalValue } from '../../../../../src/slack/ui/button-value.ts';
import { compareValue } from '../../../../../src/slack/ui/comparison/button.ts';
import { pending } from '../../../../support/requests.ts';
import { APPROVER, CHANNEL, GUARDED, KICKER, VOTER } from './cast.ts';
import type { RunKind } from './runs.ts';

/** What a button or modal of a run carries. */
export interface Keys {
  ref: string;
  /** The hash of a stored text. */
  hash: string;
}

/** By whom, and for which run, it is meant: then it isn't refused. */
interface Meant {
  by: string;
  on: RunKind;
}

export interface ClickRow extends Meant {
  value: (keys: Keys) => string;
  /** What the modal carries that was clicked; a message was clicked without it. */
  metadata?: (keys: Keys) => string;
}

export interface SubmissionRow extends Meant {
  metadata: (keys: Keys) => string;
  values: Json;
  /** Slack itself closes it. */
  effect?: 'none';
}

export interface ShortcutRow extends Meant {
  /** What the message says that it is used on; null for a shortcut that is used anywhere. */
  message: string | null;
}

export interface CommandRow extends Meant {
  text: string;
}

const keyOf = ({ ref }: Keys) => ({ ref, approvalId: '1', hash: pending().question.output.hash });
const approval = (keys: Keys) => approvalValue(keyOf(keys));
const outcome = (place: number) => (keys: Keys) => approvalValue({ ...keyOf(keys), choice: place });
const reviewed = (keys: Keys) => approvalValue({ ...keyOf(keys), isRead: true });
const reviewedPage = (keys: Keys) => JSON.stringify({ ...JSON.parse(reviewed(keys)), page: 0 });
const batch = (keys: Keys) => batchValue([keyOf(keys)]);
const refAlone = ({ ref }: Keys) => ref;
/** As older versions left it behind. */
const text = ({ ref, hash }: Keys) => JSON.stringify({ ref, hash, title: 'Draft', rest: 'attached' });
const onTheWay = (keys: Keys) =>
  approvalValue({ ...keyOf(keys), isRead: true, inbox: { place: 1, of: 2, skipped: 0, seen: [] } });
const page = (keys: Keys) => JSON.stringify({ ...JSON.parse(text(keys)), page: 0 });
const compared = ({ ref, hash }: Keys) => compareValue({ ref, before: hash, after: hash, title: 'Draft', round: 2 });
const story = ({ ref }: Keys) => JSON.stringify({ ref, seenIn: CHANNEL });
const storyPage = ({ ref }: Keys) => JSON.stringify({ ref, page: 0 });
const form = () => JSON.stringify({ crew: GUARDED.name, channel: CHANNEL, attempt: 0 });
const choice = () => JSON.stringify({ crew: GUARDED.name, preset: CHANNEL, presetBy: 'person', messageLength: null });
const typed = (block: string, value: string) => ({ [block]: { any: { type: 'plain_text_input', value } } });

/** A new button doesn't compile without its row. */
export const CLICK_ROWS: Record<ActionId, ClickRow> = {
  answer: { value: approval, by: APPROVER, on: 'answering' },
  approve: { value: approval, by: APPROVER, on: 'voted' },
  approve_selected: { value: () => 'selected', by: KICKER, on: 'running' },
  approve_with_note: { value: approval, by: APPROVER, on: 'voted' },
  ask_again: { value: form, metadata: form, by: KICKER, on: 'running' },
  ask_approvers: { value: approval, by: KICKER, on: 'voted' },
  choose_crew: { value: () => GUARDED.name, metadata: choice, by: KICKER, on: 'running' },
  clear_selection: { value: () => 'home', by: KICKER, on: 'running' },
  compare: { value: compared, by: KICKER, on: 'running' },
  compare_next: { value: compared, metadata: compared, by: KICKER, on: 'running' },
  compare_previous: { value: compared, metadata: compared, by: KICKER, on: 'running' },
  connect_token: { value: () => GUARDED.name, by: KICKER, on: 'running' },
  copy_reference: { value: refAlone, by: KICKER, on: 'running' },
  decline: { value: approval, by: APPROVER, on: 'voted' },
  edit: { value: approval, by: APPROVER, on: 'voted' },
  fill_in: { value: refAlone, by: KICKER, on: 'running' },
  hand_over: { value: approval, by: APPROVER, on: 'voted' },
  history: { value: refAlone, by: KICKER, on: 'running' },
  history_next: { value: storyPage, metadata: story, by: KICKER, on: 'voted' },
  history_previous: { value: storyPage, metadata: story, by: KICKER, on: 'voted' },
  home_back: { value: () => 'home', by: KICKER, on: 'running' },
  home_settings: { value: () => 'home', by: KICKER, on: 'running' },
  home_channel: { value: () => CHANNEL, by: KICKER, on: 'running' },
  home_clear: { value: () => 'home', by: KICKER, on: 'running' },
  home_crew: { value: () => GUARDED.name, by: KICKER, on: 'running' },
  home_next: { value: () => listPage.write({ list: 'waiting', page: 1 }), by: KICKER, on: 'running' },
  home_previous: { value: () => listPage.write({ list: 'waiting', page: 0 }), by: KICKER, on: 'running' },
  home_search: { value: () => 'home', by: KICKER, on: 'running' },
  outcome: { value: outcome(5), by: APPROVER, on: 'offering' },
  outcome_1: { value: outcome(0), by: APPROVER, on: 'offering' },
  outcome_2: { value: outcome(1), by: APPROVER, on: 'offering' },
  outcome_3: { value: outcome(2), by: APPROVER, on: 'offering' },
  outcome_4: { value: outcome(3), by: APPROVER, on: 'offering' },
  outcome_5: { value: outcome(4), by: APPROVER, on: 'offering' },
  pick_crew: { value: () => GUARDED.name, metadata: form, by: KICKER, on: 'running' },
  pick_text: { value: () => 'gone', metadata: approval, by: APPROVER, on: 'voted' },
  read_all: { value: text, by: KICKER, on: 'running' },
  read_heading: { value: () => '0:0', metadata: text, by: KICKER, on: 'running' },
  read_next: { value: page, metadata: text, by: KICKER, on: 'running' },
  read_previous: { value: page, metadata: text, by: KICKER, on: 'running' },
  reject: { value: approval, by: APPROVER, on: 'voted' },
  reveal: { value: reviewedPage, by: APPROVER, on: 'voted' },
  review: { value: reviewed, by: KICKER, on: 'voted' },
  review_heading: { value: () => '0:0', metadata: reviewed, by: KICKER, on: 'voted' },
  review_next: { value: reviewedPage, metadata: reviewed, by: KICKER, on: 'voted' },
  review_previous: { value: reviewedPage, metadata: reviewed, by: KICKER, on: 'voted' },
  run_again: { value: refAlone, by: KICKER, on: 'running' },
  select_page: { value: () => 'home', by: KICKER, on: 'running' },
  send_again: { value: approval, by: APPROVER, on: 'failed' },
  show_activity: { value: refAlone, by: KICKER, on: 'running' },
  skip: { value: onTheWay, metadata: onTheWay, by: KICKER, on: 'voted' },
  start_crew: { value: () => 'any', by: KICKER, on: 'running' },
  stop_following: { value: refAlone, by: APPROVER, on: 'running' },
  tick: { value: () => 'tick', by: KICKER, on: 'running' },
  track_again: { value: refAlone, by: APPROVER, on: 'running' },
  try_again: { value: refAlone, by: KICKER, on: 'running' },
  undo: { value: approval, by: APPROVER, on: 'undoable' },
  who_can_decide: { value: approval, by: KICKER, on: 'voted' },
  withdraw: { value: approval, by: VOTER, on: 'voted' },
};

/** A new modal that can be submitted doesn't compile without its row. */
export const SUBMISSION_ROWS: Record<SubmittedModal, SubmissionRow> = {
  approve_batch: { metadata: batch, values: {}, by: APPROVER, on: 'voted' },
  approve_soon: { metadata: approval, values: {}, by: APPROVER, on: 'voted' },
  choose_approver: {
    metadata: approval,
    values: { approver: { any: { type: 'users_select', selected_user: 'UCOLLEAGU' } } },
    ...{ by: APPROVER, on: 'voted' },
  },
  choose_section: {
    metadata: approval,
    values: { section: { any: { type: 'static_select', selected_option: { value: '0:1' } } } },
    ...{ by: APPROVER, on: 'voted' },
  },
  choose_start: {
    metadata: choice,
    values: { 'channel:': { any: { type: 'conversations_select', selected_conversation: CHANNEL } } },
    ...{ by: KICKER, on: 'running' },
  },
  give_answer: { metadata: approval, values: typed('input:text:env', 'production'), by: APPROVER, on: 'answering' },
  connect_token: {
    metadata: () => JSON.stringify({ crew: GUARDED.name, channel: CHANNEL }),
    values: typed('token', 'a-token-of-ones-own'),
    ...{ by: KICKER, on: 'running' },
  },
  edit_text: {
    metadata: (keys) => JSON.stringify({ ...keyOf(keys), start: 0, end: 1 }),
    ...{ values: typed('text', 'Another text.'), by: APPROVER, on: 'voted' },
  },
  send_edits: {
    metadata: (keys) => JSON.stringify({ ...keyOf(keys), edited: { hash: keyOf(keys).hash, length: 1 } }),
    values: { way: { any: { type: 'radio_buttons', selected_option: { value: 'approve' } } } },
    ...{ by: APPROVER, on: 'voted' },
  },
  give_feedback: { metadata: approval, values: typed('feedback', 'Shorter.'), by: APPROVER, on: 'voted' },
  give_reason: { metadata: approval, values: typed('feedback', 'Wrong product.'), by: APPROVER, on: 'voted' },
  home_settings: { metadata: () => '', values: {}, by: KICKER, on: 'running' },
  kickoff: { metadata: form, values: typed('input:text:topic', 'tea'), by: KICKER, on: 'running' },
  reference: { metadata: () => '', values: typed('ref', 'r1'), by: KICKER, on: 'running', effect: 'none' },
  search_home: { metadata: () => '{}', values: typed('words', 'tea'), by: KICKER, on: 'running' },
  send_note: {
    metadata: (keys) => JSON.stringify({ ...keyOf(keys), note: 'Good.' }),
    ...{ values: {}, by: APPROVER, on: 'voted' },
  },
  stop_following: { metadata: refAlone, values: {}, by: APPROVER, on: 'running' },
  write_note: { metadata: approval, values: typed('note', 'Good.'), by: APPROVER, on: 'voted' },
};

/** A new shortcut doesn't compile without its row. */
export const SHORTCUT_ROWS: Record<ShortcutId, ShortcutRow> = {
  start_crew: { on: 'running', by: KICKER, message: null },
  start_crew_with_message: { on: 'running', by: KICKER, message: 'About tea.' },
  use_as_feedback: { on: 'voted', by: APPROVER, message: 'Shorter.' },
};

/** A new word of `/kickoff` doesn't compile without its row. */
export const COMMAND_ROWS: Record<CommandLine['kind'], CommandRow> = {
  connect: { text: `connect ${GUARDED.name}`, by: KICKER, on: 'running' },
  disconnect: { text: `disconnect ${GUARDED.name}`, by: KICKER, on: 'running' },
  form: { text: '', by: KICKER, on: 'running' },
  help: { text: 'help', by: KICKER, on: 'running' },
  start: { text: `${GUARDED.name} topic=tea`, by: KICKER, on: 'running' },
  stats: { text: 'stats', by: KICKER, on: 'running' },
  status: { text: 'status', by: KICKER, on: 'running' },
  who: { text: 'who', by: KICKER, on: 'running' },
};
