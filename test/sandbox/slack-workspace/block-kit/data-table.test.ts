import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { modal, problemsOf } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const cell = (text: string): JsonObject => ({ type: 'raw_text', text });
const row = (cells: number, text = 'x') => Array.from({ length: cells }, () => cell(text));
const rows = (count: number, cells = 2) => Array.from({ length: count }, () => row(cells));
const table = (held: JsonObject[][], more: JsonObject = {}): JsonObject => ({
  type: 'data_table',
  caption: 'Open incidents',
  rows: held,
  ...more,
});

// https://docs.slack.dev/reference/block-kit/blocks/data-table-block, https://docs.rs/slack-morphism/2.30.0/slack_morphism/blocks/struct.SlackDataTableBlock.html
describe('a data table', () => {
  it('has a header and up to 200 rows of 20 cells, in messages and Home', () => {
    const more = { page_size: 100, row_header_column_index: 19 };
    expect(problemsOf([table(rows(201, 20), more)])).toEqual([]);
    const number = { type: 'raw_number', value: 1, text: '1' };
    expect(problemsOf({ type: 'home', blocks: [table([row(1), [number]])] })).toEqual([]);
    expect(problemsOf(modal([table(rows(2))]))).toEqual(['unsupported type: data_table /view/blocks/0/type']);
  });

  const rich = { type: 'rich_text', elements: [] };
  it.each<[string, JsonObject, string]>([
    ['201 rows below the header', table(rows(202)), 'no more than 201 items allowed /blocks/0/rows'],
    ['only a header', table(rows(1)), 'no less than 2 items allowed /blocks/0/rows'],
    ['21 cells in a row', table(rows(2, 21)), 'no more than 20 items allowed /blocks/0/rows/0'],
    ['rows of different length', table([row(2), row(1)]), 'all rows must have the same number of cells /blocks/0'],
    ['rich text in the header', table([[rich], row(1)]), 'the header row must not have rich_text /blocks/0'],
    ['no caption', table(rows(2), { caption: '' }), 'must be more than 0 characters /blocks/0/caption'],
    ['pages of 101 rows', table(rows(2), { page_size: 101 }), 'must be at most 100 /blocks/0/page_size'],
    [
      'a row header beyond the columns',
      table(rows(2), { row_header_column_index: 2 }),
      'row_header_column_index must be one of the columns /blocks/0',
    ],
  ])('is refused with %s', (_, block, says) => {
    expect(problemsOf([block])).toContain(says);
  });

  describe('with much text', () => {
    let playground: Playground;
    beforeAll(async () => {
      playground = await workspaceWithApp({ rateLimits: 'off' });
    });
    afterAll(() => playground.close());

    it('has 20,000 characters together with the others of a message, beyond those of other blocks', async () => {
      const post = async (...blocks: JsonObject[]) =>
        (await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'x', blocks })).body;
      const long = (characters: number) => table([row(1), row(1, 'x'.repeat(characters - 1))]);
      expect(await post(long(10_000), long(10_000))).toMatchObject({ ok: true });
      expect(await post(long(10_000), long(10_001))).toMatchObject({
        error: 'invalid_blocks',
        errors: ['data tables must be less than 20001 characters in total [json-pointer:/blocks]'],
      });
    });
  });
});
