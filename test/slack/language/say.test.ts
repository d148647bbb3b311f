import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../src/slack/language/say.ts';
import { SAYINGS, sayIn } from '../../support/say.ts';

describe('words', () => {
  it('follow the plurals and numbers of the language', () => {
    const days = (language: 'en' | 'de', count: number) => sayIn(language)('duration.days-in-words', { count });
    expect([days('en', 1), days('en', 2), days('de', 1), days('de', 1_200)]).toEqual([
      ...['1 day', '2 days', '1 Tag', '1.200 Tage'],
    ]);
  });

  it('take what people write as it is', () => {
    const hostile = "{count, plural, one {#}} <b>it's</b> '{'";
    expect(sayIn('en')('duration.about', { duration: hostile })).toBe(`about ${hostile}`);
  });

  it('join lists as the language does', () => {
    expect(sayIn('en').list(['A', 'B', 'C'])).toBe('A, B and C');
    expect(sayIn('de').list(['A', 'B', 'C'])).toBe('A, B und C');
  });

  it('about a crew that is no longer configured are in the language of all others, or in English', () => {
    const crews = (...languages: ('en' | 'de')[]) =>
      new Map(languages.map((language, i) => [`crew ${i}`, { language }]));
    const languages = [crews('de', 'de'), crews('de', 'en'), crews()].map(
      (each) => SAYINGS.ofNamed(each, 'gone').language,
    );
    expect(languages).toEqual(['de', 'en', 'en']);
    expect(SAYINGS.ofNamed(crews('en', 'de'), 'crew 1').language).toBe('de');
  });

  it.each([
    ['de-DE', 'de'],
    ['de', 'de'],
    ['DE-AT', 'de'],
    ['en-US', 'en'],
    ['fr-FR', 'en'],
    ['', 'en'],
    [null, 'en'],
  ] as const)('for the locale %s are in %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language);
  });
});
