const LINE_BREAK = 0x0a;

/** A line of a file without its line break, which the last one of a broken file may lack. */
export interface FileLine {
  bytes: Buffer;
  isEnded: boolean;
}

export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, from)) {
      yield { bytes: Buffer.concat([...rest, chunk.subarray(from, end)]), isEnded: true };
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), isEnded: false };
}
