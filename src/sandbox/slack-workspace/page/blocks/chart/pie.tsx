import type { ChartTable } from '../../../block-kit/chart-table.ts';

const CENTER = { x: 240, y: 110 };
const RADIUS = 96;

/** The point of the edge at a share of the way round, from the top. */
function edge(share: number): string {
  const angle = 2 * Math.PI * share - Math.PI / 2;
  return `${CENTER.x + RADIUS * Math.cos(angle)} ${CENTER.y + RADIUS * Math.sin(angle)}`;
}

export function Pie({ table: { rows } }: { table: ChartTable }) {
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
