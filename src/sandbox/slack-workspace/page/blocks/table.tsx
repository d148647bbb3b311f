import type { DataTableBlock, TableBlock } from '@slack/types';
import { type CSSProperties, useState } from 'react';
import { Icon } from '../shell/icon.tsx';
import { TableScroll } from './group.tsx';
import { RichTextView } from './rich-text.tsx';

type Cell = TableBlock['rows'][number][number];

/** The first row is the header. https://docs.slack.dev/reference/block-kit/blocks/table-block */
export function TableView({ block }: { block: TableBlock }) {
  const [head = [], ...body] = block.rows;
  const width = Math.max(...block.rows.map((row) => row.length));
  // Columns are neither wrapped nor aligned unless their settings say so; null skips one.
  const columns = Array.from({ length: width }, (_, index): CSSProperties => {
    const { align = 'left', is_wrapped = false } = block.column_settings?.[index] ?? {};
    return { textAlign: align, whiteSpace: is_wrapped ? 'normal' : 'nowrap' };
  });
  return (
    <TableScroll label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
              <th key={column} style={columns[column]}>
                <CellView cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
                <td key={column} style={columns[column]}>
                  <CellView cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

type DataCell = DataTableBlock['rows'][number][number];
type Order = { column: number; direction: 'ascending' | 'descending' };

/** Pages have five rows unless the block says otherwise. */
const PAGE_SIZE = 5;

/** Sorts by any column, and shows a page at a time. https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
export function DataTableView({ block }: { block: DataTableBlock }) {
  const { caption, page_size: size = PAGE_SIZE, row_header_column_index: rowHeader = 0 } = block;
  const [head = [], ...body] = block.rows;
  const [order, setOrder] = useState<Order>();
  const [page, setPage] = useState(0);
  const rows = order ? body.toSorted((a, b) => compare(a, b, order)) : body;
  const last = Math.max(0, Math.ceil(rows.length / size) - 1);
  const at = Math.min(page, last);
  const sortBy = (column: number) => {
    const isTurned = order?.column === column && order.direction === 'ascending';
    setOrder({ column, direction: isTurned ? 'descending' : 'ascending' });
    setPage(0);
  };
  return (
    <div className="data-table">
      <TableScroll label={caption}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
                  key={column}
                  scope="col"
                  aria-sort={order?.column === column ? order.direction : 'none'}
                >
                  <button type="button" className="sort-button" onClick={() => sortBy(column)}>
                    {sortText(cell)}
                    <Icon name="chevron" />
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(at * size, (at + 1) * size).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
              <tr key={index}>
                {row.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
                  <DataCellView key={column} cell={cell} isHeader={column === rowHeader} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {last > 0 && (
        <p className="data-table-pages">
          <span role="status">
            {at * size + 1}–{Math.min(rows.length, (at + 1) * size)} of {rows.length}
          </span>
          <PageButton label="Previous page" isUsable={at > 0} turn={() => setPage(at - 1)} />
          <PageButton label="Next page" isUsable={at < last} turn={() => setPage(at + 1)} />
        </p>
      )}
    </div>
  );
}

function DataCellView({ cell, isHeader }: { cell: DataCell; isHeader: boolean }) {
  if (isHeader)
    return (
      <th scope="row">
        <CellView cell={cell} />
      </th>
    );
  return (
    <td className={cell.type === 'raw_number' ? 'number' : undefined}>
      <CellView cell={cell} />
    </td>
  );
}

/** Not disabled, which would drop the focus. */
function PageButton({ label, isUsable, turn }: { label: string; isUsable: boolean; turn(): void }) {
  return (
    <button
      type="button"
      className="button button-icon page-button"
      aria-label={label}
      aria-disabled={!isUsable}
      onClick={() => isUsable && turn()}
    >
      <Icon name="chevron" />
    </button>
  );
}

function CellView({ cell }: { cell: Cell | DataCell }) {
  return cell.type === 'rich_text' ? <RichTextView block={cell} /> : cell.text;
}

function compare(a: DataCell[], b: DataCell[], { column, direction }: Order): number {
  const [one, other] = direction === 'ascending' ? [a[column], b[column]] : [b[column], a[column]];
  if (one?.type === 'raw_number' && other?.type === 'raw_number') return one.value - other.value;
  return sortText(one).localeCompare(sortText(other), undefined, { numeric: true });
}

function sortText(cell: DataCell | undefined): string {
  if (cell === undefined) return '';
  return cell.type === 'rich_text'
    ? JSON.stringify(cell.elements).replace(/.*?"text":"((?:\\.|[^"\\])*)"/g, '$1')
    : cell.text;
}
