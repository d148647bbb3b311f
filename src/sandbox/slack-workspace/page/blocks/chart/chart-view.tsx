import { type ChartTable, chartTable } from '../../../block-kit/chart-table.ts';
import type { JsonObject } from '../../../json.ts';
import { Pie } from './pie.tsx';
import { Plot } from './plot.tsx';

/** A data visualization block: a picture, and its numbers for everybody who can't see it. */
export function ChartView({ block }: { block: JsonObject }) {
  const title = String(block.title);
  const chart = (block.chart ?? {}) as JsonObject;
  const table = chartTable(chart);
  const kind = String(chart.type);
  const names = kind === 'pie' ? table.rows.map(({ label }) => label) : table.columns;
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox="0 0 480 220" role="img" aria-label={`${title}: ${kind} chart of ${names.join(', ')}`}>
        {kind === 'pie' ? <Pie table={table} /> : <Plot chart={chart} table={table} />}
      </svg>
      {names.length > 1 && <Legend names={names} />}
      <Numbers title={title} table={table} />
    </figure>
  );
}

function Legend({ names }: { names: string[] }) {
  return (
    <ul className="chart-legend" aria-hidden="true">
      {names.map((name, index) => (
        <li key={name}>
          <span className="chart-swatch" data-series={index} /> {name}
        </li>
      ))}
    </ul>
  );
}

function Numbers({ title, table: { columns, rows } }: { title: string; table: ChartTable }) {
  return (
    <details>
      <summary>Show the numbers</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={`Numbers of ${title}`}>
        <table>
          <thead>
            <tr>
              <td />
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, values }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {values.map((value, index) => (
                  <td key={columns[index]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
