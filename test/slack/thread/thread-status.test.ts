import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Step } from '../../../src/core/execution/events.ts';
import type { Language } from '../../../src/core/policy/crew.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { Message } from '../../../src/sandbox/slack-workspace/people-api.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { createRateLimiters } from '../../../src/slack/api/rate-limiter.ts';
import { createThreadStatus } from '../../../src/slack/thread/thread-status.ts';
import { crew, silent } from '../../crew/crew-values.ts';
import { type ExecutionChange, execution } from '../../support/executions.ts';
import { posted } from '../../support/requests.ts';
import { SAYINGS } from '../../support/say.ts';

const METHOD = 'assistant.threads.setStatus';

let slack: SlackWorkspace;
let root: Message;
beforeAll(async () => {
  slack = await startSlackWorkspace({ rateLimits: 'off' });
});
afterAll(() => slack.close());
beforeEach(async () => {
  slack.faults.clear();
  root = await slack.as('maria').say('#releases', 'a thread');
});

const running = (change: ExecutionChange = {}): Execution =>
  execution({ channel: root.channel, root: posted({ ts: root.ts }), ...change });

const STEP: Step = { at: Date.now(), agent: 'Ada', thought: null, tool: null, toolInput: null, result: null };

function statusOf(step: Partial<Step> | null = {}, language: Language = 'en') {
  const { background: client } = createSlackClients({
    token: slack.botToken,
    apiUrl: slack.apiUrl,
    logger: slackLogger(silent),
  });
  const latest = async () => (step === null ? [] : [{ ...STEP, at: Date.now(), ...step }]);
  const crews = new Map([['editorial', crew({ name: 'editorial', language })]]);
  return createThreadStatus({
    client,
    activity: { latest, add: async () => {} },
    crews,
    sayings: SAYINGS,
    limiter: createRateLimiters().statuses,
    log: silent,
  });
}

const seen = () => slack.as('maria').status(root);
const calls = () => slack.calls().filter(({ name }) => name === METHOD).length;
const refuse = (error: string, where: Record<string, string> = {}) =>
  slack.faults.add({ method: METHOD, where, effect: { kind: 'error', error } });

describe('the status of a thread', () => {
  it.each<[string, Partial<Step>, string]>([
    ['the tool that an agent uses', { tool: 'web\nsearch', thought: 'Hm' }, 'reports: Ada is using web search…'],
    ['what it thinks', { thought: 'Drafting the post' }, 'reports: Ada: Drafting the post…'],
    ['that it works', {}, 'reports: Ada is working…'],
    ['an agent without a name', { agent: null, tool: 'git' }, 'reports: An agent is using git…'],
    [
      'nothing that could be live',
      { agent: '<!channel>', thought: '<@U1> a & b' },
      'reports: ‹!channel›: ‹@U1› a & b…',
    ],
  ])('tells %s', async (_, step, words) => {
    expect(await statusOf(step).showStatus(running())).toBe('told');
    expect(await seen()).toBe(words);
    expect(await slack.as('maria').seesStatus(root, words)).toMatchObject({
      loadingMessages: [words.slice('reports: '.length)],
    });
  });

  it('is short, whatever an agent thinks, and in the language of the crew', async () => {
    await statusOf({ thought: 'long '.repeat(500) }).showStatus(running());
    expect((await seen())?.length).toBeLessThan(150);
    await statusOf({ tool: 'git' }, 'de').showStatus(running());
    expect(await seen()).toBe('meldet: Ada benutzt git …');
  });

  it('goes when it is cleared', async () => {
    const { showStatus, clearStatus } = statusOf();
    await showStatus(running());
    await clearStatus(running());
    expect(await seen()).toBeUndefined();
  });

  it('says nothing of an agent that has been silent for long, or that never said anything', async () => {
    expect(await statusOf({ at: Date.now() - 16 * 60_000 }).showStatus(running())).toBe('silent');
    expect(await statusOf(null).showStatus(running())).toBe('silent');
    expect(await seen()).toBeUndefined();
  });

  it.each(['missing_scope', 'unknown_method', 'method_deprecated', 'not_allowed_token_type', 'account_inactive'])(
    'is refused to the whole installation with %s, which isn’t asked again for a while',
    async (error) => {
      const { showStatus, clearStatus } = statusOf();
      const before = calls();
      refuse(error);
      expect(await showStatus(running())).toBe('refused');
      expect(await showStatus(running({ ref: 'other' }))).toBe('refused');
      await clearStatus(running());
      expect(calls()).toBe(before + 1);
    },
  );

  it.each([
    'invalid_thread_ts',
    'channel_not_found',
    'team_access_not_granted',
    'access_denied',
    'ekm_access_denied',
    'something_new',
  ])('may be refused for one thread, channel or workspace alone, with %s', async (error) => {
    const { showStatus } = statusOf();
    const before = calls();
    refuse(error);
    expect(await showStatus(running())).toBe('refused');
    expect(await showStatus(running())).toBe('refused');
    expect(calls()).toBe(before + 1);
    expect(await showStatus(running({ ref: 'other' }))).toBe('told');
  });

  it('isn’t tried again where Slack is too busy or doesn’t answer', async () => {
    const { showStatus } = statusOf();
    const before = calls();
    slack.faults.add({ method: METHOD, effect: { kind: 'status', status: 500 } });
    expect(await showStatus(running())).toBe('told');
    slack.faults.add({ method: METHOD, effect: { kind: 'rate-limited', retryAfterSeconds: 60 } });
    expect(await showStatus(running())).toBe('told');
    expect(await showStatus(running())).toBe('told');
    expect(calls()).toBe(before + 2);
    expect(await seen()).toBeUndefined();
  });
});
