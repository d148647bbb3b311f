import { compact, type Json, type JsonObject } from '../json.ts';
import { emojiCharacters } from '../page/text/emoji.ts';
import { type Inline, type Paragraph, parseMrkdwn, type Token } from '../page/text/parse-mrkdwn.ts';

/**
 * The block that Slack makes of a message that is only text, by a person or by an app, beside the text; undefined if there
 * is nothing to see. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
export function richTextOf(text: string, blockId: string): JsonObject | undefined {
  const elements = parseMrkdwn(text, { verbatim: false }).map(paragraph);
  return elements.length > 0 ? { type: 'rich_text', block_id: blockId, elements } : undefined;
}

const PARAGRAPHS = { lines: 'rich_text_section', pre: 'rich_text_preformatted', quote: 'rich_text_quote' } as const;

function paragraph({ kind, children }: Paragraph): JsonObject {
  return { type: PARAGRAPHS[kind], elements: children.flatMap((child) => inline(child, {})) };
}

type Style = { bold?: true; italic?: true; strike?: true; code?: true };

function inline(piece: Inline, style: Style): Json[] {
  const styled = Object.keys(style).length > 0 ? { style } : {};
  switch (piece.kind) {
    case 'text':
      return [{ type: 'text', text: piece.text, ...styled }];
    case 'emoji':
      return [emoji(piece.name)];
    case 'token':
      return [{ ...token(piece.token), ...styled }];
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return piece.children.flatMap((child) => inline(child, { ...style, [piece.kind]: true }));
  }
}

/** “Name of emoji, without colons or skin tones”: `RichTextEmoji` in `@slack/types`. */
function emoji(name: string): JsonObject {
  const codes = [...(emojiCharacters(name) ?? '')].map((one) => one.codePointAt(0)?.toString(16));
  return { type: 'emoji', name: name.replace(/::.*/, ''), unicode: codes.join('-') };
}

function token(piece: Token): JsonObject {
  switch (piece.kind) {
    case 'user':
      return { type: 'user', user_id: piece.id };
    case 'channel':
      return { type: 'channel', channel_id: piece.id };
    case 'group':
      return { type: 'usergroup', usergroup_id: piece.id };
    case 'broadcast':
      return { type: 'broadcast', range: piece.range };
    case 'date':
      return compact({
        type: 'date',
        timestamp: piece.atMs / 1000,
        format: piece.format,
        url: piece.url,
        fallback: piece.fallback === '' ? undefined : piece.fallback,
      });
    case 'link':
      return { type: 'link', url: piece.url, ...(piece.label !== undefined && { text: piece.label }) };
  }
}
