import type { Readable } from 'node:stream';
import type { Logger } from 'pino';

type Output = {
  readonly from: Readable;
  readonly logger: Logger;
  /** Whose output it is at this moment. */
  readonly fields: () => object;
};

const LINES_A_SECOND = 50;
const LONGEST_LINE = 2_000;

/** What is read in a second, in characters. A process that writes more has to wait. */
const READ_A_SECOND = 1_000_000;

/** Logs what a process writes: a few lines a second, and how many were left out. */
export function logOutput({ from, logger, fields }: Output): void {
  let line = '';
  let logged = 0;
  let leftOut = 0;
  let read = 0;
  let timer: NodeJS.Timeout | undefined;

  function endLine(): void {
    if (line.trim() !== '') {
      if (logged++ < LINES_A_SECOND) logger.info({ ...fields(), output: line }, 'crew output');
      else leftOut++;
    }
    line = '';
  }

  function endSecond(): void {
    timer = undefined;
    if (leftOut > 0) logger.warn({ ...fields(), leftOut }, 'crew output left out: more than 50 lines in a second');
    logged = leftOut = read = 0;
    from.resume();
  }

  from.setEncoding('utf8').on('data', (text: string) => {
    timer ??= setTimeout(endSecond, 1_000).unref();
    read += text.length;
    if (read > READ_A_SECOND) from.pause();
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) endLine();
      if (line.length < LONGEST_LINE) line += part.slice(0, LONGEST_LINE - line.length);
    }
  });
  from.on('end', () => {
    endLine();
    clearTimeout(timer);
    endSecond();
  });
}
