import type { Readable } from 'node:stream';

type Lines = {
  readonly from: Readable;
  /** In characters. */
  readonly longest: number;
  readonly take: (line: string) => void;
  /** A line is longer than that. Nothing is read any more. */
  readonly tooLong: () => void;
};

/** Reads a stream line by line, keeping at most one line in memory. */
export function readLines({ from, longest, take, tooLong }: Lines): void {
  let parts: string[] = [];
  let length = 0;
  const read = (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n');
    for (const [index, text] of [first, ...rest].entries()) {
      if (index > 0) {
        take(parts.join(''));
        parts = [];
        length = 0;
      }
      parts.push(text);
      length += text.length;
    }
    if (length <= longest) return;
    from.off('data', read);
    from.destroy();
    tooLong();
  };
  from.setEncoding('utf8').on('data', read);
}
