import { EMOJI_CODE, emojiCharacters } from './emoji-characters.ts';
import type { PlainText } from './text-with-emoji.ts';

/** `name` is the shortcode without the colons. Unknown ones remain text, as in a workspace without that emoji. */
export function Emoji({ name }: { name: string }) {
  const characters = emojiCharacters(name);
  if (characters === undefined) return `:${name}:`;
  return (
    <span role="img" aria-label={name.replace(/[_:-]+/g, ' ')} title={`:${name}:`}>
      {characters}
    </span>
  );
}

/** The same as `textWithEmoji`, with a name for each emoji. */
export function TextWithEmoji({ text }: { text: PlainText }) {
  if (text.emoji === false) return text.text;
  const pieces = text.text.split(EMOJI_CODE);
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity
  return pieces.map((piece, index) => (index % 2 === 1 ? <Emoji key={index} name={piece} /> : piece));
}
