import { IntlMessageFormat } from 'intl-messageformat';
import { type Crew, LANGUAGES, type Language } from '../../core/policy/crew.ts';
import { CATALOGUES, type MessageKey, type MessageValues } from './catalogues.ts';

/** Returns a message in one language. Values are inserted as they are: foreign text must already be escaped. */
export interface Say {
  <Key extends MessageKey>(key: Key, ...values: ValuesIfAny<Key>): string;
  language: Language;
  /** The slash command, such as `/kickoff`. Messages use it as `{kickoff}`. */
  kickoff: string;
  /** `A, B and C` */
  list: (items: readonly string[]) => string;
  /** `A, B or C` */
  either: (items: readonly string[]) => string;
}

type ValuesIfAny<Key extends MessageKey> = [keyof MessageValues<Key>] extends [never] ? [] : [MessageValues<Key>];

/** Locales for numbers and lists. */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** The messages of a bot in each language, with the name of its slash command. */
export interface Sayings {
  in(language: Language): Say;
  /** Returns the words for messages that everybody in a channel reads; English for a crew that is no longer configured. */
  of(crew: Pick<Crew, 'language'> | undefined): Say;
  /** Finds the crew by its name. For an unknown crew, takes the language that all crews share, or English. */
  ofNamed(crews: ReadonlyMap<string, Pick<Crew, 'language'>>, name: string): Say;
}

/** @param kickoff the slash command, such as `/kickoff` */
export function createSayings(kickoff: string): Sayings {
  const all: Record<Language, Say> = { en: createSay('en', kickoff), de: createSay('de', kickoff) };
  return {
    in: (language) => all[language],
    of: (crew) => all[crew?.language ?? 'en'],
    ofNamed(crews, name) {
      const crew = crews.get(name);
      if (crew) return all[crew.language];
      const others = new Set(Array.from(crews.values(), ({ language }) => language));
      const [common] = others.size === 1 ? others : [];
      return all[common ?? 'en'];
    },
  };
}

/** Returns the language of one of Slack's locales, such as `de-DE`; English if there is no catalogue. */
export function languageOf(locale: string | null): Language {
  const [code] = (locale ?? '').toLowerCase().split('-');
  return LANGUAGES.find((language) => language === code) ?? 'en';
}

/** Parses each message when it is first needed. */
function createSay(language: Language, kickoff: string): Say {
  const locale = LOCALES[language];
  const parsed = new Map<MessageKey, IntlMessageFormat>();
  const lists = new Map<Intl.ListFormatType, Intl.ListFormat>();
  const say = (key: MessageKey, values?: Record<string, string | number>): string => {
    let message = parsed.get(key);
    // Crews and people write < and >, which must not be taken for tags.
    message ??= new IntlMessageFormat(CATALOGUES[language][key], locale, undefined, { ignoreTag: true });
    parsed.set(key, message);
    return String(message.format({ kickoff, ...values }));
  };
  const listOf = (type: Intl.ListFormatType) => (items: readonly string[]) => {
    const format = lists.get(type) ?? new Intl.ListFormat(locale, { type });
    lists.set(type, format);
    return format.format(items);
  };
  return Object.assign(say, { language, kickoff, list: listOf('conjunction'), either: listOf('disjunction') });
}
