import { EMOJI_CODE, emojiCharacters } from './emoji-characters.ts';

export type PlainText = { text: string; emoji?: boolean };

/** Plain text for options, titles and labels. `emoji: false` leaves shortcodes as they are. */
export function textWithEmoji({ text, emoji }: PlainText): string {
  if (emoji === false) return text;
  return text.replace(new RegExp(EMOJI_CODE, 'g'), (whole, name: string) => emojiCharacters(name) ?? whole);
}
