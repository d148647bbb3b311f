/** What one check found: nothing to do, something to know, or something that keeps the bot from keeping its promises. */
export interface Finding {
  mark: 'fine' | 'doubtful' | 'wrong';
  about: string;
  found: string;
  /** What to do; null where there is nothing, or where `found` says it. */
  advice: string | null;
}

export function fine(about: string, found: string): Finding {
  return { mark: 'fine', about, found, advice: null };
}

export function doubtful(about: string, found: string, advice: string): Finding {
  return { mark: 'doubtful', about, found, advice };
}

export function wrong(about: string, found: string, advice: string | null): Finding {
  return { mark: 'wrong', about, found, advice };
}

const SIGNS = { fine: '✓', doubtful: '!', wrong: '✗' } as const;

/** One line: the sign, what it is about, what was found, and what to do. */
export function findingLine({ mark, about, found, advice }: Finding): string {
  return [`${SIGNS[mark]} ${about}:`, found, advice].filter((part) => part !== null).join(' ');
}

/** The last line: what it all comes to. */
export function summary(findings: readonly Finding[]): string {
  const count = (mark: Finding['mark']) => findings.filter((finding) => finding.mark === mark).length;
  const [bad, unsure] = [count('wrong'), count('doubtful')];
  if (bad === 0 && unsure === 0) return 'Everything is as it should be.';
  const parts = [bad === 0 ? null : `${bad} wrong (✗)`, unsure === 0 ? null : `${unsure} to look at (!)`];
  return `${parts.filter((part) => part !== null).join(', ')}.`;
}

/** The gravest of several findings about the same thing, the first of them where several are alike. */
export function gravest(findings: readonly [Finding, ...Finding[]]): Finding {
  const order: Finding['mark'][] = ['wrong', 'doubtful', 'fine'];
  return [...findings].sort((a, b) => order.indexOf(a.mark) - order.indexOf(b.mark))[0] ?? findings[0];
}
