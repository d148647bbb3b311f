/** One cell of a written table: what happens (row) to what (column), and what comes of it. */
export interface Cell {
  row: string;
  column: string;
  outcome: string;
}

/** Reads a table whose first line names the columns and whose other lines begin with the name of their row. */
export function cells(table: string): Cell[] {
  const [columns = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((part) => part.trim()));
  return rows.flatMap(([row = '', ...outcomes]) =>
    outcomes.map((outcome, i) => ({ row, column: columns[i + 1] ?? '', outcome })),
  );
}

/** The cells that a table must have to be complete, as `row × column`. */
export function everyCell(rows: string[], columns: string[]): string[] {
  return rows.flatMap((row) => columns.map((column) => `${row} × ${column}`));
}
