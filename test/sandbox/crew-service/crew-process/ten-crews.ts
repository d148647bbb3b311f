import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defineCrew, z } from '@signoff/crew-service';

/** Resolves once the test lets the tasks of this number go on. */
async function turnOf(number: number, folder: string): Promise<number> {
  while (!existsSync(join(folder, `${number}`))) await pause(50);
  return number;
}

const inputs = { folder: z.string() };

const good = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) =>
  defineCrew({ name, inputs })
    .task('first', { agent: 'A', run: (context) => turnOf(1, context.inputs.folder) })
    .task('second', { agent: 'A', run: (context) => turnOf(2, context.inputs.folder) })
    .task('third', { agent: 'A', run: (context) => turnOf(3, context.inputs.folder) })
    .task('sum', { agent: 'A', run: ({ outputs }) => outputs.first + outputs.second + outputs.third }),
);

const WAYS: Readonly<Record<string, () => void>> = {
  plainly: () => {
    throw new Error('thrown plainly');
  },
  strayly: () => void Promise.reject(new Error('thrown strayly')),
  later: () =>
    void setTimeout(() => {
      throw new Error('thrown later');
    }, 1),
  by_exit: () => process.exit(3),
};

export const crews = [
  ...good,
  defineCrew({ name: 'throws', inputs: { way: z.string() } }).task('throw', {
    agent: 'A',
    async run(context) {
      WAYS[context.inputs.way]?.();
      return new Promise<string>(() => {});
    },
  }),
  defineCrew({ name: 'hangs', inputs: {} }).task('hang', {
    agent: 'A',
    // Like an endless loop, but for the processor.
    run: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  }),
  defineCrew({ name: 'floods', inputs: {} }).task('flood', {
    agent: 'A',
    timeLimitMs: 1_000,
    async run({ step }) {
      for (let number = 0; number < 300; number++) void step(`Step ${number}`);
      await step('The last one that is waited for');
      for (;;) console.log('once more '.repeat(100));
    },
  }),
  defineCrew({ name: 'circles', inputs: {} }).task('return', {
    agent: 'A',
    run() {
      const circle: { self?: unknown } = {};
      circle.self = circle;
      return circle as string;
    },
  }),
];
