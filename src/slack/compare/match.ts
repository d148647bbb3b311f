/** A place in the older text and the one in the newer text that it corresponds to. */
export type Match = readonly [before: number, after: number];

/** The places around what lies between two matches; `to` is that of the next match, or the end of both texts. */
type Gap = readonly [from: Match, to: Match];

/** What lies between the matches, in order; one gap more than there are matches. */
export function gapsBetween(matches: readonly Match[], end: Match): Gap[] {
  let from: Match = [0, 0];
  return [...matches, end].map((to) => {
    const gap: Gap = [from, to];
    from = [to[0] + 1, to[1] + 1];
    return gap;
  });
}

/** How many values two lists have in common at their beginning, and how many of the others at their end. */
export function commonEnds(before: readonly string[], after: readonly string[]): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, end };
}
