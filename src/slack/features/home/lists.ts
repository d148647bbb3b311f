// The lists of the Home tab.
import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { OpenRequest, PastDecision } from '../../../core/inbox/snapshot.ts';
import type { MessageKey } from '../../language/catalogues.ts';
import type { Say } from '../../language/say.ts';
import { button, context, header, linkButton, section, sectionLinking } from '../../ui/blocks.ts';
import { approvalValue } from '../../ui/button-value.ts';
import { pageTurning } from '../../ui/modal.ts';
import { listed, nameIn } from '../../ui/person.ts';
import { cutLine, escapedLine } from '../../ui/text/escape.ts';
import { duration, slackDate } from '../../ui/text/moment.ts';
import { requestTitle } from '../approval/card-state.ts';
import type { HomeDetails, HomeModel, HomePage, HomeRun } from './model.ts';
import { channelMention, gist, requestLine, titleOf } from './request-lines.ts';
import { tickBlock } from './selection.ts';
import { type HomeState, isNarrowed, type ListName, pageValue } from './state.ts';

/** What the person may decide, with the way to decide several at once. */
export function waitingBlocks({ waiting, unsure, state }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { say } = details;
  return [
    header(say('home.waiting')),
    ...(unsure === 0 ? [] : [context(say('home.unsure', { count: unsure }))]),
    ...emptyBlocks(waiting, { state, empty: 'home.nothing-waits', say }),
    ...waiting.shown.flatMap((request) => requestBlocks(request, details)),
    ...(waiting.shown.length === 0
      ? []
      : [
          {
            type: 'actions' as const,
            block_id: 'home_selected',
            elements: [button('approve_selected', say('home.approve-selected'), { value: 'home' })],
          },
          context(say('home.about-selected')),
        ]),
    ...turningBlocks(waiting, 'waiting', say),
  ];
}

function requestBlocks(request: OpenRequest, details: HomeDetails): KnownBlock[] {
  const text = details.textOf(request);
  const lines = [titleOf(request, details.say), ...(text === undefined ? [] : [gist(text, details.say)])];
  return [section(lines.join('\n')), context(requestLine(request, details)), decisionRow(request, details)];
}

function decisionRow(request: OpenRequest, details: HomeDetails): ActionsBlock {
  const { linkTo, say } = details;
  const { run, approvalId, output, cardTs } = request;
  const key = { ref: run.ref, approvalId, hash: output.hash };
  const link = linkTo(run.channel, cardTs, run.rootTs);
  return tickBlock(key, {
    label: tickLabel(request, details),
    others: [
      button('review', say('home.review'), { value: approvalValue(key) }),
      ...(link === null ? [] : [linkButton(say('home.open-thread'), link)]),
    ],
  });
}

/** Many requests may be of the same task: who is read out only the label has to tell them apart. */
function tickLabel({ run, taskName }: OpenRequest, { name, say }: HomeDetails): string {
  const task = cutLine(taskName ?? '', 20) || say('home.a-result');
  const named = { task, crew: cutLine(run.crew, 20) };
  if (!run.starter) return say('home.select', named);
  return say('home.select-for', { ...named, name: cutLine(name(run.starter), 18) });
}

/** What others have to decide. */
export function otherBlocks({ others, state }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { say } = details;
  return [
    header(say('home.others')),
    ...emptyBlocks(others, { state, empty: 'home.nothing-others', say }),
    ...others.shown.flatMap((request) => otherRequestBlocks(request, details)),
    ...turningBlocks(others, 'others', say),
  ];
}

function otherRequestBlocks(request: OpenRequest, details: HomeDetails): KnownBlock[] {
  const { run, cardTs, voters } = request;
  const link = details.linkTo(run.channel, cardTs, run.rootTs);
  const own = voters.includes(details.personId) ? ` · ${details.say('home.you-approved-already')}` : '';
  return [
    sectionLinking(titleOf(request, details.say), { label: details.say('home.open-thread'), link }),
    context(`${requestLine(request, details)}${own}`),
  ];
}

const LONGEST_CREW = 80;

/** What the person has started, with how it is going. */
export function runBlocks({ runs, state }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { say } = details;
  return [
    header(say('home.runs')),
    ...emptyBlocks(runs, { state, empty: 'home.nothing-runs', say }),
    ...runs.shown.flatMap((run) => oneRunBlocks(run, details)),
    ...turningBlocks(runs, 'runs', say),
  ];
}

function oneRunBlocks(run: HomeRun, { linkTo, say }: HomeDetails): KnownBlock[] {
  const { crew, channel, status, createdAt, endedAt, rootTs, crewMissing, isDeclined } = run;
  const title = `*${escapedLine(crew, LONGEST_CREW)}* · ${say(isDeclined ? 'run.declined' : RUN_STATUS[status])}`;
  const started = slackDate(createdAt, say, `${say('home.started')} `);
  const took = endedAt === null ? [] : [say('run.took', { duration: duration(endedAt - createdAt, say) })];
  const missing = crewMissing ? [`🔌 ${say('missing-crew.short')}`] : [];
  return [
    sectionLinking(title, { label: say('home.open-thread'), link: linkTo(channel, rootTs, null) }),
    context([channelMention(channel), started, ...took, ...missing].join(' · ')),
  ];
}

const RUN_STATUS = {
  starting: 'run.starting',
  running: 'run.running',
  waiting: 'run.waiting-for-approval',
  completed: 'run.completed',
  failed: 'run.failed',
  lost: 'run.lost',
  'not-started': 'run.not-started',
  unconfirmed: 'run.unconfirmed',
} as const satisfies Record<HomeRun['status'], MessageKey>;

/** What was decided lately: by whom, and how fast. */
export function decidedBlocks({ decided, state }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { say } = details;
  return [
    header(say('home.decided')),
    ...emptyBlocks(decided, { state, empty: 'home.nothing-decided', say }),
    ...decided.shown.flatMap((decision) => decisionBlocks(decision, details)),
    ...turningBlocks(decided, 'decided', say),
  ];
}

function decisionBlocks(decision: PastDecision, details: HomeDetails): KnownBlock[] {
  const { say, linkTo } = details;
  const { crew, task, round, record, decidedAt } = decision;
  // Without a record, it may be the id of a task that has no name.
  const named = record ? record.taskName : task;
  const link = record && linkTo(record.channel, record.cardTs, null);
  return [
    sectionLinking(requestTitle({ crew, task: named, about: record?.about ?? '', round }, say), {
      label: say('home.open-thread'),
      link,
    }),
    context(`${outcomeText(decision, details)} · ${slackDate(decidedAt, say)}`),
  ];
}

function outcomeText({ outcome: kind, by, askedAt, decidedAt }: PastDecision, { name, say }: HomeDetails): string {
  const names = by.map((id) => nameIn(name, { id, name: id }));
  const took = duration(decidedAt - askedAt, say);
  switch (kind) {
    case 'approve':
      return say('home.approved', { names: listed(names, say), duration: took });
    case 'reject':
      return names.length === 0
        ? say('home.rejected-by-nobody', { duration: took })
        : say('home.rejected', { names: listed(names, say), duration: took });
    case 'decline':
      return say('home.declined', { names: listed(names, say), duration: took });
    case 'closed':
      return say('home.closed', { duration: took });
  }
}

type EmptyKey = Extract<MessageKey, `home.nothing-${string}`>;

/** What would be here, or that the filters leave nothing; nothing for a list that shows something. */
function emptyBlocks(
  { all, found }: HomePage<unknown>,
  { state, empty, say }: { state: HomeState; empty: EmptyKey; say: Say },
): KnownBlock[] {
  if (found > 0) return [];
  return [context(all > 0 && isNarrowed(state) ? say('home.none-found', { count: all }) : say(empty))];
}

/** The page and how many there are in all, with the buttons that lead to those before and after it. */
function turningBlocks({ at, count }: HomePage<unknown>, list: ListName, say: Say): KnownBlock[] {
  return pageTurning(say, {
    at,
    count,
    previous: 'home_previous',
    next: 'home_next',
    valueFor: (page) => pageValue({ list, page }),
  });
}
