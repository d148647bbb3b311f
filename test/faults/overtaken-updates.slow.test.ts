import { expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { runTrials, type Trial } from './run-trials.ts';

const FIRST_VOTE = '1 of 2 approved';
const DECIDED = 'Sent to the crew.';

it(
  'a card is put right whose update a bot had sent when it was killed, and that Slack carried out last',
  async () => {
    let cards: string[] = [];
    const killed: Trial = {
      name: 'killed while its update is on its way',
      policy: 'quorum',
      plan: { rejections: 0 },
      clock: 'left alone',
      arm({ slack, bots: [bot] }, { crewChannel }) {
        const cardsNow = () =>
          slack
            .messages()
            .filter(({ channel }) => channel === crewChannel.channelId)
            .map((message) => JSON.stringify(message));
        const until = async () => {
          await bot?.kill();
          cards = await eventually(
            async () => (cardsNow().some((card) => card.includes(DECIDED)) ? cardsNow() : undefined),
            async () => 'nobody else has shown the decision',
          );
        };
        slack.faults.add({ method: 'chat.update', containing: FIRST_VOTE, effect: { kind: 'hold', until } });
      },
    };
    const outcomes = await runTrials([killed], { bots: 2 });
    expect(outcomes.map(({ report }) => report).join('')).toBe('');
    expect(cards.filter((card) => card.includes(DECIDED))).toHaveLength(1);
  },
  TRIALS_TIMEOUT_MS,
);
