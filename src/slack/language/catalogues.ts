import type { Language } from '../../core/language.ts';
import { ALERTS as DE_ALERTS } from './de/alerts.ts';
import { ANSWERS as DE_ANSWERS } from './de/answers.ts';
import { COMPARE as DE_COMPARE } from './de/compare.ts';
import { PAGES as DE_PAGES } from './de/pages.ts';
import { REVISE as DE_REVISE } from './de/revise.ts';
import { UNITS as DE_UNITS } from './de/units.ts';
import { ALERTS } from './en/alerts.ts';
import { ANSWERS } from './en/answers.ts';
import { COMPARE } from './en/compare.ts';
import { PAGES } from './en/pages.ts';
import { REVISE } from './en/revise.ts';
import { UNITS } from './en/units.ts';
import type { ValueNames } from './message-values.ts';

/** English is whole: its keys and values are those of every language. */
const ENGLISH = { ...UNITS, ...ANSWERS, ...ALERTS, ...PAGES, ...COMPARE, ...REVISE };

export type MessageKey = keyof typeof ENGLISH;
/** What a message is made with; foreign text is escaped already where it is used as mrkdwn. */
export type MessageValues<Key extends MessageKey> = Record<ValueNames<(typeof ENGLISH)[Key]>, string | number>;

type Catalogue = Record<MessageKey, string>;

/** Every sentence that people read in Slack, as ICU messages: https://unicode-org.github.io/icu/userguide/format_parse/messages/ */
export const CATALOGUES: Record<Language, Catalogue> = {
  en: ENGLISH,
  de: { ...DE_UNITS, ...DE_ANSWERS, ...DE_ALERTS, ...DE_PAGES, ...DE_COMPARE, ...DE_REVISE },
};
