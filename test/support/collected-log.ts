import { Writable } from 'node:stream';

/** Where a log may go to, and all that has been written there so far. */
export function collectLog(): { to: Writable; text(): string } {
  let text = '';
  const to = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  return { to, text: () => text };
}
