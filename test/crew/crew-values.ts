import { pino } from 'pino';
import { z } from 'zod';
import type { DeployedCrew } from '../../src/core/policy/crew.ts';
import { DEFAULT_POLICY, WORKSPACE } from '../../src/core/policy/policy.ts';
import type { InputHint } from '../../src/core/values/input-field.ts';
import { type Authentication, createCredentials } from '../../src/crew/credentials.ts';

export const SECRET = 'a secret of at least thirty-two characters';
export const OLD_SECRET = 'the secret that was used before this one was';

export const silent = pino({ level: 'silent' });

export const credentials = createCredentials([SECRET]);

/** A crew of the name `research`. */
export function crew(override: Partial<DeployedCrew> = {}): DeployedCrew {
  return {
    name: 'research',
    description: null,
    baseUrl: 'http://127.0.0.1:9',
    controlUrl: 'http://127.0.0.1:9',
    token: 'crew-token',
    platform: null,
    askedBy: 'research',
    channel: 'C_CREW',
    approvalText: 'Approved.',
    approvalNotes: true,
    approval: DEFAULT_POLICY,
    starters: [WORKSPACE],
    workflows: 'allowed',
    requireUserToken: false,
    retry503: false,
    callbackHosts: [],
    flowSecrets: [],
    startedElsewhere: 'followed',
    hours: null,
    preview: 700,
    notify: 'mention',
    notifyStarter: true,
    broadcast: true,
    language: 'en',
    inputs: {},
    ...override,
  };
}

/** What an operator says of an input, with the rest left open. */
export function hint(change: Partial<InputHint>): InputHint {
  return { label: null, type: 'text', options: [], default: null, help: null, min: null, max: null, ...change };
}

/** A log whose lines can be read; `warnings` has the errors, too. */
export function readableLog() {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const parsed = () => lines.map((line) => LINE.parse(JSON.parse(line)));
  return { log, text: () => lines.join(''), warnings: () => parsed().filter(({ level }) => level >= 40) };
}

/** pino's levels: 40 is a warning, 50 an error. */
const LINE = z.looseObject({ level: z.number(), msg: z.string() });

/** The `Authorization` header as a crew service makes it. */
export function headerOf(authentication: Authentication): string {
  switch (authentication.strategy) {
    case 'bearer':
      return `Bearer ${authentication.token}`;
    case 'basic': {
      const { username, password } = authentication;
      return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    }
  }
}
