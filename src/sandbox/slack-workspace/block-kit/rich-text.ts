import {
  BLOCK_KIT_DOCS,
  boolean,
  type Fields,
  integer,
  list,
  literal,
  oneOfTypes,
  optional,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';

const DOCS = `${BLOCK_KIT_DOCS}/blocks/rich-text-block`;

const style = optional(
  shape(
    Object.fromEntries(
      ['bold', 'italic', 'strike', 'underline', 'code', 'highlight', 'client_highlight', 'unlink'].map((name) => [
        name,
        optional(boolean),
      ]),
    ),
    DOCS,
  ),
);

const inline = (type: string, fields: Fields): [string, Rule] => [
  type,
  shape({ type: literal(type), style, ...fields }, DOCS),
];
const id = required(string({ min: 1 }));

const inlineElement: Rule = oneOfTypes(
  new Map([
    inline('text', { text: required(string({ min: 1 })) }),
    inline('link', { url: required(string({ min: 1 })), text: optional(string()), unsafe: optional(boolean) }),
    inline('emoji', { name: id, unicode: optional(string()), url: optional(string()) }),
    inline('user', { user_id: id }),
    inline('usergroup', { usergroup_id: id }),
    inline('channel', { channel_id: id }),
    inline('team', { team_id: id }),
    inline('broadcast', { range: required(string({ of: ['here', 'channel', 'everyone'] })) }),
    inline('color', { value: id }),
    inline('date', {
      timestamp: required(integer()),
      format: required(string({ min: 1 })),
      url: optional(string()),
      fallback: optional(string()),
    }),
  ]),
);

const border = optional(integer({ min: 0, max: 1 }));
const elements = required(list(inlineElement, {}));
const container = (type: string, fields: Fields): [string, Rule] => [
  type,
  shape({ type: literal(type), ...fields }, DOCS),
];
const section = container('rich_text_section', { elements });

/** One of the four containers of a rich text block. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export const richTextElement: Rule = oneOfTypes(
  new Map([
    section,
    container('rich_text_quote', { elements, border }),
    container('rich_text_preformatted', { elements, border, language: optional(string()) }),
    container('rich_text_list', {
      style: required(string({ of: ['bullet', 'ordered'] })),
      elements: required(list(oneOfTypes(new Map([section])), {})),
      indent: optional(integer({ min: 0 })),
      offset: optional(integer({ min: 0 })),
      border,
    }),
  ]),
);
