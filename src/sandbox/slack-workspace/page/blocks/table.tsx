import type { DataTableBlock, TableBlock } from '@slack/types';
import { RichTextView } from './rich-text.tsx';

/** Columns are neither wrapped nor aligned unless their settings say so; null skips one. */
type Column = { textAlign: 'left' | 'center' | 'right'; whiteSpace: 'normal' | 'nowrap' };

type Cell = TableBlock['rows'][number][number];

/** The first row is the header. https://docs.slack.dev/reference/block-kit/blocks/table-block */
export function TableView({ block }: { block: TableBlock }) {
  const width = Math.max(...block.rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, index): Column => {
    const { align = 'left', is_wrapped = false } = block.column_settings?.[index] ?? {};
    return { textAlign: align, whiteSpace: is_wrapped ? 'normal' : 'nowrap' };
  });
  return <Rows rows={block.rows} columns={columns} caption="Table" />;
}

export function DataTableView({ block }: { block: DataTableBlock }) {
  return <Rows rows={block.rows} columns={[]} caption={block.caption} />;
}

function Rows({ rows, columns, caption }: { rows: Cell[][]; columns: Column[]; caption: string }) {
  const [head = [], ...body] = rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={caption}>
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
    </section>
  );
}

function CellView({ cell }: { cell: Cell }) {
  return cell.type === 'rich_text' ? <RichTextView block={cell} /> : cell.text;
}
