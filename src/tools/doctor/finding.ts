/** The result of a check: fine, not checked, worth knowing, or something that breaks the bot or its promises. */
export interface Finding {
  mark: 'fine' | 'unchecked' | 'doubtful' | 'wrong';
  about: string;
  found: string;
  /** Advice; null if there is none, or if `found` says it. */
  advice: string | null;
}

export function fine(about: string, found: string): Finding {
  return { mark: 'fine', about, found, advice: null };
}

/** Returns a finding about something that can't be checked from here. */
export function unchecked(about: string, found: string): Finding {
  return { mark: 'unchecked', about, found, advice: null };
}

export function doubtful(about: string, found: string, advice: string): Finding {
  return { mark: 'doubtful', about, found, advice };
}

export function wrong(about: string, found: string, advice: string | null): Finding {
  return { mark: 'wrong', about, found, advice };
}

const SYMBOLS = { fine: '✓', unchecked: '–', doubtful: '!', wrong: '✗' } as const;

/** Returns the line of a finding: symbol, subject, finding, advice. */
export function findingLine({ mark, about, found, advice }: Finding): string {
  return [`${SYMBOLS[mark]} ${about}:`, found, advice].filter((part) => part !== null).join(' ');
}

/** Returns the last line of the output. */
export function summary(findings: readonly Finding[]): string {
  const count = (mark: Finding['mark']) => findings.filter((finding) => finding.mark === mark).length;
  const [bad, unsure] = [count('wrong'), count('doubtful')];
  if (bad === 0 && unsure === 0)
    return count('unchecked') === 0 ? 'Everything is fine.' : 'Everything that was checked is fine (–: not checked).';
  const parts = [bad === 0 ? null : `${bad} wrong (✗)`, unsure === 0 ? null : `${unsure} to look at (!)`];
  return `${parts.filter((part) => part !== null).join(', ')}.`;
}

/** Returns the most severe of several findings about the same subject, the first one if several are. */
export function mostSevere(findings: readonly [Finding, ...Finding[]]): Finding {
  const order: Finding['mark'][] = ['wrong', 'doubtful', 'unchecked', 'fine'];
  return [...findings].sort((a, b) => order.indexOf(a.mark) - order.indexOf(b.mark))[0] ?? findings[0];
}
