import { z } from 'zod';

export const NOT_TEXT = 'must be text; put it in quotes';

/** @param missing what to say if there is nothing */
export function text(missing: string) {
  return z.string({ error: ({ input }) => (input === undefined || input === null ? missing : NOT_TEXT) });
}
