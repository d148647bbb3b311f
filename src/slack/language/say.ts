import { IntlMessageFormat } from 'intl-messageformat';
import { type Crew, LANGUAGES, type Language } from '../../core/policy/crew.ts';
import { CATALOGUES, type MessageKey, type MessageValues } from './catalogues.ts';

/** Words what people read, in one language. Values are put in as they are: what is foreign is escaped before. */
export interface Say {
  <Key extends MessageKey>(key: Key, ...values: ValuesIfAny<Key>): string;
  language: Language;
  /** What people type to start a crew, such as `/kickoff`. Messages have it as `{kickoff}`. */
  kickoff: string;
  /** `A, B and C` */
  list: (items: readonly string[]) => string;
  /** `A, B or C` */
  either: (items: readonly string[]) => string;
}

type ValuesIfAny<Key extends MessageKey> = [keyof MessageValues<Key>] extends [never] ? [] : [MessageValues<Key>];

/** How numbers and lists are written. */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** How a bot words what people read, whatever its slash command is called. */
export interface Sayings {
  in(language: Language): Say;
  /** For messages that everybody reads in a channel; English for a crew that is no longer configured. */
  of(crew: Pick<Crew, 'language'> | undefined): Say;
  /** The same by the crew's name: of one that isn't configured, it is the language of all others, if they have one in common. */
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

/** The language that is meant by a locale of Slack, such as `de-DE`; English for those that there is no catalogue of. */
export function languageOf(locale: string | null): Language {
  const [code] = (locale ?? '').toLowerCase().split('-');
  return LANGUAGES.find((language) => language === code) ?? 'en';
}

/** Messages are parsed when they are first needed. */
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
