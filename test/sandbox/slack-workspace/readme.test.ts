// What the package's README and reference list is what the workspace has.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { METHODS } from '../../../src/sandbox/slack-workspace/api/call-method.ts';
import { HELP } from '../../../src/sandbox/slack-workspace/command-line.ts';
import { SENT_EVENTS } from '../../../src/sandbox/slack-workspace/interactions/events.ts';
import { parseSeed } from '../../../src/sandbox/slack-workspace/seed-file.ts';

const README = readFileSync('src/sandbox/slack-workspace/README.md', 'utf8');
const REFERENCE = readFileSync('src/sandbox/slack-workspace/REFERENCE.md', 'utf8');

it.each([
  ['Methods', METHODS],
  ['Events', SENT_EVENTS],
])('the reference lists what there is: %s', (heading, all) => {
  const [, list = ''] = new RegExp(`^\\*\\*${heading}:\\*\\* ([\\s\\S]*?)\\.(?:\\s|$)`, 'm').exec(REFERENCE) ?? [];
  const wanted = Object.keys(all)
    .sort()
    .map((name) => `\`${name}\``)
    .join(', ');
  expect(list.replace(/\s+/g, ' '), `Write into the reference:\n**${heading}:** ${wanted}.`).toBe(wanted);
});

it('the README lists every option of the command', () => {
  const options = [...HELP.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option = '']) => option);
  expect(options).toContain('--seed');
  for (const option of options) expect(README).toContain(`\`${option}`);
});

it('the README shows a seed that the workspace takes', () => {
  const [, seed = ''] = /```yaml\n(team:[\s\S]*?)```/.exec(README) ?? [];
  expect(parseSeed(parse(seed)).members.map(({ id }) => id)).toEqual(['UZOE', 'UBEN']);
});

it.each([
  ['python/app.py', 'base_url=os.environ.get("SLACK_API_URL", WebClient.BASE_URL)'],
  [
    'java/Deploy.java',
    'if (System.getenv("SLACK_API_URL") != null) slackConfig.setMethodsEndpointUrlPrefix(System.getenv("SLACK_API_URL"));',
  ],
  ['go/main.go', 'slack.OptionAPIURL(cmp.Or(os.Getenv("SLACK_API_URL"), slack.APIURL))'],
])('the README shows the line by which the app of the long tests finds the workspace: %s', (app, line) => {
  expect(README).toContain(line);
  expect(readFileSync(`test/sandbox/slack-workspace/foreign/${app}`, 'utf8')).toContain(line);
});
