import iamcal from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

export type PlainText = { text: string; emoji?: boolean };

/** Plain text for options, titles and labels. `emoji: false` leaves shortcodes as they are. */
export function textWithEmoji({ text, emoji }: PlainText): string {
  if (emoji === false) return text;
  return text.replace(new RegExp(EMOJI_CODE, 'g'), (whole, name: string) => emojiCharacters(name) ?? whole);
}

/** Code points in hexadecimal, such as `1F44B`, without variation selectors. */
const NAMES: { [codePoints: string]: string | string[] } = iamcal;

/**
 * Slack's standard emoji: “The list of supported emoji are taken from https://github.com/iamcal/emoji-data.”
 * https://docs.slack.dev/messaging/formatting-message-text#emoji
 */
const CHARACTERS = new Map(
  Object.entries(NAMES).flatMap(([codePoints, names]) =>
    [names].flat().map((name): [string, string] => [name, charactersOf(codePoints)]),
  ),
);

/** A name in colons, with a skin tone or not. */
export const EMOJI_CODE = /:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/;

/** `name` is what stands between the colons, as in `wave::skin-tone-3`. Undefined if there is no such emoji. */
export function emojiCharacters(name: string): string | undefined {
  const [plain = '', toneName] = name.split('::');
  const characters = CHARACTERS.get(plain);
  const tone = toneName === undefined ? undefined : CHARACTERS.get(toneName);
  return characters === undefined || tone === undefined ? characters : withTone(characters, tone);
}

/** Emoji whose names begin with what was typed, then those with it inside. */
export function emojiLike(beginning: string, limit: number): { name: string; characters: string }[] {
  const all = [...CHARACTERS].map(([name, characters]) => ({ name, characters }));
  const first = all.filter(({ name }) => name.startsWith(beginning));
  const others = all.filter(({ name }) => !name.startsWith(beginning) && name.includes(beginning));
  return [...first.sort(byLength), ...others.sort(byLength)].slice(0, limit);
}

function byLength(a: { name: string }, b: { name: string }): number {
  return a.name.length - b.name.length || (a.name < b.name ? -1 : 1);
}

/** Adds the variation selectors without which some would be shown as text. https://unicode.org/reports/tr51/#def_fully_qualified_emoji */
function charactersOf(codePoints: string): string {
  const characters = String.fromCodePoint(...codePoints.split('-').map((one) => Number.parseInt(one, 16)));
  return characters.replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\uFE0F)/gu, '$&\uFE0F');
}

/** Only one person has a skin tone: those of several are named one by one. https://unicode.org/reports/tr51/#multiperson_skintones */
function withTone(characters: string, tone: string): string {
  const people = characters.match(/\p{Emoji_Modifier_Base}/gu) ?? [];
  return people.length === 1 ? characters.replace(/(\p{Emoji_Modifier_Base})\uFE0F?/u, `$1${tone}`) : characters;
}
