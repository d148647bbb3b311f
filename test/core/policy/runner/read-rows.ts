/** One row of the table: under this policy, this person does something at this moment, and what comes of it. */
export interface Row {
  policy: string;
  person: string;
  moment: string;
  action: string;
  outcome: string;
}

/** Reads a section of the table: each policy stands on a line of its own, over the indented rows that it applies to. */
export function readRows(section: string): Row[] {
  const rows: Row[] = [];
  let policy = '';
  for (const line of section.split('\n').filter((each) => each.trim() !== '')) {
    if (!line.startsWith('  ')) {
      policy = line.trim();
      continue;
    }
    const [person = '', moment = '', action = '', outcome = '', ...more] = line.split('|').map((part) => part.trim());
    if (outcome === '' || more.length > 0) throw new Error(`Not a row: ${line}`);
    rows.push({ policy, person, moment, action, outcome });
  }
  return rows;
}
