import type { DigestSlot } from './digest-slot.ts';

export interface DigestClaims {
  /**
   * Whether this digest of a person is for this process to send: each is for one process, once, and none comes after a later
   * one. Throws `StoreUnavailable`.
   */
  claim(personId: string, slot: DigestSlot): Promise<boolean>;
}
