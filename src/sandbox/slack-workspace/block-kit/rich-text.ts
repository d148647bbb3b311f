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
import { refusals } from './surface.ts';

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

const TEXT = inline('text', { text: required(string({ min: 1 })) });
const LINK = inline('link', {
  url: id,
  text: optional(string()),
  unsafe: optional(boolean),
  from_llm: optional(boolean),
  is_slack_url: optional(boolean),
  truncated: optional(boolean),
});

const inlineElement: Rule = oneOfTypes(
  new Map([
    TEXT,
    LINK,
    inline('emoji', { name: id, unicode: optional(string()), url: optional(string()) }),
    inline('user', { user_id: id }),
    inline('usergroup', { usergroup_id: id }),
    inline('channel', { channel_id: id, tab_id: optional(string()), from_llm: optional(boolean) }),
    inline('team', { team_id: id }),
    inline('broadcast', { range: required(string({ of: ['here', 'channel', 'everyone'] })) }),
    inline('color', { value: id }),
    inline('date', {
      timestamp: required(integer()),
      format: required(string({ min: 1 })),
      timezone: optional(string()),
      url: optional(string()),
      fallback: optional(string()),
    }),
    ...refusals('rich text'),
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
    container('rich_text_preformatted', {
      elements: required(list(oneOfTypes(new Map([TEXT, LINK])), {})),
      border,
      language: optional(string()),
    }),
    container('rich_text_list', {
      style: required(string({ of: ['bullet', 'ordered'] })),
      elements: required(list(oneOfTypes(new Map([section])), {})),
      // https://github.com/nicklambourne/slackblocks/blob/main/typescript/CHANGELOG.md, compared with Slack's `blocks.validate`
      indent: optional(integer({ min: 0, max: 8 })),
      offset: optional(integer({ min: 0 })),
      border,
    }),
  ]),
);
