/**
 * The data of each event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 * An event that the end of the stream cuts off counts, too.
 */
export async function* eventsIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unfinished = '';
  let data: string[] = [];
  for await (const bytes of stream) {
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r/);
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') data.push(...dataIn(line));
      else if (data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
  data.push(...dataIn(unfinished));
  if (data.length > 0) yield data.join('\n');
}

function dataIn(line: string): string[] {
  return line.startsWith('data:') ? [line.slice('data:'.length).replace(/^ /, '')] : [];
}
