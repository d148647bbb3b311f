/** How many characters two texts have in common at their beginning, and how many of the others at their end: whole words. */
export function commonText(before: string, after: string): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && !isSpace(before, start - 1)) start--;
  let end = 0;
  while (end < most - start && unitFromEnd(before, end) === unitFromEnd(after, end)) end++;
  while (end > 0 && !isSpace(before, before.length - end)) end--;
  return { start, end };
}

function unitFromEnd(text: string, place: number): number {
  return text.charCodeAt(text.length - 1 - place);
}

function isSpace(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit === 32 || unit === 9;
}
