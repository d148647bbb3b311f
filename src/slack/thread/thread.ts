import { isDeepStrictEqual } from 'node:util';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { wantedFor } from '../../core/messages/due-messages.ts';
import { findRules, type RequestRules } from '../../core/policy/rules.ts';
import type { ThreadPort } from '../../core/ports.ts';
import { directMessageOf, type Execution, noticeOf, recipientOf, requestOf } from '../../core/state/execution.ts';
import { type Message, messageKey, postOf, renderingOf, tsOf } from '../../core/state/message.ts';
import { type PostOutcome, plainerThan, type Rendering } from '../../core/state/post.ts';
import type { Millis } from '../../core/values/time.ts';
import { isMember, reportsMessages } from '../api/channels.ts';
import { isContentRefusal, isTokenError, mayPassSoon, outcomeOf, slackErrorName } from '../api/errors.ts';
import { createRateLimiters, type RateLimiter, type RateLimiters } from '../api/rate-limiter.ts';
import { RecentRefusal } from '../api/recent-refusal.ts';
import { sendLateAnswer } from '../listening/answers.ts';
import { againMentions, newMentions } from '../messages/mentions.ts';
import { type Place, postInPlace, uploadFile } from '../messages/posting.ts';
import { findRecipients, newRecipients, whyNotNow } from '../messages/recipients.ts';
import { createTurns } from '../messages/turns.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { Mention } from '../ui/person.ts';
import type { Notifier } from './notices.ts';
import { type RenderPorts, render, type WantedMessage } from './render.ts';
import { createThreadStatus } from './thread-status.ts';

/** The thread port on Slack: every message is rendered whole from the state, posted once and updated as needed. */
export function createThread(options: {
  client: WebClient;
  render: RenderPorts;
  notifier: Notifier;
  /** Default: limiters for Slack's own rates. */
  rateLimiters?: RateLimiters;
  log: Logger;
}): ThreadPort {
  const { client, render: ports, notifier, rateLimiters = createRateLimiters(), log } = options;
  const turns = createTurns(rateLimiters);

  /** Found once for each message that is posted or updated. */
  const rulesFor = (execution: Execution, message: Message, now: Millis): RequestRules | null => {
    const request = requestOf(execution, message);
    return request && findRules(ports.rulesOf(execution.crew), { execution, request, now });
  };
  // Newer kinds of blocks, which Slack may refuse: plans in root messages, containers in all others.
  const plans = new RecentRefusal();
  const containers = new RecentRefusal();

  const attempt = async ({ execution, message, limiter, call, findPlainer }: Attempt): Promise<PostOutcome> => {
    const fingerprint = wantedFor(execution, message);
    try {
      const place = await call();
      turns.shown(execution, message);
      return { kind: 'posted', shown: fingerprint, ...place };
    } catch (error) {
      const outcome: PostOutcome =
        findPlainer && isContentRefusal(error)
          ? { kind: 'content-refused', plainer: await findPlainer() }
          : failureOf(error, recipientOf(execution, message) !== null);
      if (error instanceof WebAPIRateLimitedError) await limiter.backOff(error.retryAfter * 1_000);
      const slackError = slackErrorName(error);
      log.warn(
        { ref: execution.ref, message: messageKey(message), slackError, outcome: outcome.kind, err: error },
        'could not post or update a message',
      );
      return outcome;
    }
  };

  /** Renders the message and hands it to the call; a refusal of its content leads to a plainer rendering. */
  const send = async (
    what: Pick<Attempt, 'execution' | 'message' | 'limiter'> & Pick<WantedMessage, 'now' | 'mentions' | 'rules'>,
    call: (content: Rendered) => Promise<Place>,
  ): Promise<PostOutcome> => {
    const rendering = renderingOf(what.execution, what.message);
    const newer = what.message.kind === 'root' ? plans : containers;
    const isPlainer = rendering === 'full' && newer.isRefused;
    const input = { ...what, rendering: isPlainer ? ('older-blocks' as const) : rendering };
    const content = await render(ports, input);
    if (content === 'gone' || content === 'later') {
      await what.limiter.leave();
      return content === 'gone' ? { kind: 'gone' } : { kind: 'later', waitMs: null };
    }
    const findPlainer = () => plainerRendering(ports, input, content);
    const outcome = await attempt({ ...what, call: () => call(content), findPlainer });
    // Slack took the message without its plan or container, so it had refused these.
    if (outcome.kind === 'posted' && rendering === 'older-blocks') newer.refuse();
    return outcome;
  };

  /** Slack looks at the membership only once it has all bytes: https://docs.slack.dev/reference/methods/files.completeUploadExternal#errors */
  const attach = async (
    what: Pick<Attempt, 'execution' | 'message' | 'limiter'> & { approvalId: string },
  ): Promise<PostOutcome> => {
    const { execution, limiter, approvalId } = what;
    if ((await isMember(client, execution.channel)) === false) {
      await limiter.leave();
      log.info({ ref: execution.ref, approvalId }, 'did not upload a file, since the bot is not in the channel');
      return { kind: 'refused' };
    }
    const call = async () => ({ ts: await uploadFile(client, ports, execution, approvalId) });
    return attempt({ ...what, call, findPlainer: null });
  };

  const post = async (posting: Posting, mentions: readonly Mention[]): Promise<PostOutcome> => {
    const { execution, message } = posting;
    const what = { ...posting, limiter: turns.limiter('post', execution, message) };
    const outcome =
      message.kind === 'file'
        ? await attach({ ...what, approvalId: message.approvalId })
        : await send({ ...what, mentions }, (content) =>
            postInPlace({ client, crews: ports.crews }, execution, message, content),
          );
    const isThere = outcome.kind === 'posted' || outcome.kind === 'unknown';
    return isThere && message.kind === 'card' ? { ...outcome, mentioned: mentions.map(({ id }) => id) } : outcome;
  };

  /** Posts a message that has never been posted. */
  const postNew = async (posting: Posting): Promise<PostOutcome> => {
    const { execution, message, rules, now } = posting;
    const notNow = message.kind === 'direct-message' ? await whyNotNow(ports, execution, message, now) : null;
    return notNow ?? post(posting, await newMentions(ports, message, rules));
  };

  /** Posts a message that may have been posted, though Slack hasn't reported it. */
  const postAgain = async (posting: Posting): Promise<PostOutcome> => {
    const { execution, message, rules } = posting;
    switch (message.kind) {
      case 'direct-message':
        return { kind: 'gone' };
      case 'notice':
        return isAlertNotice(execution, message) ? { kind: 'gone' } : postNew(posting);
      case 'alert': {
        // A second one would notify people again.
        const wouldBeReported = await reportsMessages(client, ports.identity, execution.channel);
        if (wouldBeReported === null) return { kind: 'later', waitMs: null };
        return wouldBeReported ? post(posting, []) : { kind: 'gone' };
      }
      case 'card': {
        const wouldBeReported = await reportsMessages(client, ports.identity, execution.channel);
        return post(posting, wouldBeReported ? await againMentions(ports, message, rules) : []);
      }
      case 'root':
      case 'copy':
      case 'follow-up':
      case 'file':
      case 'task':
      case 'ending':
        return post(posting, []);
    }
  };

  return {
    turn: turns.turn,
    leaveTurn: (call, execution, message) => turns.limiter(call, execution, message).leave(),
    async post(execution, message, { posting, now }) {
      const what = { execution, message, rules: rulesFor(execution, message, now), now };
      const [outcome, recipients] = await Promise.all([
        posting === 'new' ? postNew(what) : postAgain(what),
        newRecipients(ports, what),
      ]);
      const isThere = outcome.kind === 'posted' || outcome.kind === 'unknown';
      return isThere ? { ...outcome, ...recipients } : outcome;
    },
    async update(execution, message, now) {
      const ts = tsOf(postOf(execution, message));
      const channel = channelOf(execution, message);
      if (ts === null || channel === null) return { kind: 'gone' };
      const limiter = turns.limiter('update', execution, message);
      const rules = rulesFor(execution, message, now);
      return send({ execution, message, limiter, rules, mentions: null, now }, async (content) => {
        await client.chat.update({ channel, ts, ...content });
        return { ts };
      });
    },
    ...createThreadStatus({ ...ports, client, limiter: rateLimiters.statuses, log }),
    recipients: (execution, request, now) =>
      findRecipients(ports, findRules(ports.rulesOf(execution.crew), { execution, request, now }), now),
    tell: (answer) =>
      sendLateAnswer(
        { client, log, identity: ports.identity, say: async () => ports.sayings.in(await ports.languageOf(answer.to)) },
        answer,
      ),
    notify: (execution, now) => notifier.notify(execution, now),
  };
}

/** A message that is to be posted. */
type Posting = Pick<WantedMessage, 'execution' | 'message' | 'rules' | 'now'>;

interface Attempt {
  execution: Execution;
  message: Message;
  limiter: RateLimiter;
  call: () => Promise<Place>;
  /** Finds what to send instead of refused content; null for a file, whose content is never refused. */
  findPlainer: (() => Promise<Rendering | null>) | null;
}

function isAlertNotice(execution: Execution, message: Extract<Message, { kind: 'notice' }>): boolean {
  return noticeOf(execution, message)?.about.kind === 'alert';
}

/** Returns null while a direct message hasn't been posted. */
function channelOf(execution: Execution, message: Message): string | null {
  return message.kind === 'direct-message' ? (directMessageOf(execution, message)?.channel ?? null) : execution.channel;
}

/** Returns the next plainer rendering of a message that differs from the refused one; null if there is none. */
async function plainerRendering(
  ports: RenderPorts,
  input: WantedMessage,
  refused: Rendered,
): Promise<Rendering | null> {
  for (const rendering of plainerThan(input.rendering)) {
    const plainer = await render(ports, { ...input, rendering });
    if (typeof plainer === 'object' && !isDeepStrictEqual(plainer, refused)) return rendering;
  }
  return null;
}

/**
 * Returns what a failed call means for a message. A channel may take the message later; a person whose direct messages Slack refuses,
 * for example because they have left, never will.
 */
function failureOf(error: unknown, isDirect: boolean): PostOutcome {
  const outcome = outcomeOf(error);
  const isRefused = !(error instanceof WebAPIRateLimitedError) && !mayPassSoon(error);
  const isAboutPerson = isRefused && !isTokenError(slackErrorName(error));
  return isDirect && isAboutPerson ? { kind: 'gone' } : outcome;
}
