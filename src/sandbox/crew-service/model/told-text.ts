const SOONEST_MS = 1_000;
const MOST_EVENTS = 40;
const LONGEST_EVENT = 3_000;

/** Tells of a text while it is written: when a paragraph is whole, or each second; not of each word, nor without end. */
export function createToldText(
  tell: (text: string) => Promise<void>,
  now: () => number = Date.now,
): (added: string) => Promise<void> {
  let waiting = '';
  let toldAt = now();
  let events = 0;
  return async (added) => {
    if (events === MOST_EVENTS) return;
    waiting += added;
    const paragraphsEnd = waiting.lastIndexOf('\n\n');
    const end = paragraphsEnd > 0 ? paragraphsEnd : now() - toldAt >= SOONEST_MS ? waiting.length : 0;
    const text = waiting.slice(0, end).trim();
    if (text === '') return;
    waiting = waiting.slice(end);
    toldAt = now();
    events++;
    await tell(text.length > LONGEST_EVENT ? `${text.slice(0, LONGEST_EVENT)}…` : text);
  };
}
