import { describe, expect, it } from 'vitest';
import { alertReply } from '../../../../src/slack/features/card/alert.ts';
import { LINK } from '../../ui/every-view.ts';
import { jon, maria, NOW, name, say, vote } from '../../ui/models.ts';
import { said } from '../../ui/said.ts';

const model = {
  kind: 'reminder' as const,
  by: null,
  taskName: 'Draft',
  crew: 'Research',
  about: 'Bees & honey',
  askedAt: NOW,
  link: LINK,
  name,
  say,
  mentions: [{ kind: 'person', id: 'U0JON' } as const, { kind: 'group', id: 'S0LEADS' } as const],
  whoCan: 'all members of this channel',
};

describe('an alert', () => {
  it('reminds those who can decide, with a link', () => {
    const message = alertReply(model);
    expect(said(message)).toMatch(
      /^⏰ <@U0JON> <!subteam\^S0LEADS>: “Draft” has been waiting for approval <!date\^\d+\^since {.*>\. <https.*\|Open the approval>$/,
    );
    expect(message.text).toMatch(
      /^⏰ “Draft” has been waiting for approval <!date[^@]*>\.\nResearch · Bees &amp; honey$/,
    );
  });

  it('tells those who can decide after an escalation', () => {
    expect(said(alertReply({ ...model, kind: 'escalation' }))).toContain('From now on, you can decide, too.');
  });

  it('says who asks', () => {
    const words = said(alertReply({ ...model, kind: 'ask', by: maria }));
    expect(words).toContain('Maria asks you to decide.');
  });

  it.each([
    ['reminder', 'Who can decide: all members of this channel.'],
    ['escalation', 'Who can decide from now on, too: all members of this channel.'],
    ['ask', 'A member asks for a decision.'],
  ] as const)('says in words who can where nobody is mentioned: %s', (kind, words) => {
    const message = alertReply({ ...model, kind, mentions: [] });
    expect(said(message)).toContain(words);
    expect(said(message)).not.toMatch(/<@|<!subteam|\byou/);
  });

  it('says which stage is approved by whom, and which comes next', () => {
    const stage = { name: 'Peer <1>', votes: [vote(jon), { ...vote(maria), for: jon }], next: 'Release' };
    const words = said(alertReply({ ...model, kind: 'stage', stage }));
    expect(words).toMatch(
      /^➡️ <@U0JON> <!subteam\^S0LEADS>: “Draft”: \*Peer &lt;1&gt;\* is approved by Jon and Maria \(for Jon\)\. Please decide \*Release\*\. </,
    );
    const quiet = said(alertReply({ ...model, kind: 'stage', stage, mentions: [] }));
    expect(quiet).toContain('so *Release* comes next. Who can decide: all members of this channel.');
    expect(said(alertReply({ ...model, kind: 'stage', stage: null }))).toContain('“Draft” has been waiting');
  });

  it('mentions nobody twice, and nothing that isn’t an id', () => {
    const odd = { kind: 'person', id: 'U1> <!channel' } as const;
    const words = said(alertReply({ ...model, mentions: [...model.mentions, ...model.mentions, odd] }));
    expect(words.match(/<@|<!subteam/g)).toHaveLength(2);
    expect(words).not.toContain('<!channel');
  });

  it('names nothing that Slack could refuse where the task has no name', () => {
    expect(said(alertReply({ ...model, taskName: null }))).toContain('A result has been waiting');
  });
});
