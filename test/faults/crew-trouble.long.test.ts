import { expect, it } from 'vitest';
import type { FaultRule } from '../../src/sandbox/crew-service/sandbox-api/faults.ts';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { runSideBySide, type Trial } from './run-trials.ts';

const ANSWERS = {
  'a server error before': { respond: { status: 500 }, apply: false },
  'a server error after': { respond: { status: 500 }, apply: true },
  'a busy service': { respond: { status: 503, headers: { 'retry-after': '1' } } },
  'a proxy that gives up before': { respond: { status: 503 }, apply: false },
  'a proxy that gives up after': { respond: { status: 503 }, apply: true },
  'a rate limit': { respond: { status: 429, headers: { 'retry-after': '1' } } },
  'a connection that breaks before': { respond: 'disconnect', apply: false },
  'a connection that breaks after': { respond: 'disconnect', apply: true },
} as const;

const NOTIFICATIONS = {
  twice: { duplicates: 1 },
  thrice: { duplicates: 2 },
  late: { delayMs: 700 },
  'out of order': 'swap',
  never: 'drop',
} as const;

function requestTrials(): Trial[] {
  const calls = [
    { route: 'kickoff', skip: 0 },
    { route: 'resume', skip: 0 },
    { route: 'resume', skip: 1 },
    { route: 'inputs', skip: 0 },
    { route: 'status', skip: 0 },
  ] as const;
  return calls.flatMap((call) =>
    Object.entries(ANSWERS).map(([name, answer]): Trial => {
      const fault = (crew: string): FaultRule => ({ ...call, ...answer, crew });
      return {
        name: `${name} at ${call.route} number ${call.skip + 1}`,
        arm: ({ crews }, { crewChannel }) => crews.sandbox.addFault(fault(crewChannel.crew)),
      };
    }),
  );
}

/** Away for minutes: a minute passes whenever nothing else happens. */
function awayTrials(): Trial[] {
  return (['kickoff', 'resume', 'status'] as const).map((route): Trial => {
    return {
      name: `${route} is away for minutes`,
      arm: ({ crews }, { crewChannel }) =>
        crews.sandbox.addFault({
          route,
          times: route === 'kickoff' ? 3 : 7,
          respond: { status: 503, headers: { 'retry-after': '60' } },
          crew: crewChannel.crew,
        }),
    };
  });
}

function notificationTrials(): Trial[] {
  const notifications = [
    { webhook: 'human-input', skip: 0 },
    { webhook: 'human-input', skip: 1 },
    { webhook: 'task', skip: 0 },
    { webhook: 'crew', skip: 0 },
  ] as const;
  return notifications.flatMap((notification) =>
    Object.entries(NOTIFICATIONS).map(([name, effect]): Trial => {
      return {
        name: `${notification.webhook} number ${notification.skip + 1} comes ${name}`,
        arm: ({ crews }, { crewChannel }) =>
          crews.sandbox.addFault({ ...notification, effect, crew: crewChannel.crew }),
      };
    }),
  );
}

it.concurrent.each(['spec', 'observed'] as const)(
  'nothing is lost or sent twice, whatever the crew does (dialect %s)',
  async (dialect) => {
    const trials = [...requestTrials(), ...awayTrials(), ...notificationTrials()];
    const outcomes = await runSideBySide(3, trials, { dialect });
    console.info(
      `crew in trouble (${dialect}): ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`,
    );
    expect(outcomes.map(({ report }) => report).join('')).toBe('');
  },
  TRIALS_TIMEOUT_MS,
);

it.concurrent(
  'a decision stays unconfirmed if the crew took it and all later notifications are lost',
  async () => {
    const trial: Trial = {
      name: 'the answer to the approval is lost, and all notifications after it',
      plan: { rejections: 0 },
      async arm({ crews }, { crewChannel: { crew } }) {
        const lost = { effect: 'drop', times: 9, crew } as const;
        // The first call only learns that the service wants camel case.
        await crews.sandbox.addFault({ route: 'resume', skip: 1, apply: true, respond: 'disconnect', crew });
        // The first notification is about the task before the request.
        await crews.sandbox.addFault({ webhook: 'task', skip: 1, ...lost });
        await crews.sandbox.addFault({ webhook: 'crew', ...lost });
      },
    };
    const [outcome] = await runSideBySide(1, [trial], { dialect: 'observed' });
    expect(outcome?.report).toBe('');
    expect(outcome?.findings).toMatchObject({ decisions: 1, delivered: 1, lost: 0, doubled: 0 });
  },
  TRIALS_TIMEOUT_MS,
);
