import { expect, it } from 'vitest';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { type Outcome, runTogether, type Trial } from './run-trials.ts';

/** The bot gives up at its own limit: 10 s for Slack, 2.5 s for a modal, 30 s for a kickoff or resume. */
const SILENCES = { 'that was not heard': false, 'that was heard': true };

const POSTS = [1, 2, 3, 4, 5];
const UPDATES = [1, 3, 5];
const ROUTES = [
  { route: 'kickoff', skip: 0 },
  { route: 'resume', skip: 0 },
  { route: 'resume', skip: 1 },
  { route: 'status', skip: 0 },
  { route: 'inputs', skip: 0 },
] as const;

function slackTrials(): Trial[] {
  const calls = [
    ...POSTS.map((nth) => ({ method: 'chat.postMessage', nth })),
    ...UPDATES.map((nth) => ({ method: 'chat.update', nth })),
  ];
  return Object.entries(SILENCES).flatMap(([name, apply]) =>
    calls.map(({ method, nth }): Trial => {
      return {
        name: `no answer to ${method} number ${nth} ${name}`,
        arm: ({ slack }, { crewChannel: { channelId } }) =>
          slack.faults.add({ method, nth, where: { channel: channelId }, effect: { kind: 'silence', apply } }),
      };
    }),
  );
}

/** Modals have no channel, so these faults hit any of the scenarios beside them. */
function windowTrials(): Trial[] {
  return Object.entries(SILENCES).flatMap(([name, apply]) =>
    [1, 4].map((nth): Trial => {
      return {
        name: `no answer to views.open number ${nth} ${name}`,
        arm: ({ slack }) => slack.faults.add({ method: 'views.open', nth, effect: { kind: 'silence', apply } }),
      };
    }),
  );
}

function crewTrials(): Trial[] {
  return Object.entries(SILENCES).flatMap(([name, apply]) =>
    ROUTES.map((call): Trial => {
      return {
        name: `no answer to ${call.route} number ${call.skip + 1} ${name}`,
        arm: ({ crews }, { crewChannel: { crew } }) =>
          crews.sandbox.addFault({ ...call, crew, apply, respond: 'silence' }),
      };
    }),
  );
}

function expectNothingWrong(outcomes: Outcome[]): void {
  const figures = countsLine(outcomes.map(({ findings }) => findings));
  console.info(`no answer: ${outcomes.length} scenarios, ${figures}`);
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
}

it.concurrent(
  "nothing is lost or asked twice, whichever call Slack doesn't answer",
  async () => expectNothingWrong(await runTogether([...slackTrials(), ...windowTrials()])),
  TRIALS_TIMEOUT_MS,
);

it.concurrent.each(['spec', 'observed'] as const)(
  "nothing is lost or sent twice, whichever call the crew doesn't answer (dialect %s)",
  async (dialect) => expectNothingWrong(await runTogether(crewTrials(), { dialect })),
  TRIALS_TIMEOUT_MS,
);
