import type { DataTableBlock, TableBlock } from '@slack/types';
import { RichTextView } from './rich-text.tsx';

type Cell = TableBlock['rows'][number][number];

/** The first row is the header. https://docs.slack.dev/reference/block-kit/blocks/table-block */
export function TableView({ block }: { block: TableBlock }) {
  const align = block.column_settings?.map((column) => column?.align ?? 'left') ?? [];
  return <Rows rows={block.rows} align={align} caption="Table" />;
}

export function DataTableView({ block }: { block: DataTableBlock }) {
  return <Rows rows={block.rows} align={[]} caption={block.caption} />;
}

function Rows({ rows, align, caption }: { rows: Cell[][]; align: ('left' | 'center' | 'right')[]; caption: string }) {
  const [head = [], ...body] = rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={caption}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
              <th key={column} style={{ textAlign: align[column] ?? 'left' }}>
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
                <td key={column} style={{ textAlign: align[column] ?? 'left' }}>
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
