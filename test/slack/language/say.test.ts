import { describe, expect, it } from 'vitest';
import { languageOf, sayIn } from '../../../src/slack/language/say.ts';

describe('words', () => {
  it('follow the plurals and numbers of the language', () => {
    const days = (language: 'en' | 'de', count: number) => sayIn(language)('duration.day', { count });
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
