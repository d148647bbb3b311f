import { expect, it } from 'vitest';
import { createSlots, MOST_PER_SERVER } from '../../../../src/sandbox/crew-service/webhooks/slots.ts';

/** Attempts that last until they are ended, in the order in which they began. */
function attempts() {
  const slots = createSlots();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (origin: string, what: string, urgency: 'urgent' | 'normal' = 'normal') =>
    void slots.use(origin, urgency, () => {
      begun.push(what);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  /** Ends the oldest one, and lets the next ones begin. */
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { begin, begun, endOne, settle: () => new Promise(setImmediate) };
}

it('lets no more than 16 through to a server, and what people wait for first', async () => {
  const { begin, begun, endOne, settle } = attempts();
  for (let count = 0; count < 40; count++) begin('http://slow', 'step');
  begin('http://slow', 'question', 'urgent');
  begin('http://other', 'other');
  await settle();
  expect(begun).toEqual([...Array(MOST_PER_SERVER).fill('step'), 'other']);
  await endOne();
  expect(begun.at(-1)).toBe('question');
});

it('lets servers take turns where more wait than 128', async () => {
  const { begin, begun, endOne, settle } = attempts();
  for (let server = 0; server < 9; server++)
    for (let count = 0; count < 30; count++) begin(`http://slow-${server}`, `slow-${server}`);
  for (let count = 0; count < 3; count++) begin('http://other', 'other');
  await settle();
  expect(begun).toHaveLength(128);
  expect(begun).not.toContain('other');
  for (let count = 0; count < 30; count++) await endOne();
  expect(begun.filter((one) => one === 'other')).toHaveLength(3);
});

it('goes on after attempts that fail', async () => {
  const slots = createSlots();
  const failing = Array.from({ length: 50 }, () =>
    slots.use('http://a', 'normal', () => Promise.reject(new Error('no'))).catch(String),
  );
  expect(new Set(await Promise.all(failing))).toEqual(new Set(['Error: no']));
});
