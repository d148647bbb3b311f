import type { Language } from '../../core/policy/crew.ts';
import { CARD_WORDS, CARD_WORDS_DE } from './words/card.ts';
import { COMMON_WORDS, COMMON_WORDS_DE } from './words/common-words.ts';
import { COMPARE_WORDS, COMPARE_WORDS_DE } from './words/compare.ts';
import { HISTORY_WORDS, HISTORY_WORDS_DE } from './words/history.ts';
import { HOME_WORDS, HOME_WORDS_DE } from './words/home.ts';
import { KICKOFF_WORDS, KICKOFF_WORDS_DE } from './words/kickoff.ts';
import type { ValueNames } from './words/message-values.ts';
import { REVIEW_WORDS, REVIEW_WORDS_DE } from './words/review.ts';
import { REVISE_WORDS, REVISE_WORDS_DE } from './words/revise.ts';
import { RIGHTS_WORDS, RIGHTS_WORDS_DE } from './words/rights.ts';
import { RUN_WORDS, RUN_WORDS_DE } from './words/run.ts';
import { SETTINGS_WORDS, SETTINGS_WORDS_DE } from './words/settings.ts';
import { SIGN_IN_WORDS, SIGN_IN_WORDS_DE } from './words/sign-in.ts';
import { START_WORDS, START_WORDS_DE } from './words/start.ts';
import { TOKENS_WORDS, TOKENS_WORDS_DE } from './words/tokens.ts';
import { WORKFLOW_WORDS, WORKFLOW_WORDS_DE } from './words/workflow.ts';

/** English is complete: its keys and values are those of every language. */
const ENGLISH = {
  ...CARD_WORDS,
  ...RIGHTS_WORDS,
  ...REVISE_WORDS,
  ...SIGN_IN_WORDS,
  ...COMPARE_WORDS,
  ...REVIEW_WORDS,
  ...HOME_WORDS,
  ...SETTINGS_WORDS,
  ...TOKENS_WORDS,
  ...KICKOFF_WORDS,
  ...START_WORDS,
  ...RUN_WORDS,
  ...HISTORY_WORDS,
  ...WORKFLOW_WORDS,
  ...COMMON_WORDS,
};

export type MessageKey = keyof typeof ENGLISH;
/** The values of a message. Foreign text in mrkdwn is already escaped. `{kickoff}`, the name of the slash command, is added by `say`. */
export type MessageValues<Key extends MessageKey> = Record<
  Exclude<ValueNames<(typeof ENGLISH)[Key]>, 'kickoff'>,
  string | number
>;

type Catalogue = Record<MessageKey, string>;

/** All sentences that people read in Slack, as ICU messages: https://unicode-org.github.io/icu/userguide/format_parse/messages/ */
export const CATALOGUES: Record<Language, Catalogue> = {
  en: ENGLISH,
  de: {
    ...CARD_WORDS_DE,
    ...RIGHTS_WORDS_DE,
    ...REVISE_WORDS_DE,
    ...SIGN_IN_WORDS_DE,
    ...COMPARE_WORDS_DE,
    ...REVIEW_WORDS_DE,
    ...HOME_WORDS_DE,
    ...SETTINGS_WORDS_DE,
    ...TOKENS_WORDS_DE,
    ...KICKOFF_WORDS_DE,
    ...START_WORDS_DE,
    ...RUN_WORDS_DE,
    ...HISTORY_WORDS_DE,
    ...WORKFLOW_WORDS_DE,
    ...COMMON_WORDS_DE,
  },
};
