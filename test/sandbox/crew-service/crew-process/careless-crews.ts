import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { defineCrew, z } from '@signoff/crew-service';

/** Never settles, and never stops by itself. */
const forever = () => new Promise<never>(() => {});

/** What a careless task does. */
const MISTAKES: Readonly<Record<string, () => unknown>> = {
  throw: () => {
    throw new Error('thrown');
  },
  stray: () => {
    void Promise.reject(new Error('strayed'));
    return forever();
  },
  timer: () => {
    setTimeout(() => {
      throw new Error('too late');
    }, 1);
    return forever();
  },
  exit: () => process.exit(3),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  memory: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(new Array(1_000_000).fill(kept.length));
  },
  buffers: async () => {
    for (const kept: Buffer[] = []; ; kept.push(Buffer.alloc(20_000_000, 1))) await pause(30);
  },
  loop: () => {
    for (;;);
  },
  wait: forever,
  circle: () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    return circle;
  },
  garbage: () => {
    writeSync(3, 'garbage\n');
    return forever();
  },
  large: () => 'x'.repeat(17 * 1024 * 1024),
  talk: () => {
    for (let number = 1; number <= 1_000; number++) console.log(`Line ${number}`);
    return 'said';
  },
  environment: () => Object.keys(process.env).filter((name) => /^(CREW|REDIS)_/.test(name)),
  nothing: () => 'nothing went wrong',
};

/** Of this process. */
let tries = 0;

export const crews = [
  defineCrew({ name: 'retried', inputs: {} }).task('fail', {
    agent: 'A',
    retries: 1,
    async run({ step }) {
      const first = await step('Begin', () => tries);
      if (++tries === 1) throw new Error('not yet');
      return `begun at ${first}, done after ${tries} tries`;
    },
  }),
  defineCrew({ name: 'careless', inputs: { mistake: z.string() } })
    .task('begin', { agent: 'A', run: ({ step }) => step('Begin', () => process.pid) })
    .task('make', {
      agent: 'A',
      run: ({ inputs }) => MISTAKES[inputs.mistake]?.() as string,
    }),
  defineCrew({ name: 'hanging', inputs: { mistake: z.string() } }).task('hang', {
    agent: 'A',
    timeLimitMs: 200,
    run: ({ inputs }) => MISTAKES[inputs.mistake]?.() as string,
  }),
  defineCrew({ name: 'reporting', inputs: {} }).task('report', {
    agent: 'A',
    async run({ step }) {
      for (let number = 0; number < 10_000; number++) void step('So many');
      return step('One too many');
    },
  }),
  defineCrew({ name: 'once', inputs: {} }).task('exit', {
    agent: 'A',
    // Only the first of two starts finds no step done.
    async run({ step }) {
      const first = await step('Look', () => process.pid);
      if (first === process.pid) process.exit(1);
      return 'done at the second start';
    },
  }),
  defineCrew({
    name: 'checking',
    inputs: {
      how: z.string().refine((how) => {
        // Like an endless loop, but for the processor.
        if (how === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        if (how === 'exit') process.exit(4);
        if (how === 'throw') throw new Error('no check');
        return true;
      }),
    },
  }).task('do', { agent: 'A', run: ({ inputs }) => inputs.how }),
];
