import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import type { FaultRule } from '../../src/sandbox/crew-service/sandbox-api/faults.ts';
import type { RecordedRequest, RecordedWebhook } from '../../src/sandbox/crew-service/sandbox-api/records.ts';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import type { CrewService } from '../../src/sandbox/crew-service/service.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { eventually, type WaitOptions } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { SlackWorkspace } from '../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { lateAnswerTo, type PrivateAnswer, privateAnswerTo } from './private-answer.ts';

/** What one test needs for itself: a crew, a private channel with the bot in it, and two people. */
export interface Fixture {
  crew: string;
  /** With `#`. */
  channel: string;
  channelId: string;
  /** Starts crews. */
  maria: Person;
  /** Decides. */
  jon: Person;
  /** Sets the crew's tasks from its next run on. */
  setTasks(tasks: Script): Promise<void>;
  /** Makes a request to this crew or a notification of it fail. */
  addFault(fault: FaultRule): Promise<void>;
  /** Maria types `/kickoff <crew> …`. */
  types(words?: string): Promise<void>;
  /** Maria starts the crew by the command line; resolves to the root message of the thread. */
  start(words?: string): Promise<Message>;
  /** The root message, the newest where there are several. */
  root(): Promise<Message>;
  /** Waits until the bot tells Maria this privately. */
  told(wanted: string, patience?: WaitOptions): Promise<PrivateAnswer>;
  /** The same, once she may look elsewhere. */
  toldLate(wanted: string, patience?: WaitOptions): Promise<PrivateAnswer>;
  /** Waits until Jon sees an open card. */
  card(wanted?: string | RegExp): Promise<Message>;
  /** The same, once the root links to it: by then the bot has stored Slack's answer. */
  linkedCard(): Promise<Message>;
  /** Resolves when `/kickoff status` links to this message: by then the bot knows where it is. */
  known(message: Message): Promise<void>;
  /** Jon approves this card. */
  approve(card: Message): Promise<void>;
  /** Jon rejects it. */
  reject(card: Message, feedback: string): Promise<void>;
  /** All runs of the crew, the newest first. */
  runs(): Promise<RunSummary[]>;
  /** Waits until the newest run is like this. */
  run(what: string, isSo: (run: RunSummary) => boolean): Promise<RunSummary>;
  /** The crew's requests, oldest first. */
  requests(route: string): Promise<RecordedRequest[]>;
  /** Without the resumes that only learned which field names the service wants. */
  resumes(): Promise<RecordedRequest[]>;
  /** Waits until the crew got this many requests. */
  asked(route: string, times: number): Promise<RecordedRequest[]>;
  webhooks(kind: string): Promise<RecordedWebhook[]>;
  /** Waits until this many notifications of this kind were sent. */
  sent(kind: string, times: number): Promise<void>;
}

/** The fixture with this number, for which the world was seeded. */
export function createFixture(
  { slack, crews }: { slack: SlackWorkspace; crews: CrewService },
  number: number,
): Fixture {
  const { sandbox } = crews;
  const crew = `crew-${number}`;
  const channel = `#room-${number}`;
  const channelId = `C0ROOM${number}X`;
  const maria = slack.as(`maria-${number}`);
  const jon = slack.as(`jon-${number}`);
  const runs = async () => (await sandbox.runs()).filter((run) => run.crew === crew);
  const requests = async (route: string) =>
    (await sandbox.requests()).filter((each) => each.crew === crew && each.route === route);
  const isRoot = ({ threadTs, ts, ephemeral, userId }: Message) =>
    (threadTs === undefined || threadTs === ts) && !ephemeral && userId !== maria.id && userId !== jon.id;
  const root = () => maria.waitFor('the root message', (seen) => seen.messages[channelId]?.findLast(isRoot));
  const card = (wanted: string | RegExp = 'Approval needed') => jon.sees(channel, wanted);
  const types = (words = 'topic=tea') => maria.command(channel, `/kickoff ${crew} ${words}`.trim());

  const webhooks = async (kind: string) =>
    (await sandbox.webhooks()).filter((webhook) => webhook.crew === crew && webhook.kind === kind);

  return {
    crew,
    channel,
    channelId,
    maria,
    jon,
    setTasks: (tasks) => sandbox.setScript(crew, tasks),
    addFault: (fault) => sandbox.addFault({ ...fault, crew }),
    types,
    root,
    async start(words) {
      await types(words);
      return root();
    },
    told: (wanted, patience) => privateAnswerTo(maria, channel, wanted, patience),
    toldLate: (wanted, patience) => lateAnswerTo(maria, wanted, patience),
    card,
    async linkedCard() {
      const request = await card();
      await maria.seesChanged(await root(), 'Open the approval');
      return request;
    },
    async known({ ts }) {
      const address = `/archives/${channelId}/p${ts.replace('.', '')}`;
      await eventually(
        async () => {
          await jon.command(channel, '/kickoff', 'status');
          return (await jon.privately(channel)).some((told) => visibleText(told).includes(address)) || undefined;
        },
        async () => `/kickoff status never led to ${address}\n${await jon.screen()}`,
      );
    },
    async approve(card) {
      await jon.click('Approve', { in: card });
      await jon.seesChanged(card, 'approved');
    },
    async reject(card, feedback) {
      await jon.click('Reject…', { in: card });
      await jon.fill('What should change?', feedback);
      await jon.submit();
      await jon.seesChanged(card, 'rejected');
    },
    runs,
    async run(what, isSo) {
      return eventually(
        async () => (await runs()).slice(0, 1).find(isSo),
        async () => `waited in vain for a run that ${what}:\n${JSON.stringify(await runs(), null, 2)}`,
      );
    },
    requests,
    resumes: async () =>
      (await requests('resume')).filter(({ answer }) => typeof answer !== 'object' || answer.status !== 422),
    async asked(route, times) {
      return eventually(
        async () => {
          const found = await requests(route);
          return found.length >= times ? found : undefined;
        },
        async () => `${crew} was asked ${route} ${(await requests(route)).length} times, not ${times}`,
      );
    },
    webhooks,
    async sent(kind, times) {
      await eventually(
        async () => (await webhooks(kind)).length >= times || undefined,
        async () => `${crew} sent ${(await webhooks(kind)).length} notifications (${kind}), not ${times}`,
      );
    },
  };
}
