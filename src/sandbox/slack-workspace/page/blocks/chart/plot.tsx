import type { ChartTable } from '../../../block-kit/chart-table.ts';
import { type JsonObject, objectAt, stringAt } from '../../../json.ts';
import { FRAME, type Scale, scaleOf } from './scale.ts';

type Drawn = { table: ChartTable; scale: Scale };

/** Only as many categories as fit are named below a chart; the table of its numbers names them all. */
const MOST_NAMES = 8;

const WIDTH = FRAME.right - FRAME.left;

/** Bars, areas or lines over categories. */
export function Plot({ chart, table }: { chart: JsonObject; table: ChartTable }) {
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
