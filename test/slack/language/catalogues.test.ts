import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/core/policy/crew.ts';
import { CATALOGUES } from '../../../src/slack/language/catalogues.ts';

const parsed = (message: string) => parse(message, { ignoreTag: true });

/** The values that a message takes, and which of them are shares of a whole: 0.5 for 50 %. */
function valuesIn(elements: MessageFormatElement[]): string[] {
  return elements.flatMap(valuesOf);
}

function valuesOf(element: MessageFormatElement): string[] {
  switch (element.type) {
    case TYPE.literal:
    case TYPE.pound:
    case TYPE.tag:
      return [];
    case TYPE.plural:
    case TYPE.select:
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => valuesIn(value))];
    case TYPE.number:
      return [element.style === 'percent' ? `${element.value}, percent` : element.value];
    case TYPE.argument:
    case TYPE.date:
    case TYPE.time:
      return [element.value];
  }
}

function pluralsIn(elements: MessageFormatElement[]): string[][] {
  return elements.flatMap((element) => (element.type === TYPE.plural ? [Object.keys(element.options)] : []));
}

const values = (message: string) => [...new Set(valuesIn(parsed(message)))].sort();

const english = Object.entries(CATALOGUES.en);

describe.each(LANGUAGES)('the catalogue %s', (language) => {
  const messages: Record<string, string> = CATALOGUES[language];

  it('has every message, and none that English lacks', () => {
    expect(Object.keys(messages).sort()).toEqual(english.map(([key]) => key).sort());
  });

  it('takes the same values as English', () => {
    const taken = ([key, message]: readonly [string, string]) => [key, ...values(message)];
    expect(english.map(([key]) => taken([key, messages[key] ?? '']))).toEqual(english.map(taken));
  });

  it('has the plural forms of the language', () => {
    const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    for (const [key, message] of Object.entries(messages))
      for (const forms of pluralsIn(parsed(message)))
        expect([key, ...forms.filter((form) => !form.startsWith('=')).sort()]).toEqual([key, ...wanted]);
  });

  it('leaves to the operator what the slash command is called', () => {
    expect(Object.entries(messages).filter(([, message]) => message.includes('/kickoff'))).toEqual([]);
  });

  it('has no straight apostrophe, which ICU may take for a quote', () => {
    expect(Object.entries(messages).filter(([, message]) => message.includes("'"))).toEqual([]);
  });
});
