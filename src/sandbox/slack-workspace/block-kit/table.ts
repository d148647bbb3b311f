import { type JsonObject, stringAt } from '../json.ts';
import { richTextElement } from './rich-text.ts';
import {
  BLOCK_KIT_DOCS,
  boolean,
  type Fields,
  identifier,
  integer,
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

/**
 * Rows with the header; `characters` in all data tables of a message.
 * https://github.com/slackapi/slack-skills-plugin/blob/33fe926/skills/block-kit/references/data-display-design.md
 */
export const DATA_TABLE_LIMITS = { rows: 201, columns: 20, characters: 20_000 };

/** https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
export const DATA_TABLE: Fields = {
  caption: text,
  rows: required(list(list(cell, { min: 1, max: DATA_TABLE_LIMITS.columns }), { min: 2, max: DATA_TABLE_LIMITS.rows })),
  page_size: optional(integer({ min: 1, max: 100 })),
  row_header_column_index: optional(integer({ min: 0 })),
};

/** The first row, the header, has no rich text; all rows are as long; the row header is one of the columns. */
export function unevenRows({ rows, row_header_column_index: rowHeader = 0 }: JsonObject): string[] {
  if (!Array.isArray(rows)) return [];
  const [head, ...body] = rows.filter((row) => Array.isArray(row));
  if (head === undefined) return [];
  return [
    ...(head.some((one) => stringAt(one, 'type') === 'rich_text') ? ['the header row must not have rich_text'] : []),
    ...(body.some(({ length }) => length !== head.length) ? ['all rows must have the same number of cells'] : []),
    ...(Number(rowHeader) >= head.length ? ['row_header_column_index must be one of the columns'] : []),
  ];
}
