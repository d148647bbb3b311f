import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/core/policy/permits.ts';
import { parseApprover } from '../../../src/core/policy/policy.ts';
import { ok, refuse } from '../../../src/core/values/result.ts';
import { parseOptions } from '../../../src/setup/usage.mjs';
import type { SlackLookUp } from '../../../src/tools/policy/explain-person.ts';
import { answerPolicyCommand, POLICY_OPTIONS } from '../../../src/tools/policy/explain-policy.ts';
import { readRules } from '../../../src/tools/policy/read-rules.ts';
import { programPath } from '../../support/program-path.ts';

const CREWS = `crews:
  - name: release
    base_url: https://release.example.com
    token: crew-token
    channel: releases
    starters: ["@release-managers"]
    approval:
      approvers: ["@release-managers", channel]
      self_approval: false
      escalate_after: 4h
      escalate_to: [U0LEAD]
      tasks:
        - match: "publish*"
          quorum: 2
          approvers: [maria@example.com, U0GUEST, U0LEAD]
          guests: true
          delegation: none
          comment: { approve: required }
          on_decline: reject
  - name: open
    base_url: https://open.example.com
    token: crew-token
    approval:
      approvers: [channel]
    require_user_token: true
  - name: routed
    base_url: https://routed.example.com
    token: crew-token
    channel: releases
    inputs:
      amount: { type: number }
      env: { type: choice, options: [prod, test] }
      urgent: { type: yes_no }
      due: { type: date }
      owner: { label: Owner }
      order: { type: json }
    approval:
      approvers: [U0LEAD, "input:owner"]
      when:
        - if: "inputs.amount > 5000 && inputs.env == 'prod'"
          quorum: 2
          approvers: [U0LEAD, "@release-managers"]
          may_loosen: true
        - if: "hour < 8 || round > 2 || starter == 'U0JON'"
          min_review: 1m
      tasks:
        - match: "release*"
          when:
            - if: "inputs.urgent"
              stages:
                - { name: Chief, approvers: [U0LEAD] }
              may_loosen: true
          stages:
            - { name: Peer, approvers: [channel] }
            - { name: Release, approvers: ["@release-managers", "input:owner"] }
`;

const folder = mkdtempSync(join(tmpdir(), 'signoff-policy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const CREWS_FILE = join(folder, 'crews.yml');
writeFileSync(CREWS_FILE, CREWS);

/** Slack can't be reached there. */
const ENV = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_API_URL: 'http://127.0.0.1:1/', CREWS_FILE };

const account = (id: string, own: Partial<Account> = {}): Account => ({
  ...{ identities: [id], isBot: false, isDeactivated: false, isGuest: false, isStranger: false },
  ...own,
});

const ACCOUNTS: Record<string, Account> = {
  U0MARIA: account('U0MARIA', { identities: ['U0MARIA', 'maria@example.com'] }),
  U0JON: account('U0JON'),
  U0LEAD: account('U0LEAD'),
  U0GUEST: account('U0GUEST', { isGuest: true }),
  U0OTHER: account('U0OTHER', { isStranger: true }),
  U0BOT: account('U0BOT', { isBot: true }),
  U0GONE: account('U0GONE', { isDeactivated: true }),
  U0ALONE: account('U0ALONE'),
};

const MEMBERS: Record<string, string[]> = {
  '@release-managers': ['U0MARIA'],
  'maria@example.com': ['U0MARIA'],
  'channel C0RELEASES': ['U0JON', 'U0OTHER', 'U0GUEST'],
};

const SLACK: SlackLookUp = {
  directory: {
    account: async (id) => ACCOUNTS[id] ?? null,
    membersOf: async ({ kind, name }, channel) => {
      const members = MEMBERS[kind === 'channel' ? `${name} ${channel}` : name];
      return members ? new Set(members) : null;
    },
  },
  personId: async (text) => {
    if (parseApprover(text)?.kind === 'person') return ok(text);
    const id = { '@maria': 'U0MARIA', 'maria@example.com': 'U0MARIA' }[text];
    return id === undefined ? refuse(`${text} stands for nobody in Slack.`) : ok(id);
  },
  channelId: async (name) => (name === 'releases' ? 'C0RELEASES' : null),
};

function answer(words: string[], slack: SlackLookUp | null = SLACK) {
  const rules = readRules(CREWS_FILE, {});
  if (!rules.ok) throw new Error(rules.refusal.join('\n'));
  const { values } = parseOptions(words, POLICY_OPTIONS);
  return answerPolicyCommand({ ...rules.value, command: '/kickoff' }, values, slack);
}

async function explain(words: string) {
  const { text, isError } = await answer(words.split(' '));
  expect(isError).toBe(false);
  return text.split('\n');
}

/** What is said about the person, after the rules. */
async function aboutPerson(words: string) {
  const lines = await explain(words);
  return lines.slice(lines.indexOf('') + 1);
}

describe('explaining a policy', () => {
  it('tells the usual rules, and where each of them stands', async () => {
    expect(await explain('--crew release')).toEqual([
      'Who decides for release:',
      '- Anyone in @release-managers or anyone in the channel can decide. (crews.yml, line 8)',
      '- The person who started the run can’t decide it. (crews.yml, line 9)',
      '- Who started a run outside Slack isn’t known, so they can decide it, too. (default)',
      '- Guests and people from other organisations can’t decide. (default)',
      '- After 4 hours without a decision, U0LEAD can decide, too. (crews.yml, lines 10, 11)',
      '- Tasks like "publish*" have rules of their own. (crews.yml, line 13)',
      '- Until the crew has told a task’s name, an approval has to be complete by these rules and by those of “publish*”.',
      '- Anyone in @release-managers can start it. (crews.yml, line 6)',
    ]);
  });

  it('tells the rules of a task, its own and those of the crew', async () => {
    expect(await explain('--crew release --task Publishing')).toEqual([
      'Who decides for release, task "Publishing" (by the rules for "publish*": crews.yml, line 13):',
      '- Two of maria@example.com, U0GUEST and U0LEAD have to approve; one rejection decides at once. (crews.yml, lines 14, 15)',
      '- The person who started the run can’t decide it. (crews.yml, line 9)',
      '- Who started a run outside Slack isn’t known, so they can decide it, too. (default)',
      '- Guests and people from other organisations can decide only if they’re named by their ID. (crews.yml, line 16)',
      '- Nobody can be added as an approver, and nobody stands in for people who are away. (crews.yml, line 17)',
      '- An approval needs a note. (crews.yml, line 18)',
      '- After “Decline”, the crew gets a last rejection that says so. (crews.yml, line 19)',
      '- After 4 hours without a decision, U0LEAD can decide, too. (crews.yml, lines 10, 11)',
      '- Anyone in @release-managers can start it. (crews.yml, line 6)',
    ]);
    expect((await explain('--crew release --task draft'))[0]).toBe(
      'Who decides for release, task "draft" (which has no rules of its own):',
    );
  });

  it.each([
    ['U0MARIA --starter U0JON', 'U0MARIA can decide, as one of @release-managers.'],
    ['maria@example.com --starter U0JON', 'maria@example.com can decide, as one of @release-managers.'],
    ['U0JON --starter U0MARIA', 'U0JON can decide, as a member of the channel.'],
    ['U0JON --starter U0JON', 'U0JON can’t decide: they started the run.'],
    ['U0JON --starter elsewhere', 'U0JON can decide, as a member of the channel.'],
    ['U0MARIA --starter maria@example.com', 'U0MARIA can’t decide: they started the run.'],
    ['U0LEAD --starter U0JON', 'U0LEAD can decide only after 4 hours without a decision, being named in the rules.'],
    ['U0ALONE --starter U0JON', 'U0ALONE can’t decide: they are none of those who can.'],
    ['U0GUEST --starter U0JON', 'U0GUEST can’t decide: they are a guest, and the rules don’t let them.'],
    [
      'U0OTHER --starter U0JON',
      'U0OTHER can’t decide: they belong to another organisation, and the rules don’t let them.',
    ],
    ['U0BOT --starter U0JON', 'U0BOT can’t decide: it is a bot.'],
    ['U0GONE --starter U0JON', 'U0GONE can’t decide: the account is deactivated.'],
    ['U0NOBODY --starter U0JON', 'U0NOBODY can’t decide: Slack can’t say who U0NOBODY is.'],
    ['U0JON --starter U0NOBODY', 'U0JON can’t decide: Slack can’t say who U0NOBODY is.'],
    ['@maria --starter U0JON', '@maria can decide, as one of @release-managers.'],
    ['@maria --starter @maria', '@maria can’t decide: they started the run.'],
    ['U0GUEST --task publish --starter U0JON', 'U0GUEST can decide, being named in the rules.'],
    ['U0MARIA --task publish --starter U0JON', 'U0MARIA can decide, being named as maria@example.com.'],
    ['U0JON --task publish --starter U0MARIA', 'U0JON can’t decide: they are none of those who can.'],
  ])('tells what it means for %s', async (words, sentence) => {
    expect((await aboutPerson(`--crew release --user ${words}`))[0]).toBe(sentence);
  });

  it('tells what it can’t take into account', async () => {
    expect(await aboutPerson('--crew release --user U0JON')).toEqual([
      'U0JON can decide, as a member of the channel.',
      'This assumes that the request is posted in releases, the crew’s own channel.',
      'If U0JON started the run, they can’t decide it.',
    ]);
    expect(await aboutPerson('--crew open --user U0JON')).toEqual([
      'U0JON can’t decide: Slack can’t say whether they belong to the channel.',
      'The crew has no channel of its own: whose members count depends on where the run is started.',
      'Either way, U0JON needs a token of their own, which is not checked here.',
    ]);
  });
});

/** Runs the command as an operator does, with nothing but these settings. */
function policy(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string; errors: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [programPath('policy'), ...args], { env }, (error, out, errors) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, errors });
    });
  });
}

describe('explaining the rules for one request', () => {
  const REQUEST = '--crew routed --input env=prod --hour 12 --starter U0MARIA';
  const deciders = async (words: string) => (await explain(words)).filter((line) => !USUAL.test(line)).slice(1);
  const USUAL = /started the run|Guests|can be added/;

  it('says which condition holds, and the rules then, with their lines', async () => {
    expect(await explain(`${REQUEST} --input amount=9000`)).toEqual([
      'Who decides for routed, for such a request:',
      "- This condition holds: `inputs.amount > 5000 && inputs.env == 'prod'` (crews.yml, line 40)",
      '- Two of U0LEAD and @release-managers have to approve; one rejection decides at once. (crews.yml, lines 41, 42)',
      '- The person who started the run can decide it, too, if they’re one of them. (default)',
      '- Until the crew has told a task’s name, an approval has to be complete by these rules and by those of “release*”.',
    ]);
  });

  it('says whom an input names, and that no condition holds', async () => {
    expect(await deciders(`${REQUEST} --input amount=9 --input owner=maria@example.com`)).toEqual([
      '- None of the conditions holds.',
      '- U0LEAD or maria@example.com (named by the input owner) can decide. (crews.yml, line 38)',
      '- Until the crew has told a task’s name, an approval has to be complete by these rules and by those of “release*”.',
    ]);
  });

  it('says what can’t be told, and all rules that may apply', async () => {
    expect(await deciders('--crew routed --input env=prod --round 1')).toEqual([
      "- Whether this condition holds can’t be told, as inputs.amount isn’t known: `inputs.amount > 5000 && inputs.env == 'prod'` (crews.yml, line 40)",
      "- Whether this condition holds can’t be told, as hour and starter aren’t known: `hour < 8 || round > 2 || starter == 'U0JON'` (crews.yml, line 44)",
      '- Until that is known, an approval has to be complete by each of the rules that may apply.',
      "If `inputs.amount > 5000 && inputs.env == 'prod'`:",
      '- Two of U0LEAD and @release-managers have to approve; one rejection decides at once. (crews.yml, lines 41, 42)',
      "If `hour < 8 || round > 2 || starter == 'U0JON'`:",
      '- U0LEAD or the person whom the input owner names can decide. (crews.yml, line 38)',
      '- Signoff asks for confirmation if you approve less than 1 minute after the request. (crews.yml, line 45)',
      'Otherwise:',
      '- U0LEAD or the person whom the input owner names can decide. (crews.yml, line 38)',
      '- Until the crew has told a task’s name, an approval has to be complete by these rules and by those of “release*”.',
    ]);
  });

  it.each([
    ['--hour 7', 'line 44'],
    ['--hour 12 --round 3', 'line 44'],
    ['--hour 12 --starter U0JON', 'line 44'],
  ])('takes all that conditions see: %s', async (words, line) => {
    const lines = await explain(`--crew routed --input amount=1 --input env=test --starter U0ANNA ${words}`);
    expect(lines[1]).toMatch(new RegExp(`^- This condition holds: .*${line}\\)$`));
  });

  it('says the stages that a condition puts in the place of others', async () => {
    expect(await deciders('--crew routed --task release --input urgent=true')).toEqual([
      '- This condition holds: `inputs.urgent` (crews.yml, line 49)',
      '- One stage has to be approved; one rejection decides at once. (crews.yml, line 50)',
      expect.stringMatching(/^- Stage 1, “Chief”: .*\(crews.yml, line 51\)$/),
    ]);
  });

  it('tells what it means for a person, stage by stage', async () => {
    const words = '--crew routed --task release --input urgent=false --starter U0LEAD';
    expect(await aboutPerson(`${words} --input owner=U0JON --user U0JON`)).toEqual([
      'Stage 1, “Peer”: U0JON can decide, as a member of the channel.',
      'Stage 2, “Release”: U0JON can decide, being named by the input owner.',
      'Nobody can approve more than one stage.',
      'This assumes that the request is posted in releases, the crew’s own channel.',
    ]);
    expect(await aboutPerson(`${words} --user U0MARIA`)).toEqual([
      'Stage 1, “Peer”: U0MARIA can’t decide: they are none of those who can.',
      'Stage 2, “Release”: U0MARIA can decide, as one of @release-managers.',
      'Nobody can approve more than one stage.',
      'This assumes that the request is posted in releases, the crew’s own channel.',
    ]);
  });

  it('tells what the rules mean for a person where no condition holds, and says so', async () => {
    expect(await aboutPerson('--crew routed --user U0LEAD')).toEqual([
      'U0LEAD can decide, being named in the rules.',
      'This is where none of the conditions holds; --input tells of a request.',
    ]);
  });

  it.each([
    ['amount', '--input amount has no value: write NAME=VALUE.'],
    ['amount=', '--input amount must be a number.'],
    ['amount=much', '--input amount must be a number.'],
    ['amount=1e999', '--input amount must be a number.'],
    ['env=production', '--input env must be one of prod, test.'],
    ['urgent=maybe', '--input urgent must be true or false.'],
    ['due=tomorrow', '--input due must be a date such as 2026-12-31.'],
    ['order={', '--input order must be a JSON value.'],
    ['amuont=1', "--input amuont isn't among the inputs of routed; did you mean amount?"],
    ['constructor=1', "--input constructor isn't among the inputs of routed."],
    ['env=prod --round 0', '--round must be a whole number from 1.'],
    ['env=prod --hour 24', '--hour must be an hour from 0 to 23.'],
    ['env=prod --channel releases', '--channel must be the id of a channel, such as C0123456789.'],
  ])('says in one sentence what is wrong with --input %s', async (input, sentence) => {
    const words = `--crew routed --input ${input}`.split(' ');
    expect(await answer(words)).toEqual({ text: sentence, isError: true });
  });
});

describe('a person is told about only with Slack', () => {
  it.each([
    ['--user no@example.com', SLACK, '--user no@example.com stands for nobody in Slack.'],
    ['--user U0JON --starter @nobody', SLACK, '--starter @nobody stands for nobody in Slack.'],
    ['--user U0JON', null, '--user takes Slack, which knows people and their groups: set SLACK_BOT_TOKEN.'],
    ['--user @maria', null, '--user @maria takes Slack: set SLACK_BOT_TOKEN, or give the person’s id'],
  ])('%s', async (words, slack, sentence) => {
    const { text, isError } = await answer(`--crew release ${words}`.split(' '), slack);
    expect({ isError, told: text.slice(0, sentence.length) }).toEqual({ isError: true, told: sentence });
  });
});

describe('the command', () => {
  it.each([
    ['of the settings', { CREWS_FILE }, []],
    ['of a crews file', {}, ['--crews', CREWS_FILE]],
  ])('explains the rules %s without Slack, Redis or secrets', async (_, env, more) => {
    const { code, out, errors } = await policy(env, 'explain', '--crew', 'open', ...more);
    expect([code, errors]).toEqual([0, '']);
    expect(out).toContain('- Anyone in the channel can decide. (crews.yml, line 24)\n');
  });

  it('explains the rules of one request', async () => {
    const input = ['--input', 'amount=9000', '--input', 'env=prod'];
    const { code, out, errors } = await policy(ENV, 'explain', '--crew', 'routed', ...input);
    expect([code, errors]).toEqual([0, '']);
    expect(out).toContain(
      "- This condition holds: `inputs.amount > 5000 && inputs.env == 'prod'` (crews.yml, line 40)\n",
    );
  });

  it('needs no name if there is only one crew, and names the variable', async () => {
    const { out } = await policy({ CREW_NAME: 'research', CREW_APPROVERS: '@leads' }, 'explain');
    expect(out).toContain('- Anyone in @leads can decide. (CREW_APPROVERS)');
  });

  it.each([
    [['explain'], 'Give --crew. The crews are: release, open, routed'],
    [['explain', '--crew', 'other'], 'There is no crew other. The crews are: release, open, routed'],
    [['explain', '--crew', 'open', '--user', 'maria'], '--user maria can’t be looked up, since Slack could not be'],
    [['explain', '--crew', 'open', '--user', 'U0MARIA', '--starter', 'jon'], '--starter jon can’t be looked up'],
    [['explain', '--crew', 'open', '--starter', 'U0MARIA'], 'only together with --user'],
  ])('says what is missing or wrong: %j', async (args, told) => {
    const { code, out, errors } = await policy(ENV, ...args);
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain(told);
  });

  it.each([
    [[], 'This isn’t one of the commands'],
    [['explain', '--crew', 'open', '--usr', 'U0MARIA'], "Unknown option '--usr'."],
    [['export', '--crew', 'open'], 'This isn’t one of the commands'],
    [['explain', 'rules.yml'], 'or has too much.'],
    [['explain', '--fail'], 'or has too much.'],
  ])('says how it is used: %j', async (args, told) => {
    const { code, out, errors } = await policy(ENV, ...args);
    expect([code, out]).toEqual([2, '']);
    expect(errors).toContain(told);
    expect(errors).toContain('.\n\nUsage: npm run policy -- explain');
  });

  it.each([
    [{}, 'Give --crews with a crews file, or set CREWS_FILE, or CREW_NAME for a single crew.\n'],
    [{ CREWS_FILE: '/nowhere.yml' }, "/nowhere.yml can't be read: there is no such file.\n"],
    [{ CREW_NAME: 'research', CREW_QUORUM: 'two', CREW_TOKEN: 'crew-token' }, 'CREW_QUORUM must be'],
  ])('says with %j what is missing or wrong in the settings, and no secret', async (env, told) => {
    const { code, out, errors } = await policy(env, 'explain');
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain(told);
    expect(errors).not.toContain('crew-token');
  });
});
