import type { ModalView } from '@slack/types';
import type { PlannedTask, PlannedTaskState } from '../../../src/core/execution/plan.ts';
import type { CardState, RootModel } from '../../../src/core/messages/view-models.ts';
import { inputFields } from '../../../src/core/policy/crew.ts';
import type { Denial } from '../../../src/core/policy/permits.ts';
import type { KickoffDoubt, Run } from '../../../src/core/state/execution.ts';
import type { Rendering } from '../../../src/core/state/post.ts';
import type { Alert, CrewRefusal, Person, ResumeFailure } from '../../../src/core/state/request.ts';
import type { InputField, InputType } from '../../../src/core/values/input-field.ts';
import type { Json } from '../../../src/core/values/json.ts';
import {
  alertNotice,
  alertReply,
  type DirectReason,
  directCard,
  directLine,
} from '../../../src/slack/features/card/alert.ts';
import type { LineProblem } from '../../../src/slack/features/kickoff/command-line.ts';
import { kickoffForm, unchosenForm } from '../../../src/slack/features/kickoff/form.ts';
import { refusedState } from '../../../src/slack/features/kickoff/form-refusal.ts';
import {
  commandProblemMessage,
  crewHelpMessage,
  helpMessage,
  lineProblems,
} from '../../../src/slack/features/kickoff/help.ts';
import {
  loadingModal,
  startedModal,
  startingMessage,
  startingModal,
} from '../../../src/slack/features/kickoff/progress.ts';
import {
  cannotPostMessage,
  inputsTroubleModal,
  kickoffTroubleMessage,
  kickoffTroubleModal,
} from '../../../src/slack/features/kickoff/trouble.ts';
import { activityModal } from '../../../src/slack/features/run/activity.ts';
import { failureReply, resultReply, taskReply } from '../../../src/slack/features/run/replies.ts';
import { rootMessage } from '../../../src/slack/features/run/root-message.ts';
import { hiddenApprovalText, statusList } from '../../../src/slack/features/run/status.ts';
import {
  checkingText,
  connectedText,
  connectModal,
  disconnectedText,
  notConnectedText,
  ownTokenNeededText,
  whichTokenText,
} from '../../../src/slack/features/tokens/modal.ts';
import { type RefusalDetails, refusalText } from '../../../src/slack/request/refusal.ts';
import type { KickoffTrouble } from '../../../src/slack/request/status-text.ts';
import { lostRequestMessage } from '../../../src/slack/thread/notices.ts';
import { type Rendered, section } from '../../../src/slack/ui/blocks.ts';
import { TYPED_TEXT_LIMIT } from '../../../src/slack/ui/limits.ts';
import { answerMessage, answerModal } from '../../../src/slack/ui/modal.ts';
import { approverWords } from '../../../src/slack/ui/person.ts';
import { plainBlocks } from '../../../src/slack/ui/plain-blocks.ts';
import { escapedLine, escapeMrkdwn } from '../../../src/slack/ui/text/escape.ts';
import { approvalCard } from './approval-card.ts';
import { compareModals } from './compare-views.ts';
import { historyModals } from './history-views.ts';
import { enoughOf } from './hostile.ts';
import {
  card,
  changeTo,
  completed,
  deciders,
  decision,
  handOver,
  lastRound,
  NOW,
  policy,
  refusalDetails,
  root,
  say,
  staged,
  step,
  task,
  vote,
} from './models.ts';
import { reviewModals } from './review-views.ts';
import { reviseModals } from './revise-views.ts';
import { rightsMessages, rightsModals } from './rights-views.ts';
import { settingsModals } from './settings-views.ts';
import { startModals } from './start-views.ts';

export const LINK = 'https://example.slack.com/archives/C1/p1763690000000000?thread_ts=1.2&cid=C1';

const CODES: CrewRefusal[] = [
  'bad-request',
  'unauthorized',
  'user-token-refused',
  'no-user-token',
  'not-found',
  'missing-inputs',
  'quota',
  'unreachable',
  'busy',
  'other',
];
const DOUBTS: KickoffDoubt[] = ['no-answer', 'server-error', 'no-id', 'interrupted'];
const TYPES: InputType[] = ['text', 'long_text', 'number', 'yes_no', 'choice', 'date', 'json'];

/** Every message in every state, with the given text wherever foreign text goes. */
export function everyMessage(text: string): [string, Rendered][] {
  return [
    ...roots(text),
    ...everyReply(text, 'full'),
    ...troubles(text).map(([state, trouble]): [string, Rendered] => [
      `kickoff trouble: ${state}`,
      kickoffTroubleMessage({ ref: 'r1', crew: text, trouble }, say),
    ]),
    ['answer', answerMessage(refusalText({ kind: 'already-decided', decision: decision() }, detailsOf(text)))],
    ...denials(text).map(([state, why]): [string, Rendered] => [`denied: ${state}`, answerMessage(why)]),
    ...directMessages(text),
    [
      'status',
      statusList(statuses(text), {
        now: NOW,
        name: () => text,
        say,
        warning: hiddenApprovalText({ trouble: 'not-in-channel', botName: text }, say),
      }),
    ],
    [
      'help',
      helpMessage(
        Array.from({ length: 30 }, () => text),
        say,
      ),
    ],
    ...crewHelps(text),
    ['cannot post', cannotPostMessage('not-in-channel', text, say)],
    [
      'unreadable request',
      lostRequestMessage({ kind: 'unreadable-request', crew: text, keys: Array.from({ length: 30 }, () => text) }, say),
    ],
    ...['', text].map((host): [string, Rendered] => [
      'unanswerable request',
      lostRequestMessage({ kind: 'unanswerable-request', crew: text, host }, say),
    ]),
    ...problems(text),
    ...rightsMessages(text),
    ...[
      connectedText(say, text),
      disconnectedText(say, text),
      notConnectedText(say, text),
      whichTokenText(
        say,
        Array.from({ length: 30 }, () => text),
      ),
      ownTokenNeededText(say, 'user-token-refused', text),
      ownTokenNeededText(say, 'no-user-token', text),
    ].map((words, i): [string, Rendered] => [`tokens, ${i}`, answerMessage(words)]),
  ];
}

/** Those that differ from one rendering to the next. */
export function everyReply(text: string, rendering: Rendering): [string, Rendered][] {
  const named = task({ name: text, agent: text, summary: text });
  const unnamed = task({ name: null, agent: null, summary: text, output: null });
  const shaped = [...cards(text, rendering), ...endings(text, rendering)];
  // What a rendering does not change need not be looked at twice.
  if (rendering !== 'full' && rendering !== 'plain-text') return shaped;
  const replies: [string, Rendered][] = [
    ...shaped,
    ...alerts(text),
    ['task', taskReply(named, { ref: 'r1', review: 'none', shownBy: 'reply', say })],
    [
      'task that ended otherwise',
      taskReply(named, {
        ref: 'r1',
        review: 'none',
        shownBy: 'reply',
        approved: { hash: 'a'.repeat(64), length: 1 },
        say,
      }),
    ],
    ['task on a card', taskReply(named, { ref: 'r1', review: 'sent-back', shownBy: 'card', say })],
    ['task without words', taskReply(unnamed, { ref: 'r1', review: 'none', shownBy: 'reply', say })],
  ];
  if (rendering !== 'plain-text') return replies;
  return replies.map(([name, message]) => [name, { ...message, blocks: plainBlocks(message.blocks) }]);
}

function roots(text: string): [string, Rendered][] {
  const details = {
    latestStep: step({ agent: text, tool: text }),
    cardLink: LINK,
    resultLink: LINK,
    showsPlan: true,
    whoFor: () => text,
    controlUrl: `https://${'crews.'.repeat(30)}example`,
    now: NOW,
    name: () => text,
    labelOf: (input: string) => input,
    say,
  };
  const inputs = Object.fromEntries(
    Array.from({ length: 20 }, (_, i): [string, Json] => [`${i}${text.slice(0, 5_000)}`, text]),
  );
  const models = runs(text).map((run) =>
    root({
      crew: text,
      inputs,
      run,
      progress: { completed: 1, total: 2, current: text },
      plan: plan(text),
      openCard: { ts: '1.2', round: 2, taskName: text, undelivered: null },
      trouble: 'unreachable',
    }),
  );
  const declined = models.map((model) => ({ ...model, declined: { decision: declining(text), closed: 2 } }));
  const unfollowed = models.map((model) => ({ ...model, unfollowed: { by: { id: 'U0JON', name: text }, at: NOW } }));
  const missing: RootModel = root({ crew: text, crewMissing: true });
  return [...models, ...unfollowed, ...declined, missing, { ...root(), waitingUnseen: true, starter: null }].map(
    (model) => [
      `root: ${model.run.status}${model.unfollowed ? ', not followed' : ''}${model.declined ? ', declined' : ''}`,
      rootMessage(model, details),
    ],
  );
}

function declining(feedback: string) {
  return { ...decision({ verdict: 'decline', feedback }), text: null };
}

function plan(name: string): PlannedTask[] {
  const states: PlannedTaskState[] = [
    { kind: 'waiting', approvalId: '1' },
    ...(['done', 'working', 'undelivered', 'undecided', 'declined', 'failed'] as const).map((kind) => ({ kind })),
  ];
  return Array.from({ length: 50 }, (_, i) => ({
    id: `${i}`,
    name,
    state: states[i % states.length] ?? { kind: 'done' },
  }));
}

function runs(text: string): Run[] {
  return [
    { status: 'starting' },
    { status: 'running' },
    { status: 'waiting' },
    { status: 'completed', result: null, endedAt: NOW },
    { status: 'failed', error: text, endedAt: NOW },
    { status: 'lost', lostAt: NOW },
    ...CODES.map(
      (code): Run => ({ status: 'not-started', refusal: { code, detail: text, missing: [text] }, endedAt: NOW }),
    ),
    ...DOUBTS.map((doubt): Run => ({ status: 'not-confirmed', doubt, since: NOW })),
  ];
}

function cards(text: string, rendering: Rendering): [string, Rendered][] {
  const states = cardStates(text);
  // A rendering changes what the card is about, whatever became of it: one state of each kind is enough.
  const tried = rendering === 'full' ? states : [...new Map(states.map((state) => [state.kind, state])).values()];
  const usual = Array.from(tried, (state): [string, Rendered] => [
    `card: ${state.kind}`,
    approvalCard(
      card({
        crew: text,
        taskName: text,
        round: 3,
        repeatsRound: 2,
        ledBy: decision({ verdict: 'reject', feedback: text }),
        state,
      }),
      {
        ...{ output: text, preview: 3_000, notes: 'offered', edits: 'offered', say, name: () => text, rendering },
        deciders: deciders(),
        lastRound: lastRound({ change: changeTo(text), sameAs: 1 }),
        ticks: [true, false, null, false],
      },
    ),
  ]);
  const missing = Array.from(tried, (state): [string, Rendered] => [
    `card, crew missing: ${state.kind}`,
    approvalCard(card({ crew: text, taskName: text, votes: [vote(personOf(text, 1))], state, crewMissing: true }), {
      ...{ output: text, preview: 3_000, notes: 'offered', edits: 'offered', say, name: () => text, rendering },
      deciders: null,
    }),
  ]);
  return [...usual, ...missing, ...crowdedCards(text, rendering), ...stagedCards(text, rendering)];
}

function directMessages(text: string): [string, Rendered][] {
  const words = { place: { channel: 'C0RELEASE2', link: LINK }, name: () => text, say };
  const unopened = { ...words, place: { channel: 'C0INCIDEN3', link: null } };
  const reasons: DirectReason[] = [
    { kind: 'handed-over', by: personOf(text, 1) },
    { kind: 'stands-in', by: personOf(text, 1) },
    ...(['escalated', 'policy', 'setting', 'outside'] as const).map((kind) => ({ kind })),
  ];
  const [first] = crowdedCards(text, 'full');
  return [
    ...crowdedCards(text, 'full').map(([name, each]): [string, Rendered] => [
      `direct message: ${name}`,
      directCard(each, { reason: { kind: 'handed-over', by: personOf(text, 1) }, askedAt: 0, ...words }),
    ]),
    ...reasons.flatMap((reason): [string, Rendered][] => {
      const each = first?.[1] ?? { text: '', blocks: [] };
      return [
        [`direct message: ${reason.kind}`, directCard(each, { reason, askedAt: 0, ...words })],
        [
          `direct message about a private channel: ${reason.kind}`,
          directCard(each, { reason, askedAt: 0, ...unopened }),
        ],
      ];
    }),
    ...cardStates(text).map((state): [string, Rendered] => [
      `direct message, one line: ${state.kind}`,
      directLine(card({ crew: text, taskName: text, state }), words),
    ]),
  ];
}

/** As many people as a card could have to name. */
function crowdedCards(text: string, rendering: Rendering): [string, Rendered][] {
  const people = Array.from({ length: 50 }, (_, i) => personOf(text, i));
  const votes = people.map((person) => vote(person, text.slice(0, 1_200)));
  const note = text.slice(0, TYPED_TEXT_LIMIT);
  const joined = decision({
    by: personOf(text, 51),
    feedback: note,
    text: `Maria (U0MARIA):\n> ${note}\n\n`.repeat(50),
  });
  const approvers = people.map(({ id }) => id);
  const rule = policy({ approvers, escalateTo: approvers, quorum: 51, selfApproval: false });
  const states: CardState[] = [
    { kind: 'pending' },
    { kind: 'undoable', decision: joined, undoUntil: NOW },
    { kind: 'told', decision: joined },
    { kind: 'told', decision: { ...joined, verdict: 'reject' } },
    { kind: 'declined', decision: { ...joined, verdict: 'decline', text: null }, isOver: false },
    { kind: 'told', decision: { ...joined, verdict: 'reject', by: null } },
    { kind: 'expired', expiredAt: NOW },
  ];
  return states.map((state, i) => [
    `crowded card: ${i} ${state.kind}`,
    approvalCard(
      card({
        ...{
          crew: text,
          taskName: text,
          round: 2,
          repeatsRound: 1,
          votes,
          escalations: [{ rules: '', at: NOW }],
          state,
        },
        ledBy: decision({ verdict: 'reject', feedback: text, by: null }),
        handedOver: people.map((person) => handOver(person, person)),
      }),
      {
        ...{ output: text, preview: 3_000, notes: 'offered', edits: 'offered', name: () => text, rendering, say },
        lastRound: lastRound({ change: changeTo(text) }),
        deciders: deciders({ rule, starter: personOf(text, 52), approverName: () => text }),
      },
    ),
  ]);
}

/** In as many stages as there can be, and with as many groups of which one person each has to approve. */
function stagedCards(text: string, rendering: Rendering): [string, Rendered][] {
  const people = Array.from({ length: 10 }, (_, i) => personOf(text, i));
  const allOf = people.map((_, i) => `@group${i}`);
  const names = people.map((_, i) => `${i}${text}`);
  const rules = staged(Object.fromEntries(names.map((each) => [each, { approvers: allOf, allOf }])), 5);
  const others = { ...rules, approvers: policy({ approvers: ['@leads', 'channel'] }).approvers, quorum: 3 };
  const votes = people.slice(0, 3).map((each, i) => ({ ...vote(each, text), rule: `@group${i}`, seat: `@group${i}` }));
  const stages = names.slice(0, 5).map((_, i) => completed(rules, i, votes));
  const states: CardState[] = [{ kind: 'pending' }, { kind: 'told', decision: decision() }];
  return [rules, others].flatMap((rule, i) =>
    states.map((state): [string, Rendered] => [
      `card in stages: ${i} ${state.kind}`,
      approvalCard(card({ crew: text, taskName: text, votes, stages, state }), {
        ...{ output: text, preview: 3_000, notes: 'offered', edits: 'offered', name: () => text, rendering, say },
        deciders: deciders({ rule, approverName: () => text }),
      }),
    ]),
  );
}

function personOf(text: string, i: number): Person {
  return { id: `U0PERSON${i}`, name: text };
}

function alerts(text: string): [string, Rendered][] {
  const kinds: Alert['kind'][] = ['reminder', 'escalation', 'ask', 'stage', 'undecidable', 'decidable', 'edited'];
  const some = Array.from({ length: 50 }, (_, i) => ({ kind: 'person', id: `U0PERSON${i}` }) as const);
  const group = { kind: 'group', id: 'S0LEADS' } as const;
  const whoCan = approverWords(policy({ approvers: ['@leads', 'channel'] }).approvers, () => text, { say });
  const model = {
    by: personOf(text, 1),
    crew: text,
    about: text,
    askedAt: NOW,
    stage: { name: text, votes: some.map(({ id }) => vote({ id, name: text })), next: text },
    shortage: escapedLine(text, 500),
    whoCan,
    link: LINK,
    name: () => text,
    say,
  };
  return kinds.flatMap((kind): [string, Rendered][] => [
    [`alert: ${kind}`, alertReply({ ...model, kind, taskName: text, mentions: [...some, group] })],
    [`alert to nobody: ${kind}`, alertReply({ ...model, kind, taskName: null, mentions: [] })],
    [
      `alert, directly: ${kind}`,
      alertNotice({ ...model, kind, taskName: text, place: { channel: 'C0RELEASE2', link: LINK } }),
    ],
  ]);
}

/** Why each of the policy's answers is no, with the text wherever foreign text goes. */
export function denials(text: string): [string, string][] {
  const about = (denial: Denial): [string, string] => {
    const { kind } = denial;
    const whoCan = approverWords(policy({ approvers: ['@leads', 'U0AIKO'] }).approvers, () => text, { say });
    const whom = kind === 'unsure' ? ` about ${denial.personId} as ${denial.approver}` : '';
    return [`${kind}${whom}`, refusalText({ kind: 'denied', denial }, { ...detailsOf(text), whoCan })];
  };
  const plain = ['stranger', 'guest', 'bot', 'deactivated', 'self-approval', 'not-approver', 'no-token'] as const;
  const unsure = [
    ['U0AIKO', null],
    ['U0AIKO', '@leads'],
    ['U0AIKO', 'channel'],
    ['U0AIKO', 'aiko@example.com'],
    ['U0MARIA', null],
    ['U0JON', null],
  ] as const;
  return [
    ...plain.map((kind) => about({ kind })),
    ...unsure.map(([personId, approver]) => about({ kind: 'unsure', personId, approver })),
    ['stage complete', refusalText({ kind: 'no-vote', stage: text }, detailsOf(text))],
    [
      'stage approved',
      refusalText(
        { kind: 'denied', denial: { kind: 'right-used', by: 'U0AIKO' } },
        { ...detailsOf(text), stage: { approved: text, open: text }, whoCan: 'Jon' },
      ),
    ],
  ];
}

function detailsOf(text: string): RefusalDetails {
  return refusalDetails({ name: () => text, crew: escapedLine(text, 80) });
}

export function cardStates(text: string): CardState[] {
  const decisions = (['approve', 'reject', 'decline'] as const).map((verdict) => decision({ verdict, feedback: text }));
  const untold = declining(text);
  const failures: ResumeFailure[] = [
    { kind: 'not-confirmed' },
    ...CODES.map((code): ResumeFailure => ({ kind: 'refused', code, status: 422, detail: text })),
  ];
  const reasons = ['newer-round', 'ended', 'unfollowed', 'declined'] as const;
  return [
    { kind: 'pending' },
    { kind: 'expired', expiredAt: NOW },
    { kind: 'undoable', decision: untold, undoUntil: NOW + 10_000 },
    ...[true, false].map((isOver): CardState => ({ kind: 'declined', decision: untold, isOver })),
    ...reasons.map((by): CardState => ({ kind: 'superseded', decision: null, by })),
    ...decisions.flatMap((each): CardState[] => [
      { kind: 'undoable', decision: each, undoUntil: NOW + 10_000 },
      { kind: 'telling', decision: each, delayedBy: null },
      { kind: 'telling', decision: each, delayedBy: 'unreachable' },
      { kind: 'telling', decision: each, delayedBy: 'busy' },
      { kind: 'telling', decision: each, delayedBy: null, giveUpAt: NOW + 86_400_000 },
      { kind: 'told', decision: each },
      ...failures.map((failure): CardState => ({ kind: 'failed', decision: each, failure })),
      ...reasons.map((by): CardState => ({ kind: 'superseded', decision: each, by })),
    ]),
  ];
}

function endings(text: string, rendering: Rendering): [string, Rendered][] {
  const ended = {
    ...{ rendering, preview: 3_000, say },
    ref: 'r1',
    crew: text,
    about: text,
    mentioned: [{ id: 'U0MARIA', name: text }],
    createdAt: NOW - 61_000,
    endedAt: NOW,
    name: () => text,
  };
  const result = { hash: 'c'.repeat(64), length: text.length };
  return [
    ['result', resultReply({ ...ended, result, output: text })],
    ['result, expired', resultReply({ ...ended, result, output: null })],
    ['result, none', resultReply({ ...ended, mentioned: [], result: null, output: null })],
    ['failure', failureReply({ ...ended, error: text })],
  ];
}

function troubles(text: string): [string, KickoffTrouble][] {
  return [
    ...CODES.map((code): [string, KickoffTrouble] => [
      code,
      { kind: 'refused', refusal: { code, detail: text, missing: [text, text] } },
    ]),
    ...DOUBTS.map((doubt): [string, KickoffTrouble] => [doubt, { kind: 'doubt', doubt }]),
  ];
}

function statuses(text: string) {
  return Array.from({ length: 40 }, () => ({
    model: root({ crew: text, openCard: { ts: '1.2', round: 1, taskName: text, undelivered: null } }),
    ...{ link: LINK, cardLink: LINK, leftWaiting: null },
  }));
}

function problems(text: string): [string, Rendered][] {
  const many = Array.from({ length: 30 }, () => text);
  return [
    ['unknown crew', commandProblemMessage({ kind: 'unknown-crew', word: text, meant: text }, many, say)],
    ['unknown crew of none', commandProblemMessage({ kind: 'unknown-crew', word: text, meant: null }, [], say)],
    ['starting', startingMessage(say)],
    ['crew only', commandProblemMessage({ kind: 'crew-only', after: 'connect' }, many, say)],
  ];
}

/** Every modal in every state, with the given text wherever foreign text goes. */
export function everyModal(text: string): [string, ModalView][] {
  const named = text.slice(0, 5_000);
  return [
    ...compareModals(text),
    ...rightsModals(text),
    ...settingsModals(text),
    ...historyModals(text),
    ['activity, none', activityModal([], { crew: text, say })],
    [
      'activity',
      activityModal(
        Array.from({ length: 60 }, () => busyStep(text)),
        { crew: text, say },
      ),
    ],
    ...reviseModals(text),
    ...reviewModals(text),
    ['answer', answerModal(say, { title: 'Sorry', text: refusalText({ kind: 'unknown' }, detailsOf(text)) })],
    ['loading', loadingModal(text, say)],
    ['starting', startingModal({ crew: text, progress: 'asking' }, say)],
    ...(['unreachable', 'busy'] as const).map((progress): [string, ModalView] => [
      `starting, ${progress} so far`,
      startingModal({ crew: text, progress }, say),
    ]),
    ['started', startedModal({ crew: text, link: LINK }, say)],
    ...troubles(text).map(([state, trouble]): [string, ModalView] => [
      `kickoff trouble: ${state}`,
      kickoffTroubleModal({ ref: 'r1', crew: text, trouble }, say),
    ]),
    ...CODES.map((code): [string, ModalView] => [
      `inputs trouble: ${code}`,
      inputsTroubleModal({ crew: text, code, metadata: '{}' }, say),
    ]),
    ...forms(named),
    ...startModals(text),
    ...tokenForms(text),
  ];
}

function busyStep(text: string) {
  return step({ agent: text, thought: text, tool: text, toolInput: text, result: text });
}

function crewHelps(text: string): [string, Rendered][] {
  const fields = shortNames(TYPES.flatMap((type) => [fieldOf(type, text, null), fieldOf(type, text, text)]));
  const many = Array.from({ length: 8 }, () => fields).flat();
  return [
    ['help of a crew', crewHelpMessage({ name: text.slice(0, 75), description: text, fields }, say)],
    ['help of a crew, long', crewHelpMessage({ name: text.slice(0, 75), description: null, fields: many }, say)],
  ];
}

/** What a line or a crew may say is wrong. */
function formNotes(text: string, fields: readonly InputField[]) {
  const problems: LineProblem[] = [
    { kind: 'unknown-crew', word: text, meant: text },
    { kind: 'crew-missing' },
    { kind: 'unknown-word', word: text },
    { kind: 'repeated-name', name: text },
    { kind: 'open-quote', at: text },
  ];
  const refused = CODES.map((code) => refusedState({ code, detail: text, missing: [] }, { crew: text, fields, say }));
  return [...problems.map((problem) => [section(lineProblems([problem], say))]), ...refused.map(({ notes }) => notes)];
}

function forms(text: string): [string, ModalView][] {
  const crews = Array.from({ length: 120 }, (_, i) => ({ name: `${i} ${text.slice(0, 70)}`, description: text }));
  const [first = { name: text, description: null }] = crews;
  const asked = { missing: [text], wrong: { [text]: text }, notes: [section(`⚠️ ${escapeMrkdwn(text)}`)] };
  const own = { crews: [first], crew: first.name, values: {}, ...asked, attempt: 2, channel: 'C1', say };
  const common = { ...own, crews, sharing: 'shared' as const };
  const typed = TYPES.flatMap((type) => [fieldOf(type, text, null), fieldOf(type, text, text)]);
  const values = Object.fromEntries(typed.map((field): [string, Json] => [field.name, text]));
  const many = inputFields(
    Array.from({ length: 200 }, (_, i) => `${i}${enoughOf(text)}`),
    {},
  );
  return [
    [
      'form, without a crew',
      unchosenForm(
        { crews: new Map() },
        {
          crews: crews.map(({ name }) => name),
          channel: 'C1',
          sharing: 'own',
          typed: { [text]: text },
          problem: escapedLine(text, 80),
        },
        say,
      ),
    ],
    ['form, of every type', kickoffForm({ ...common, fields: typed })],
    ['form, prefilled', kickoffForm({ ...common, fields: typed, values, missing: typed.map((field) => field.name) })],
    ['form, full', kickoffForm({ ...common, fields: shortNames(many.slice(0, 90)) })],
    ['form, too many inputs', kickoffForm({ ...common, fields: shortNames(many) })],
    ['form, without inputs', kickoffForm({ ...own, sharing: 'unknown', fields: [] })],
    [
      'form, of a long name',
      kickoffForm({ ...own, sharing: 'own', fields: inputFields([`${text}${'n'.repeat(300)}`], {}) }),
    ],
    ...formNotes(text, typed).map((notes, i): [string, ModalView] => [
      `form, with note ${i}`,
      kickoffForm({ ...own, sharing: 'own', fields: typed.slice(0, 2), notes }),
    ]),
  ];
}

function tokenForms(text: string): [string, ModalView][] {
  const crews = Array.from({ length: 120 }, (_, i) => `${i} ${text.slice(0, 70)}`);
  const [crew = ''] = crews;
  return [
    ['connect a token', connectModal(say, { crew, channel: 'C1' }, { crews, problem: text })],
    ['connect a token of any crew', connectModal(say, { crew: null, channel: null }, { crews })],
    ['checking a token', answerModal(say, { title: 'Connect your token', text: checkingText(say, text) })],
  ];
}

function shortNames(fields: InputField[]): InputField[] {
  return fields.map((field) => ({ ...field, name: field.name.slice(0, 255), help: field.label }));
}

function fieldOf(type: InputType, text: string, fallback: Json): InputField {
  const options = Array.from({ length: type === 'choice' ? 300 : 0 }, (_, i) => `${i}${enoughOf(text)}`);
  const name = `${type}${fallback === null ? '' : ' again'}${enoughOf(text)}`.slice(0, 255);
  return { name, label: text, type, options, default: fallback, help: text, min: null, max: 100 };
}
