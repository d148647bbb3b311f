import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { openRequest } from '../../core/approval/request.ts';
import type { Crew } from '../../core/crew.ts';
import type { Step } from '../../core/execution/events.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import type { ActivityLog } from '../../core/ports.ts';
import { mayPassSoon, slackErrorName } from '../api/errors.ts';
import { type Say, sayOfNamed } from '../language/say.ts';
import { cutLine } from '../ui/text/escape.ts';

interface StatusPorts {
  client: WebClient;
  activity: Pick<ActivityLog, 'latest'>;
  crews: ReadonlyMap<string, Crew>;
  log: Logger;
}

/** Slack names these for a thread or channel, not for the workspace. */
const ABOUT_PLACE = ['invalid_thread_ts', 'channel_not_found', 'not_in_channel', 'is_archived'];

/**
 * Says in the thread of a run what its agents do, as Slack shows it for agents: it counts for no other rate limit, notifies nobody, and
 * goes by itself with the next message or after two minutes. https://docs.slack.dev/reference/methods/assistant.threads.setStatus
 */
export class AgentStatus {
  readonly #ports: StatusPorts;
  #isRefused = false;
  #pausedUntil = 0;

  constructor(ports: StatusPorts) {
    this.#ports = ports;
  }

  /** Whether threads say it, as far as this process knows: otherwise their roots have to. */
  isShown(): boolean {
    return !this.#isRefused;
  }

  /** Shows the latest step, while an agent works. Nobody waits for it, and it isn't repeated. Never rejects. */
  async show(execution: Execution): Promise<void> {
    const threadTs = tsOf(execution.root);
    const isWorking = execution.run.status === 'running' && openRequest(execution) === null;
    if (threadTs === null || !isWorking || execution.unfollowed || this.#isRefused) return;
    if (performance.now() < this.#pausedUntil) return;
    const { client, activity, crews, log } = this.#ports;
    try {
      const [step] = await activity.latest(execution.ref, 1);
      if (!step) return;
      const say = sayOfNamed(crews, execution.crew);
      const line = stepLine(step, say);
      // Slack shows the loading messages alone, or else the status after the name of the app.
      const shown = { status: say('run.at-work', { line }), loading_messages: [line] };
      await client.assistant.threads.setStatus({ channel_id: execution.channel, thread_ts: threadTs, ...shown });
    } catch (error) {
      this.#learn(error);
      log.debug({ ref: execution.ref, err: error }, 'could not say in a thread what an agent does');
    }
  }

  #learn(error: unknown): void {
    if (error instanceof WebAPIRateLimitedError) this.#pausedUntil = performance.now() + error.retryAfter * 1_000;
    const name = slackErrorName(error);
    if (name === null || mayPassSoon(error) || ABOUT_PLACE.includes(name)) return;
    this.#isRefused = true;
    this.#ports.log.info({ slackError: name }, 'Slack shows no status in threads: their roots say what agents do');
  }
}

const LINE_LIMIT = 100;

/** Who does what, as plain text: `Ada uses search…`. */
function stepLine({ agent, tool, thought, result }: Step, say: Say): string {
  const who = agent === null ? say('run.an-agent') : cutLine(agent, 40);
  if (tool) return say('run.agent-uses', { who, tool: cutLine(tool, 40) });
  const done = cutLine(thought ?? result ?? '', LINE_LIMIT);
  return done === '' ? say('run.agent-works', { who }) : say('run.agent-does', { who, what: done });
}
