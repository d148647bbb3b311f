import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import { startWorld, type World } from '../support/world.ts';

// Slack gives each connection its share of the clicks.
describe('Twenty people, with two bots that Slack reaches over Socket Mode', () => {
  let world: World;
  let people: Person[];

  beforeAll(async () => {
    world = await startWorld({ slackMode: 'socket', dialect: 'observed', fixtures: 1, crowd: 20 });
    for (let bot = 0; bot < 2; bot++) await world.startBot();
    people = Array.from({ length: 20 }, (_, i) => world.slack.as(`person-${i + 1}`));
  });
  afterAll(() => world.stop());

  it('make one decision and one resume by clicking at once, and all but one are told who was faster', async () => {
    const { crew, run } = await world.fixture();
    const [starter] = people;
    await starter?.command('#crowd', '/kickoff', `${crew} topic=tea`);
    const request = await starter?.sees('#crowd', 'Approval needed');
    if (!request) throw new Error('there is no card');

    const rejecting = people.slice(10);
    for (const person of rejecting) {
      await person.click('Reject…', { in: request });
      await person.fill('What should change?', `Words of ${person.id}`);
    }
    await Promise.all([
      ...people.slice(0, 10).map((person) => person.click('Approve', { in: request })),
      ...rejecting.map((person) => person.submit()),
    ]);

    const winner = await winnerAmong(people);
    for (const person of rejecting.filter((each) => each !== winner)) await person.seesModal(`Words of ${person.id}`);
    await starter?.seesChanged(request, new RegExp(`Person ${winner.id.replace(/\D/g, '')} (approved|rejected)`));
    await run('was told', ({ reviews }) => reviews.length === 1);
    const resumes = (await world.crews.sandbox.requests()).filter(
      ({ route, answer }) => route === 'resume' && typeof answer === 'object' && answer.status === 200,
    );
    expect(resumes).toHaveLength(1);
  });
});

/** The only person who isn't told that another one was faster. */
async function winnerAmong(people: Person[]): Promise<Person> {
  const untold = async () => {
    const modals = await Promise.all(people.map((person) => person.modal()));
    return people.filter((_, i) => !isTold(modals[i]));
  };
  return eventually(
    async () => {
      const [winner, ...others] = await untold();
      return others.length === 0 ? winner : undefined;
    },
    async () => `${(await untold()).length} people were not told`,
  );
}

function isTold(modal: OpenView | undefined): boolean {
  return modal !== undefined && /already (approved|rejected) this .*<!date\^/.test(modalText(modal));
}
