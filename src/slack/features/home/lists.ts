// Shows the four lists of the Home tab: what waits for the person, what waits for others, their runs, and their decisions.
import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import type { OpenRequest, PastDecision } from '../../../core/inbox/snapshot.ts';
import { settingsOf } from '../../../core/policy/policy.ts';
import { aboutRun } from '../../../core/state/about.ts';
import type { Say } from '../../language/say.ts';
import { approveLabel } from '../../request/card-state.ts';
import { confirmingRepeat } from '../../request/choices.ts';
import { startedBy } from '../../request/status-text.ts';
import { button, buttons, context, divider, header, section } from '../../ui/blocks.ts';
import { approvalValue } from '../../ui/button-value.ts';
import { pageTurning } from '../../ui/modal.ts';
import { listed, nameIn } from '../../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { duration, slackDate } from '../../ui/text/moment.ts';
import type { HomeDetails, HomeModel, HomePage } from './model.ts';
import { fitting, LINE, placeLinked, requestLine, shortNames, titleAndGist, titleOf } from './request-lines.ts';
import { isSame, MOST_AT_ONCE, requestKey, tick, tickBlockId } from './selection.ts';
import { type HomeState, type ListName, listPage } from './state.ts';

/** Shows requests that the person may decide, with the buttons to decide several at once. */
export function waitingBlocks(model: HomeModel, details: HomeDetails): KnownBlock[] {
  const { waiting, unsure } = model;
  const { say } = details;
  const names = shortNames(waiting.shown);
  return [
    ...(unsure === 0 ? [] : [context(say('home.unsure', { count: unsure }))]),
    ...(waiting.all === 0 ? [context(say('home.nothing-waits'))] : noMatches(waiting, say)),
    ...selectionBlocks(model, say),
    ...waiting.shown.flatMap((request, i) => [
      divider(),
      ...requestBlocks({ request, name: names[i] ?? '', number: i + 1 }, model, details),
    ]),
    ...turningBlocks('waiting', waiting, say),
  ];
}

/** A request on a page. `name`: for screen readers, which read only a button's label. `number`: its place, from 1. */
interface Row {
  request: OpenRequest;
  name: string;
  number: number;
}

function requestBlocks(row: Row, model: HomeModel, details: HomeDetails): KnownBlock[] {
  const { request } = row;
  const lines = titleAndGist(request, details.textOf(request), details.say);
  return [
    // The label of the tick is this number, because a phone has no room for words next to the buttons.
    { ...section(`${row.number}. ${lines.join('\n')}`), block_id: `request:${request.run.ref}:${request.approvalId}` },
    context(requestLine(request, details, 'one-line')),
    decisionRow(row, model.state, details),
  ];
}

function decisionRow({ request, name, number }: Row, state: HomeState, details: HomeDetails): ActionsBlock {
  const { policiesOf, say } = details;
  const key = requestKey(request);
  const value = approvalValue(key);
  const notes = settingsOf(policiesOf(request)).comment.approve === 'required' ? 'required' : 'offered';
  const verdicts = request.hasOutcomes
    ? []
    : [
        button('approve', approveLabel(notes, say), {
          value,
          style: 'primary',
          spoken: say('home.approve', { request: name }),
          ...confirmingRepeat(request, 'card.approve-anyway', say),
        }),
        button('reject', say('card.reject'), {
          value,
          spoken: say('home.reject', { request: name }),
          ...confirmingRepeat(request, 'card.reject-anyway', say),
        }),
      ];
  return {
    type: 'actions',
    block_id: tickBlockId(key, state.drawn),
    elements: [
      ...verdicts,
      button('review', say('review.button'), { value, spoken: say('home.review', { request: name }) }),
      ...(request.hasOutcomes ? [] : [tick(String(number), state.ticked.some(isSame(key)))]),
    ],
  };
}

/** Says what is selected on this page and elsewhere, and shows the buttons for the selection. */
function selectionBlocks({ waiting, selected, dropped, state: { ticked } }: HomeModel, say: Say): KnownBlock[] {
  const count = ticked.length;
  const gone = dropped === 0 ? [] : [context(say('home.dropped', { count: dropped }))];
  // A request with its own outcomes can’t be approved together with others, so it has no tick.
  const here = waiting.shown.filter(({ hasOutcomes }) => !hasOutcomes).map(requestKey);
  const isWhole = here.every((each) => ticked.some(isSame(each)));
  const selectPage =
    isWhole || count === MOST_AT_ONCE ? null : button('select_page', say('home.select-page'), { value: 'home' });
  if (count === 0)
    return selectPage && waiting.all > 1
      ? [...gone, context(say('home.none-selected')), ...selectionRow(selectPage)]
      : gone;
  const elsewhere = ticked.filter((each) => !here.some(isSame(each))).length;
  const text = [
    say('home.selected', { count, requests: selectedText(selected, say) }),
    ...(elsewhere === 0 ? [] : [say('home.selected-elsewhere', { count: elsewhere })]),
    ...(count < MOST_AT_ONCE ? [] : [say('home.selected-most')]),
  ].join(' · ');
  const label = say('home.approve-selected', { count });
  const approve = button('approve_selected', label, { value: 'home', style: 'primary' });
  const clear = button('clear_selection', say('home.clear-selection'), { value: 'home' });
  return [...gone, section(text), ...selectionRow(approve, selectPage, clear)];
}

/** Slack gives a block without an id a new one with each publication, and a click at that moment could be lost. */
function selectionRow(...elements: (Button | null)[]): ActionsBlock[] {
  return buttons(...elements).map((row) => ({ ...row, block_id: 'home_selected' }));
}

/** About two lines on a phone. */
const MOST_NAMED = 3;

/** Names some selected requests: `“draft” of content (Spring campaign)`. Escaped mrkdwn. */
function selectedText(selected: readonly OpenRequest[], say: Say): string {
  const items = selected.slice(0, MOST_NAMED).map(({ run, taskName, about }) => {
    const [task = '', crew = '', topic = ''] = fitting([taskName ?? '', run.crew, about], 50).map(escapeMrkdwn);
    const request = task === '' ? crew : say('home.task-of', { task: say('text.quoted', { text: task }), crew });
    return topic === '' ? request : `${request} (${topic})`;
  });
  const rest = selected.length - items.length;
  return say.list(rest > 0 ? [...items, say('list.more', { count: rest })] : items);
}

export function otherBlocks({ others }: HomeModel, details: HomeDetails): KnownBlock[] {
  return listBlocks('others', others, details.say, (request) => [
    section(titleOf(request, details.say)),
    context(`${requestLine(request, details, 'whole')}${ownApproval(request, details)}`),
  ]);
}

function ownApproval({ voters, votersBefore }: OpenRequest, { personId, say }: HomeDetails): string {
  if (voters.includes(personId)) return ` · ${say('home.you-approved-already')}`;
  return votersBefore.includes(personId) ? ` · ${say('home.you-approved-before')}` : '';
}

export function runBlocks({ runs }: HomeModel, { name, linkTo, say }: HomeDetails): KnownBlock[] {
  return listBlocks('runs', runs, say, (run) => {
    const { state, createdAt, endedAt, channel, rootTs, crewMissing } = run;
    const [crew = '', about = ''] = fitting([run.crew, aboutRun(run)], LINE).map(escapeMrkdwn);
    const facts = [
      crewMissing ? `🔌 ${say('missing-crew.short')}` : '',
      startedBy(run, { name, say }),
      slackDate(createdAt, say),
      endedAt === null ? '' : say('run.took', { duration: duration(endedAt - createdAt, say) }),
      ...placeLinked(channel, linkTo(channel, rootTs, null), say),
    ];
    return [
      section([`*${crew}*`, about, say(`run.${state}`)].filter(Boolean).join(' · ')),
      context(facts.filter(Boolean).join(' · ')),
    ];
  });
}

export function decidedBlocks({ decided }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { name, say, linkTo } = details;
  return listBlocks('decided', decided, say, (decision) => {
    const { crew, task, round, record, decidedAt } = decision;
    // The `task` of a decision without a record may be the id of a task that has no name.
    const taskName = record ? record.taskName : task;
    const started = record?.starter ? [say('run.started-by', { name: nameIn(name, record.starter) })] : [];
    const place = record ? placeLinked(record.channel, linkTo(record.channel, record.cardTs, null), say) : [];
    return [
      section(titleOf({ run: { crew }, taskName, about: record?.about ?? '', round }, say)),
      context([outcomeText(decision, details), ...started, slackDate(decidedAt, say), ...place].join(' · ')),
    ];
  });
}

function outcomeText(decision: PastDecision, { name, say }: HomeDetails): string {
  const { outcome: kind, by, record, askedAt, decidedAt } = decision;
  const names = by.map((id) => nameIn(name, { id, name: id }));
  const facts = { names: listed(names, say), duration: duration(decidedAt - askedAt, say) };
  const answer = record?.answer ?? null;
  if (kind === 'reject' && names.length === 0) return say('home.rejected-by-nobody', facts);
  if (answer === null) return say(`home.outcome-${kind}`, facts);
  return answer === ''
    ? say('home.answered', facts)
    : say('home.chosen', { ...facts, outcome: escapedLine(answer, LONGEST_OUTCOME) });
}

const LONGEST_OUTCOME = 60;

function listBlocks<Item>(
  list: Exclude<ListName, 'waiting'>,
  page: HomePage<Item>,
  say: Say,
  itemBlocks: (item: Item, i: number) => KnownBlock[],
): KnownBlock[] {
  return [
    header(say(`home.${list}`)),
    ...noMatches(page, say),
    ...page.shown.flatMap(itemBlocks),
    ...turningBlocks(list, page, say),
  ];
}

function turningBlocks(list: ListName, { at, count }: HomePage<unknown>, say: Say): KnownBlock[] {
  return pageTurning(say, { at, count, of: 'home', valueFor: (page) => listPage.write({ list, page }) });
}

function noMatches({ all, found }: HomePage<unknown>, say: Say): KnownBlock[] {
  return all > 0 && found === 0 ? [context(say('home.none-found', { count: all }))] : [];
}
