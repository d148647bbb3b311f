import { type ChartTable, chartTable } from '../../block-kit/data-visualization.ts';
import { type JsonObject, objectAt, stringAt } from '../../json.ts';
import { TableScroll } from './group.tsx';

/** The area of a chart, in the units of its picture. */
const FRAME = { left: 48, right: 472, top: 10, bottom: 180 };

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
      <TableScroll label={`Numbers of ${title}`}>
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
      </TableScroll>
    </details>
  );
}

const CENTER = { x: 240, y: 110 };
const RADIUS = 96;

/** The point of the edge at a share of the way round, from the top. */
function edge(share: number): string {
  const angle = 2 * Math.PI * share - Math.PI / 2;
  return `${CENTER.x + RADIUS * Math.cos(angle)} ${CENTER.y + RADIUS * Math.sin(angle)}`;
}

function Pie({ table: { rows } }: { table: ChartTable }) {
  const sizes = rows.map(({ values: [size = 0] }) => size);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const startOf = (index: number) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0) / all;
  // An arc can't end where it begins.
  if (rows.length === 1) return <circle data-series={0} cx={CENTER.x} cy={CENTER.y} r={RADIUS} />;
  return rows.map(({ label }, index) => {
    const [from, to] = [startOf(index), startOf(index + 1)];
    const isLong = to - from > 0.5 ? 1 : 0;
    const arc = `A ${RADIUS} ${RADIUS} 0 ${isLong} 1 ${edge(to)}`;
    return (
      <path
        key={label}
        className="chart-slice"
        data-series={index}
        d={`M ${CENTER.x} ${CENTER.y} L ${edge(from)} ${arc} Z`}
      />
    );
  });
}

type Drawn = { table: ChartTable; scale: Scale };

/** Only as many categories as fit are named below a chart; the table of its numbers names them all. */
const MOST_NAMES = 8;

const WIDTH = FRAME.right - FRAME.left;

/** Bars, areas or lines over categories. */
function Plot({ chart, table }: { chart: JsonObject; table: ChartTable }) {
  const scale = scaleOf(table.rows.flatMap(({ values }) => values));
  const axes = objectAt(chart, 'axis_config');
  return (
    <>
      <Grid scale={scale} />
      {chart.type === 'bar' ? (
        <Bars table={table} scale={scale} />
      ) : (
        <Lines table={table} scale={scale} isFilled={chart.type === 'area'} />
      )}
      <Categories labels={table.rows.map(({ label }) => label)} />
      <text className="chart-axis" x={(FRAME.left + FRAME.right) / 2} y={214} textAnchor="middle">
        {stringAt(axes, 'x_label')}
      </text>
      <text
        className="chart-axis"
        transform="rotate(-90)"
        x={-(FRAME.top + FRAME.bottom) / 2}
        y={10}
        textAnchor="middle"
      >
        {stringAt(axes, 'y_label')}
      </text>
    </>
  );
}

function Grid({ scale: { ticks, y } }: { scale: Scale }) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line className="chart-grid" x1={FRAME.left} x2={FRAME.right} y1={y(tick)} y2={y(tick)} />
      <text className="chart-tick" x={FRAME.left - 6} y={y(tick) + 4} textAnchor="end">
        {tick}
      </text>
    </g>
  ));
}

function Categories({ labels }: { labels: string[] }) {
  const slot = WIDTH / labels.length;
  const every = Math.ceil(labels.length / MOST_NAMES);
  const length = Math.floor((slot * every) / 6.5);
  return labels.map((label, index) =>
    index % every === 0 ? (
      <text
        key={label}
        className="chart-tick"
        x={FRAME.left + slot * (index + 0.5)}
        y={FRAME.bottom + 16}
        textAnchor="middle"
      >
        {label.length > length ? `${label.slice(0, length - 1)}…` : label}
      </text>
    ) : null,
  );
}

function Bars({ table: { columns, rows }, scale: { y } }: Drawn) {
  const slot = WIDTH / rows.length;
  const width = Math.min(28, (slot * 0.8) / columns.length);
  return rows.flatMap(({ label, values }, row) =>
    values.map((value, series) => (
      <rect
        key={`${label} ${columns[series]}`}
        data-series={series}
        x={FRAME.left + slot * (row + 0.5) + width * (series - columns.length / 2)}
        y={Math.min(y(0), y(value))}
        width={width - 1}
        height={Math.abs(y(0) - y(value))}
      />
    )),
  );
}

function Lines({ table: { columns, rows }, scale: { y }, isFilled }: Drawn & { isFilled: boolean }) {
  const slot = WIDTH / rows.length;
  const x = (row: number) => FRAME.left + slot * (row + 0.5);
  return columns.map((name, series) => {
    const points = rows.map(({ values }, row) => `${x(row)},${y(values[series] ?? 0)}`);
    const ground = [`${x(rows.length - 1)},${y(0)}`, `${x(0)},${y(0)}`];
    return (
      <g key={name} data-series={series}>
        {isFilled && <polygon className="chart-area" points={[...points, ...ground].join(' ')} />}
        <polyline className="chart-line" points={points.join(' ')} />
        {points.map((point) => (
          <circle key={point} cx={point.split(',')[0]} cy={point.split(',')[1]} r={3} />
        ))}
      </g>
    );
  });
}

/** Rounds steps from at most zero to at least the highest value, and gives each value its height. */
type Scale = { ticks: number[]; y(value: number): number };

const STEPS = 4;

function scaleOf(values: readonly number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const step = roundStep((high - low || 1) / STEPS);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  const perUnit = (FRAME.bottom - FRAME.top) / ((last - first) * step);
  return { ticks, y: (value) => FRAME.bottom - (value - first * step) * perUnit };
}

/** 1, 2 or 5 times a power of ten, no less than the least. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}
