import { deriveMac } from './derive-key.ts';

/** Our own references of executions: short, unguessable, and spread evenly over all shards. */
export interface Refs {
  /** Always the same for the same form or command: one that arrives twice starts one crew. */
  createRef(seed: RefSeed): string;
  /** The reference of an execution started elsewhere. */
  adoptedRef(crew: string, executionId: string): string;
  /** The references that it may have been adopted under, newest secret first. */
  adoptedRefs(crew: string, executionId: string): string[];
}

/** What starts an execution: one submission of a form, or one command. */
type RefSeed = { viewId: string; attempt: number } | { triggerId: string };

const REF = /^[a-z2-7]{26}$/;

export function isRef(text: string): boolean {
  return REF.test(text);
}

/** @param secrets newest first; new references are made with the newest */
export function createRefs(secrets: readonly string[]): Refs {
  const macs = secrets.map((secret) => deriveMac(secret, 'ref'));
  const [newest] = macs;
  if (!newest) throw new RangeError('At least one secret is needed.');
  return {
    createRef: (seed) =>
      asRef('viewId' in seed ? newest('form', seed.viewId, seed.attempt) : newest('command', seed.triggerId)),
    adoptedRef: (crew, executionId) => asRef(newest('adopted', crew, executionId)),
    adoptedRefs: (crew, executionId) => macs.map((mac) => asRef(mac('adopted', crew, executionId))),
  };
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** 130 bits in lower-case base 32: safe in paths and Redis keys, and easy to read aloud. */
function asRef(digest: Buffer): string {
  let text = '';
  for (let bit = 0; text.length < 26; bit += 5) {
    text += ALPHABET[(digest.readUInt16BE(bit >> 3) >> (11 - (bit & 7))) & 31];
  }
  return text;
}
