import type { Language } from '../../core/language.ts';
import { ALERTS as DE_ALERTS } from './de/alerts.ts';
import { ANSWERS as DE_ANSWERS } from './de/answers.ts';
import { BATCH as DE_BATCH } from './de/batch.ts';
import { CARD as DE_CARD } from './de/card.ts';
import { COMPARE as DE_COMPARE } from './de/compare.ts';
import { DENIALS as DE_DENIALS } from './de/denials.ts';
import { DIGEST as DE_DIGEST } from './de/digest.ts';
import { HOME as DE_HOME } from './de/home.ts';
import { KICKOFF_FORM as DE_KICKOFF_FORM } from './de/kickoff-form.ts';
import { KICKOFF_LINE as DE_KICKOFF_LINE } from './de/kickoff-line.ts';
import { MISSING_CREW as DE_MISSING_CREW } from './de/missing-crew.ts';
import { PAGES as DE_PAGES } from './de/pages.ts';
import { POLICY as DE_POLICY } from './de/policy.ts';
import { READING as DE_READING } from './de/reading.ts';
import { REFUSALS as DE_REFUSALS } from './de/refusals.ts';
import { REPLIES as DE_REPLIES } from './de/replies.ts';
import { REVIEW as DE_REVIEW } from './de/review.ts';
import { REVISE as DE_REVISE } from './de/revise.ts';
import { RIGHTS as DE_RIGHTS } from './de/rights.ts';
import { RUN_PROBLEMS as DE_RUN_PROBLEMS } from './de/run-problems.ts';
import { RUNS as DE_RUNS } from './de/runs.ts';
import { SENDING as DE_SENDING } from './de/sending.ts';
import { SETTINGS as DE_SETTINGS } from './de/settings.ts';
import { SHORTCUTS as DE_SHORTCUTS } from './de/shortcuts.ts';
import { START_TROUBLE as DE_START_TROUBLE } from './de/start-trouble.ts';
import { STARTING as DE_STARTING } from './de/starting.ts';
import { STATS as DE_STATS } from './de/stats.ts';
import { STATUS as DE_STATUS } from './de/status.ts';
import { TOKENS as DE_TOKENS } from './de/tokens.ts';
import { TRACKING as DE_TRACKING } from './de/tracking.ts';
import { UNITS as DE_UNITS } from './de/units.ts';
import { ALERTS } from './en/alerts.ts';
import { ANSWERS } from './en/answers.ts';
import { BATCH } from './en/batch.ts';
import { CARD } from './en/card.ts';
import { COMPARE } from './en/compare.ts';
import { DENIALS } from './en/denials.ts';
import { DIGEST } from './en/digest.ts';
import { HOME } from './en/home.ts';
import { KICKOFF_FORM } from './en/kickoff-form.ts';
import { KICKOFF_LINE } from './en/kickoff-line.ts';
import { MISSING_CREW } from './en/missing-crew.ts';
import { PAGES } from './en/pages.ts';
import { POLICY } from './en/policy.ts';
import { READING } from './en/reading.ts';
import { REFUSALS } from './en/refusals.ts';
import { REPLIES } from './en/replies.ts';
import { REVIEW } from './en/review.ts';
import { REVISE } from './en/revise.ts';
import { RIGHTS } from './en/rights.ts';
import { RUN_PROBLEMS } from './en/run-problems.ts';
import { RUNS } from './en/runs.ts';
import { SENDING } from './en/sending.ts';
import { SETTINGS } from './en/settings.ts';
import { SHORTCUTS } from './en/shortcuts.ts';
import { START_TROUBLE } from './en/start-trouble.ts';
import { STARTING } from './en/starting.ts';
import { STATS } from './en/stats.ts';
import { STATUS } from './en/status.ts';
import { TOKENS } from './en/tokens.ts';
import { TRACKING } from './en/tracking.ts';
import { UNITS } from './en/units.ts';
import type { ValueNames } from './message-values.ts';

/** English is whole: its keys and values are those of every language. */
const ENGLISH = {
  ...ALERTS,
  ...ANSWERS,
  ...BATCH,
  ...CARD,
  ...COMPARE,
  ...DENIALS,
  ...DIGEST,
  ...HOME,
  ...KICKOFF_FORM,
  ...KICKOFF_LINE,
  ...MISSING_CREW,
  ...PAGES,
  ...POLICY,
  ...READING,
  ...REFUSALS,
  ...REPLIES,
  ...REVIEW,
  ...REVISE,
  ...RIGHTS,
  ...RUN_PROBLEMS,
  ...RUNS,
  ...SENDING,
  ...SETTINGS,
  ...SHORTCUTS,
  ...START_TROUBLE,
  ...STARTING,
  ...STATS,
  ...STATUS,
  ...TOKENS,
  ...TRACKING,
  ...UNITS,
};

export type MessageKey = keyof typeof ENGLISH;
/** What a message is made with; foreign text is escaped already where it is used as mrkdwn. */
export type MessageValues<Key extends MessageKey> = Record<ValueNames<(typeof ENGLISH)[Key]>, string | number>;

type Catalogue = Record<MessageKey, string>;

/** Every sentence that people read in Slack, as ICU messages: https://unicode-org.github.io/icu/userguide/format_parse/messages/ */
export const CATALOGUES: Record<Language, Catalogue> = {
  en: ENGLISH,
  de: {
    ...DE_ALERTS,
    ...DE_ANSWERS,
    ...DE_BATCH,
    ...DE_CARD,
    ...DE_COMPARE,
    ...DE_DENIALS,
    ...DE_DIGEST,
    ...DE_HOME,
    ...DE_KICKOFF_FORM,
    ...DE_KICKOFF_LINE,
    ...DE_MISSING_CREW,
    ...DE_PAGES,
    ...DE_POLICY,
    ...DE_READING,
    ...DE_REFUSALS,
    ...DE_REPLIES,
    ...DE_REVIEW,
    ...DE_REVISE,
    ...DE_RIGHTS,
    ...DE_RUN_PROBLEMS,
    ...DE_RUNS,
    ...DE_SENDING,
    ...DE_SETTINGS,
    ...DE_SHORTCUTS,
    ...DE_START_TROUBLE,
    ...DE_STARTING,
    ...DE_STATS,
    ...DE_STATUS,
    ...DE_TOKENS,
    ...DE_TRACKING,
    ...DE_UNITS,
  },
};
