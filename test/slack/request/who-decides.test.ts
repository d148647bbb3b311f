import { describe, expect, it } from 'vitest';
import type { CardModel } from '../../../src/core/messages/view-models.ts';
import type { PossibleCause } from '../../../src/core/policy/explained.ts';
import type { Approver, Policy } from '../../../src/core/policy/policy.ts';
import type { Person } from '../../../src/core/state/request.ts';
import type { Deciders } from '../../../src/slack/request/who-decides.ts';
import { inForce } from '../../support/rules-in-force.ts';
import { sayIn } from '../../support/say.ts';
import { approvalCard } from '../ui/approval-card.ts';
import {
  card,
  completed,
  deciders,
  decision,
  handOver,
  jon,
  maria,
  NOW,
  name,
  policy,
  rejection,
  say,
  staged,
  vote,
} from '../ui/models.ts';
import { actionsOf, said } from '../ui/said.ts';

const aiko = { id: 'U0AIKO', name: 'Aiko' };
const approverName = (asWritten: string) => ({ U0AIKO: 'Aiko', S0LEADS: '@leads' })[asWritten] ?? asWritten;
const choices = { notes: 'offered', edits: 'offered' } as const;
const details = { output: 'A post.', preview: 400, ...choices, name, rendering: 'full', say } as const;
const shown = (
  rule: Parameters<typeof policy>[0] | Policy,
  change: Partial<CardModel> = {},
  more: Partial<Deciders> = {},
) =>
  approvalCard(card(change), {
    ...details,
    deciders: deciders({ rule: isPolicy(rule) ? rule : policy(rule), approverName, ...more }),
  });

const isPolicy = (rule: Parameters<typeof policy>[0] | Policy): rule is Policy =>
  typeof rule?.approvers?.[0] === 'object';

const LEADS = policy({ approvers: ['@leads'] }).approvers;

/** One person each of two groups has to approve. */
const LEGAL = { approvers: ['@legal', '@security'], allOf: ['@legal', '@security'] };

const seated = (by: Person, seat?: string, rule = seat ?? '@legal') => ({ ...vote(by), rule, seat });

describe('who can decide', () => {
  it.each([
    ['one of a group', { approvers: ['@release-managers'] }, '@release-managers can decide'],
    ['one of several', { approvers: ['S0LEADS', 'U0AIKO'] }, '@leads and Aiko can decide'],
    ['one of the channel', { approvers: ['channel'] }, 'Anyone in this channel can decide'],
    ['two of a group', { approvers: ['@leads'], quorum: 2 }, 'Needs 2 of @leads'],
    ['three of the channel', { approvers: ['channel'], quorum: 3 }, 'Needs 3 people of this channel'],
    ['two of the workspace', { quorum: 2 }, 'Needs 2 people'],
  ])('is said in one line: %s', (_, rule, line) => {
    expect(said(shown(rule))).toContain(`\n${line}\nApprove\n`);
    expect(shown(rule).text).toContain(line);
  });

  it.each([
    [{}, 'Needs @legal and @security'],
    [{ quorum: 3 }, 'Needs 3 of @legal and @security · at least one of each'],
    [{ approvers: ['@leads'] }, 'Needs 1 of @leads · also needs @legal and @security'],
    [{ approvers: ['channel'], quorum: 2 }, 'Needs 2 people of this channel · also needs @legal and @security'],
    [{ approvers: ['workspace'] }, 'Needs @legal and @security'],
    [{ approvers: ['workspace'], quorum: 3 }, 'Needs 3 people · among them @legal and @security'],
    [{ allOf: ['channel', 'U0AIKO'], approvers: ['U0AIKO', 'channel'] }, 'Needs somebody in this channel and Aiko'],
  ])('is said of those of whom one person each has to approve: %j', (change, line) => {
    expect(said(shown({ ...LEGAL, ...change }))).toContain(`\n${line}\nApprove\n`);
  });

  it.each([
    [{}, [seated(maria, '@legal')], '1 of 2 approved: Maria · still needs @security'],
    [{}, [seated(maria, '@legal'), seated(jon)], '1 of 2 approved: Maria and Jon · still needs @security'],
    [{ approvers: ['@leads'] }, [seated(maria, '@legal')], '1 approved: Maria · still needs @security and @leads'],
    [
      { approvers: ['@leads'] },
      [seated(jon, undefined, '@leads')],
      '1 approved: Jon · still needs @legal and @security',
    ],
  ])('says whose approval is missing: %j %j', (change, votes, line) => {
    expect(said(shown({ ...LEGAL, ...change }, { votes }))).toContain(`\n☑️ ${line}\nApprove\n`);
  });

  it('is said with the open stage, those to come, and who has approved those before', () => {
    const stages = {
      'Peer <1>': { approvers: ['channel'] },
      Legal: LEGAL,
      Board: { approvers: ['@leads'], quorum: 2 },
    };
    expect(said(shown(staged(stages)))).toContain(
      '\nStage 1 of 3, *Peer &lt;1&gt;*: Anyone in this channel can decide · then *Legal* and *Board*\nApprove\n',
    );
    const complete = completed(staged(stages), 0, [vote(jon, 'Fine.')]);
    const votes = [seated(maria, '@legal')];
    const message = shown(staged(stages, 1), { stages: [complete], votes });
    expect(said(message)).toContain(
      '\nStage 2 of 3, *Legal* · then *Board* · ☑️ 1 of 2 approved: Maria · still needs @security\n' +
        '☑️ *Peer &lt;1&gt;* approved: Jon\n💬 Jon: “Fine.”\nApprove\n',
    );
    expect(message.text).toContain('*Peer &lt;1&gt;* approved: Jon · 1 of 2 approved: Maria');
    expect(said(shown(staged(stages, 2), { stages: [complete, completed(staged(stages), 1, votes)] }))).not.toContain(
      'then',
    );
  });

  it('is said as long as nothing else says it', () => {
    const votes = [seated(maria, '@legal'), seated(jon, '@security')];
    expect(said(shown({ ...LEGAL, quorum: 3 }, { votes }))).toContain(
      '\nNeeds 3 of @legal and @security · at least one of each · ☑️ 2 of 3 approved: Maria and Jon\n',
    );
    expect(said(shown(LEGAL, { votes: votes.slice(0, 1) }))).not.toContain('Needs @legal');
  });

  it('puts the stage first in German, too', () => {
    const german = sayIn('de');
    const message = approvalCard(card(), {
      ...{ ...details, say: german },
      deciders: deciders({ rule: staged({ Peer: { approvers: ['@leads'] }, Board: LEGAL }), approverName }),
    });
    expect(said(message)).toContain('\nStufe 1 von 2, *Peer* · Entscheiden können: @leads · danach *Board*\n');
    const seats = approvalCard(card({ votes: [seated(maria, '@legal')] }), {
      ...{ ...details, say: german },
      deciders: deciders({ rule: policy(LEGAL), approverName }),
    });
    expect(said(seats)).toContain('\n☑️ 1 von 2 freigegeben: Maria · noch nötig: @security\n');
  });

  it('leaves out stages that were complete by other rules', () => {
    const complete = completed(staged({ Peer: {}, Legal: LEGAL }), 0, [vote(jon)]);
    const stages = { Legal: LEGAL, Board: { approvers: ['@leads'] } };
    expect(said(shown(staged(stages), { stages: [complete] }))).not.toContain('Peer');
  });

  it('offers nobody to withdraw a vote from a stage that is complete', () => {
    const policyNow = staged({ Peer: {}, Board: { approvers: ['@leads'] } }, 1);
    const stages = [completed(policyNow, 0, [vote(jon)])];
    expect(said(shown(policyNow, { stages }))).not.toContain('Withdraw my vote');
    expect(said(shown(policyNow, { stages, votes: [vote(maria)] }))).toContain('Withdraw my vote');
  });

  it('says whom an input names, and that it names nobody', () => {
    const named = { kind: 'person', name: 'U0AIKO', input: 'owner' } as const;
    const words = (approvers: Approver[]) => said(shown({ ...policy(), approvers }));
    expect(words([named])).toContain('\nAiko can decide\n');
    expect(words([{ kind: 'input', name: 'input:<owner>' }])).toContain(
      '\nNobody can decide, since the input &lt;owner&gt; names nobody\n',
    );
    expect(words([...LEADS, { kind: 'input', name: 'input:owner' }])).toContain('\n@leads can decide\n');
  });

  it('is said where those who can are mentioned, and the starter apart from them', () => {
    const approverMentions = new Map([
      ['@leads', { kind: 'group', id: 'S0LEADS' } as const],
      ['U0AIKO', { kind: 'person', id: 'U0AIKO' } as const],
    ]);
    const decidable = deciders({ rule: policy({ approvers: ['@leads', 'U0AIKO', '@writers'] }), approverName });
    const message = approvalCard(card(), {
      ...details,
      deciders: { ...decidable, approverMentions },
      mentions: [
        { kind: 'group', id: 'S0LEADS' },
        { kind: 'person', id: 'U0MARIA' },
      ],
    });
    const [line] = message.blocks.slice(-2);
    expect(line).toMatchObject({
      type: 'section',
      text: { text: '🔔 <!subteam^S0LEADS>, Aiko and @writers can decide · cc <@U0MARIA>' },
    });
    expect(JSON.stringify(message).match(/<@|<!subteam/g)).toHaveLength(2);
    expect(message.text).toContain('@leads, Aiko and @writers can decide');
  });

  it('is anyone where any one person of the workspace can', () => {
    expect(said(shown({}))).toContain('\nAnyone in the workspace can decide\n');
  });

  it.each([
    [{ approvers: ['U0AIKO', 'U0MARIA'], quorum: 2 }, 'still needs Aiko'],
    [{ approvers: ['U0AIKO', 'U0MARIA', 'U0JON'], quorum: 2 }, 'still needs 1 of Aiko and U0JON'],
    [{ quorum: 3 }, 'still needs 2 more people'],
  ])('of several people, those who have approved are no longer missing: %j', (rule, still) => {
    expect(said(shown(rule, { votes: [vote(maria)] }))).toMatch(new RegExp(`approved: Maria · ${still}\nApprove\n`));
  });

  it('says what approving does first, where the rules say so', () => {
    const message = shown({ ...policy({ quorum: 2 }), approveMeans: 'Publishes to <customers>' });
    expect(said(message)).toContain('\n*Publishes to &lt;customers&gt;* · Needs 2 people\n');
  });

  it('says that the starter can’t', () => {
    const rule = { selfApproval: false };
    expect(said(shown(rule, {}, { starter: maria }))).toContain(
      'Anyone in the workspace can decide · not Maria, who started the run',
    );
    expect(said(shown(rule, {}, { starter: maria })).match(/Maria/g)).toHaveLength(1);
  });

  it.each<[string, Policy[], CardModel['votes'], PossibleCause[], string]>([
    [
      'the crew’s own rules and those of a task',
      [policy({ approvers: ['@legal'] }), policy({ approvers: ['U0AIKO'] })],
      [],
      [{ task: 'legal-review', condition: null }],
      'Needs Aiko and @legal: whether this is *legal-review* isn’t known yet',
    ],
    [
      'whoever else approves is one of the workspace',
      [policy({ approvers: ['@legal'], quorum: 2 }), policy()],
      [],
      [{ task: 'legal*', condition: null }],
      'Needs 2 of @legal: whether this is *legal** isn’t known yet',
    ],
    [
      'a condition',
      [policy(LEGAL), policy()],
      [],
      [{ task: null, condition: { text: 'inputs.amount > 5', verdict: 'unknown', values: [], missing: [] } }],
      'Needs @legal and @security: whether inputs.amount &gt; 5 holds isn’t known yet',
    ],
    [
      'what is left once somebody has approved',
      [policy({ approvers: ['@legal'] }), policy({ approvers: ['U0AIKO'] })],
      [{ ...vote(aiko), under: [{ place: '' }] }],
      [{ task: 'legal-review', condition: null }],
      'Needs @legal: whether this is *legal-review* isn’t known yet',
    ],
  ])(
    'says what is missing by all rules that may turn out to apply, in one sentence: %s',
    (_, rules, votes, doubts, line) => {
      const policies = rules.map((rule, i) => inForce(rule, { place: i === 0 ? '/tasks/0' : '' }));
      expect(said(shown({}, { votes }, { policies, doubts }))).toContain(line);
    },
  );

  it('counts those who have approved, and quotes their notes for the others, who approve them, too', () => {
    const votes = [vote(maria), vote(jon, 'Only the <facts>')];
    const message = shown({ approvers: ['@leads'], quorum: 3 }, { votes });
    expect(said(message)).toContain(
      '\n☑️ 2 of 3 approved: Maria and Jon · still needs @leads\n💬 Jon: “Only the &lt;facts&gt;”\nApprove\n',
    );
    const long = shown({ approvers: ['@leads'], quorum: 3 }, { votes: [vote(jon, 'Only the facts. '.repeat(40))] });
    expect(said(long)).toMatch(/\n💬 Jon: “Only[^”\n]{150,200}…”\nApprove\n/);
  });

  it('says until when, where it closes', () => {
    expect(said(shown({}, { expireAt: NOW }))).toMatch(/can decide · ⏳ <!date\^\d+\^open until \{date_short_pretty\}/);
    expect(said(shown({}))).not.toContain('open until');
  });

  it('says to whom it was handed over and escalated', () => {
    const change = { handedOver: [handOver(jon, maria), handOver(aiko, jon)], escalations: [{ rules: '', at: NOW }] };
    const rule = policy({ approvers: ['@writers'], escalateTo: ['S0LEADS'] });
    const words = said(shown(rule, change, { policies: [inForce(rule, { isEscalated: true })] }));
    expect(words).toContain('Can decide, too: Jon (added by Maria) and Aiko (added by Jon)');
    expect(words).toContain('Escalated to @leads · <!date^');
    expect(words).toContain('\n@writers and @leads can decide\n');
  });

  it('says who is away and who stands in', () => {
    const until = Date.UTC(2026, 11, 2);
    const words = said(shown({}, { handedOver: [{ ...handOver(jon, maria), until }, handOver(aiko, jon)] }));
    expect(words).toMatch(/Can decide, too: Aiko \(added by Jon\)\n.*Maria is away until <!date\^/);
    expect(words).toContain('{date_short}|2026-12-01 UTC>; Jon can decide, too');
  });

  it('offers to explain the rule, to hand over, and to withdraw a vote where there is one', () => {
    expect(said(shown({}))).toMatch(/Who can decide\?\nAdd an approver…$/);
    expect(said(shown({ quorum: 2 }, { votes: [vote(jon)] }))).toMatch(/Add an approver…\nWithdraw my vote$/);
    expect(
      actionsOf(shown({ quorum: 2 }, { votes: [vote(jon)], state: { kind: 'told', decision: decision() } })),
    ).toEqual(['review']);
  });

  it('names at most a few of fifty people, and says how many more there are', () => {
    const people = Array.from({ length: 50 }, (_, i) => ({ id: `U0P${i}`, name: `Person ${i}` }));
    const rule = { approvers: people.map(({ id }) => id), quorum: 51 };
    const words = said(shown(rule, { votes: people.map((person) => vote(person)) }));
    expect(words).toMatch(/☑️ 50 of 51 approved: Person 0, .* and 38 more · still needs 1 more person/);
  });

  it.each([
    { kind: 'pending' },
    { kind: 'undoable', decision: decision(), undoUntil: NOW },
    { kind: 'told', decision: rejection() },
  ] as const)('mentions nobody on a card that is $kind', (state) => {
    const change = {
      votes: [vote(jon)],
      handedOver: [handOver(jon, maria)],
      escalations: [{ rules: '', at: NOW }],
      state,
    };
    const message = shown({ approvers: ['U0AIKO', 'S0LEADS'], quorum: 2, escalateTo: ['@leads'] }, change);
    expect(JSON.stringify(message)).not.toMatch(/<@|<!subteam|<!channel|<!here/);
  });
});

describe('a decision of several people', () => {
  const votes = [vote(jon, 'Shorter.'), vote(aiko)];

  it('names those who approved its stages, with what they wrote', () => {
    const stages = [completed(staged({ Peer: {}, Board: {} }), 0, votes)];
    const told = decision({ text: 'jon: Shorter.' });
    const message = shown({}, { stages, state: { kind: 'told', decision: told } });
    expect(said(message)).toContain('✅ *Jon, Aiko and Maria approved “Write the post”*');
    expect(said(message)).toContain('jon: Shorter.');
    expect(said(shown({}, { stages, state: { kind: 'told', decision: rejection() } }))).toContain(
      'Maria rejected “Write the post” after Jon and Aiko had approved',
    );
  });

  it('names them in the order of their approvals', () => {
    const message = shown({ quorum: 3 }, { votes, state: { kind: 'told', decision: decision() } });
    expect(said(message)).toContain('✅ *Jon, Aiko and Maria approved “Write the post”*');
    expect(message.text).toContain('Jon, Aiko and Maria approved “Write the post” · Research. Sent to the crew.');
  });

  it('shows the joined notes as the crew gets them', () => {
    const told = decision({ feedback: 'Fine.', text: 'jon: Shorter.\n\nmaria: Fine.' });
    const words = said(shown({ quorum: 3 }, { votes, state: { kind: 'told', decision: told } }));
    expect(words).toContain('jon: Shorter.\nmaria: Fine.');
    const plain = shown({ quorum: 2 }, { votes: [vote(aiko)], state: { kind: 'told', decision: decision() } });
    expect(said(plain)).not.toContain('Approved.');
  });

  it('tells who had approved before somebody rejected', () => {
    const words = said(shown({ quorum: 3 }, { votes, state: { kind: 'told', decision: rejection() } }));
    expect(words).toContain('↩️ *Maria rejected “Write the post” after Jon and Aiko had approved*');
    expect(words).not.toContain('Shorter.');
  });

  it('says until when it can be undone', () => {
    const message = shown({}, { state: { kind: 'undoable', decision: decision(), undoUntil: NOW } });
    expect(said(message)).toMatch(
      /Goes to the crew at <!date\^1763690000\^\{time_secs\}\|.*>\. Until then, you can undo it/,
    );
    expect(actionsOf(message)).toEqual(['review', 'undo']);
  });
});

describe('a request that nobody decided in time', () => {
  it('says that the crew was not told, and what to do', () => {
    const message = shown({}, { state: { kind: 'expired', expiredAt: NOW } });
    for (const words of [
      'Approval closed: “Write the post”',
      'Nobody decided in time',
      'the crew was not told',
      'its own control panel',
    ])
      expect(said(message)).toContain(words);
    expect(actionsOf(message)).toEqual(['review']);
  });

  it('says that a rejection was sent', () => {
    const late = { ...rejection('Nobody decided in time, sorry.'), by: null };
    const words = said(shown({}, { state: { kind: 'told', decision: late } }));
    expect(words).toContain('↩️ *“Write the post” was rejected, as nobody decided in time*');
    expect(words).toContain('Nobody decided in time, sorry.');
  });
});
