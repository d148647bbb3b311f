import { richTextElement } from './rich-text.ts';
import {
  BLOCK_KIT_DOCS,
  boolean,
  type Fields,
  identifier,
  list,
  literal,
  number,
  oneOfTypes,
  optional,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';

const DOCS = `${BLOCK_KIT_DOCS}/blocks/table-block`;

/** `characters`: in all cells of a table, and of a message. https://docs.slack.dev/reference/block-kit/blocks/table-block */
export const TABLE_LIMITS = { rows: 100, columns: 20, characters: 10_000 };

const text = required(string({ min: 1 }));

const cell: Rule = oneOfTypes(
  new Map<string, Rule>([
    ['raw_text', shape({ type: literal('raw_text'), text }, DOCS)],
    ['raw_number', shape({ type: literal('raw_number'), value: required(number), text }, DOCS)],
    [
      'rich_text',
      shape(
        { type: literal('rich_text'), block_id: identifier, elements: required(list(richTextElement, {})) },
        `${BLOCK_KIT_DOCS}/blocks/rich-text-block`,
      ),
    ],
  ]),
);

const column: Rule = shape(
  { align: optional(string({ of: ['left', 'center', 'right'] })), is_wrapped: optional(boolean) },
  DOCS,
);

/** Null skips a column. */
const columnOrNone: Rule = (value, pointer, report) => {
  if (value !== null) column(value, pointer, report);
};

export const TABLE: Fields = {
  rows: required(list(list(cell, { min: 1, max: TABLE_LIMITS.columns }), { min: 1, max: TABLE_LIMITS.rows })),
  column_settings: optional(list(columnOrNone, { max: TABLE_LIMITS.columns })),
};
