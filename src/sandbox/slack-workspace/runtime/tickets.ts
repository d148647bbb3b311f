import { randomUUID } from 'node:crypto';

const LIFE_MS = 30_000;

/** A Socket Mode URL works once, within 30 seconds. */
export type Tickets = { issue(): string; redeem(ticket: string): boolean };

export function createTickets(now: () => number): Tickets {
  const issued = new Map<string, number>();
  return {
    issue() {
      const ticket = randomUUID();
      issued.set(ticket, now());
      return ticket;
    },
    redeem(ticket) {
      const at = issued.get(ticket);
      return issued.delete(ticket) && at !== undefined && now() - at <= LIFE_MS;
    },
  };
}
