// The lists of the Home tab.
import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { OpenRequest, PastDecision } from '../../../core/inbox/snapshot.ts';
import { settingsOf } from '../../../core/policy/settings.ts';
import { aboutRun } from '../../../core/state/about.ts';
import type { Say } from '../../language/say.ts';
import { approveLabel, requestTitle } from '../../request/card-state.ts';
import { confirmingRepeat } from '../../request/choices.ts';
import { aboutText, startedBy } from '../../request/status-text.ts';
import { button, context, divider, header, linkButton, section, sectionLinking } from '../../ui/blocks.ts';
import { approvalValue } from '../../ui/button-value.ts';
import { pageTurning } from '../../ui/modal.ts';
import { listed, nameIn } from '../../ui/person.ts';
import { channelMention } from '../../ui/place.ts';
import { cutLine, escapedLine } from '../../ui/text/escape.ts';
import { duration, slackDate } from '../../ui/text/moment.ts';
import type { HomeDetails, HomeModel, HomePage, HomeRun } from './model.ts';
import { gist, requestLine, shortNames, titleOf, toldApart } from './request-lines.ts';
import { isSame, MOST_AT_ONCE, requestKey, tick, tickBlockId } from './selection.ts';
import { type ListName, listPage } from './state.ts';

/** What the person may decide, with the ways to decide several at once. */
export function waitingBlocks(model: HomeModel, details: HomeDetails): KnownBlock[] {
  const { waiting, unsure } = model;
  const { say } = details;
  const names = shortNames(waiting.shown);
  return [
    header(say('home.waiting')),
    ...(unsure === 0 ? [] : [context(say('home.unsure', { count: unsure }))]),
    ...(waiting.all === 0 ? [context(say('home.nothing-waits'))] : noMatches(waiting, say)),
    ...waiting.shown.flatMap((request, i) => [
      ...(i === 0 ? [] : [divider()]),
      ...requestBlocks({ request, name: names[i] ?? '' }, model, details),
    ]),
    ...selectionBlocks(model, say),
    ...turningBlocks('waiting', waiting, say),
  ];
}

/** A request, and what it is called where only a label is read out. */
interface Row {
  request: OpenRequest;
  name: string;
}

function requestBlocks(row: Row, { state }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { request } = row;
  const text = details.textOf(request);
  const lines = [titleOf(request, details.say), ...(text === undefined ? [] : [gist(text, details.say)])];
  const key = requestKey(request);
  const isTicked = state.ticked.some(isSame(key));
  return [
    { ...section(lines.join('\n')), block_id: `request:${key.ref}:${key.approvalId}` },
    context(requestLine(request, details)),
    { ...decisionRow(row, isTicked, details), block_id: tickBlockId(key, state.drawn) },
  ];
}

function decisionRow({ request, name }: Row, isTicked: boolean, details: HomeDetails): ActionsBlock {
  const { policiesOf, say } = details;
  const value = approvalValue(requestKey(request));
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
  const { label, link, spoken } = threadLink(request, name, details);
  return {
    type: 'actions',
    elements: [
      ...verdicts,
      button('review', say('review.button'), { value, spoken: say('home.review', { request: name }) }),
      // Beside the text, it would leave less room for what is decided.
      ...(link === null ? [] : [linkButton(label, link, spoken)]),
      tick(say('home.select', { request: name }), isTicked),
    ],
  };
}

function threadLink({ run, cardTs }: OpenRequest, name: string, { linkTo, say }: HomeDetails) {
  const link = linkTo(run.channel, cardTs, run.rootTs);
  return { label: say('home.open-thread'), link, spoken: say('home.thread', { request: name }) };
}

/** How many are selected, here and elsewhere, how many no longer are, and what to do with them. */
function selectionBlocks({ waiting, dropped, state: { ticked } }: HomeModel, say: Say): KnownBlock[] {
  const count = ticked.length;
  const gone = dropped === 0 ? [] : [say('home.dropped', { count: dropped })];
  if (waiting.shown.length === 0 && count === 0) return gone.length === 0 ? [] : [context(...gone)];
  const here = waiting.shown.map(requestKey);
  const elsewhere = ticked.filter((each) => !here.some(isSame(each))).length;
  const isWhole = here.every((each) => ticked.some(isSame(each)));
  const text = [
    say('home.selected', { count }),
    ...(elsewhere === 0 ? [] : [say('home.selected-elsewhere', { count: elsewhere })]),
    ...(count < MOST_AT_ONCE ? [] : [say('home.selected-most')]),
  ].join(' · ');
  return [
    context([...gone, count === 0 ? say('home.about-selected', { most: MOST_AT_ONCE }) : text].join('\n')),
    {
      type: 'actions',
      block_id: 'home_selected',
      elements: [
        button('approve_selected', say('home.approve-selected'), {
          value: 'home',
          style: count === 0 ? undefined : 'primary',
        }),
        ...(isWhole || count === MOST_AT_ONCE
          ? []
          : [button('select_page', say('home.select-page'), { value: 'home' })]),
        ...(count === 0 ? [] : [button('clear_selection', say('home.clear-selection'), { value: 'home' })]),
      ],
    },
  ];
}

export function otherBlocks({ others }: HomeModel, details: HomeDetails): KnownBlock[] {
  const names = shortNames(others.shown);
  return listBlocks('others', others, details.say, (request, i) =>
    otherRequestBlocks({ request, name: names[i] ?? '' }, details),
  );
}

function otherRequestBlocks({ request, name }: Row, details: HomeDetails): KnownBlock[] {
  const own = ownApproval(request, details);
  return [
    sectionLinking(titleOf(request, details.say), threadLink(request, name, details)),
    context(`${requestLine(request, details)}${own}`),
  ];
}

function ownApproval({ voters, votersBefore }: OpenRequest, { personId, say }: HomeDetails): string {
  if (voters.includes(personId)) return ` · ${say('home.you-approved-already')}`;
  return votersBefore.includes(personId) ? ` · ${say('home.you-approved-before')}` : '';
}

const LONGEST = { crew: 80, spoken: 40 };

export function runBlocks({ runs }: HomeModel, details: HomeDetails): KnownBlock[] {
  const names = toldApart(runs.shown.map((run) => cutLine(aboutRun(run) || run.crew, LONGEST.spoken)));
  return listBlocks('runs', runs, details.say, (run, i) => oneRunBlocks(run, names[i] ?? '', details));
}

function oneRunBlocks(run: HomeRun, spoken: string, { name, linkTo, say }: HomeDetails): KnownBlock[] {
  const { crew, channel, state, createdAt, endedAt, rootTs, crewMissing } = run;
  const about = aboutText(aboutRun(run));
  const title = [`*${escapedLine(crew, LONGEST.crew)}*`, ...(about === '' ? [] : [about]), say(`run.${state}`)];
  const took = endedAt === null ? [] : [say('run.took', { duration: duration(endedAt - createdAt, say) })];
  const missing = crewMissing ? [`🔌 ${say('missing-crew.short')}`] : [];
  const thread = {
    label: say('home.open-thread'),
    link: linkTo(channel, rootTs, null),
    spoken: say('home.thread-of-run', { run: spoken }),
  };
  return [
    sectionLinking(title.join(' · '), thread),
    context(
      [startedBy(run, { name, say }), channelMention(channel), slackDate(createdAt, say), ...took, ...missing].join(
        ' · ',
      ),
    ),
  ];
}

export function decidedBlocks({ decided }: HomeModel, details: HomeDetails): KnownBlock[] {
  const names = toldApart(decided.shown.map(({ record, task }) => cutLine(record?.about || task, LONGEST.spoken)));
  return listBlocks('decided', decided, details.say, (decision, i) =>
    pastDecisionBlocks(decision, names[i] ?? '', details),
  );
}

function pastDecisionBlocks(decision: PastDecision, spoken: string, details: HomeDetails): KnownBlock[] {
  const { name, say, linkTo } = details;
  const { crew, task, round, record, decidedAt } = decision;
  // Without a record, it may be the id of a task that has no name.
  const taskName = record ? record.taskName : task;
  const about = record?.about ?? '';
  const link = record && linkTo(record.channel, record.cardTs, null);
  const started = record?.starter ? [say('run.started-by', { name: nameIn(name, record.starter) })] : [];
  const thread = {
    label: say('home.open-thread'),
    link,
    spoken: say('home.thread-of-decided', { request: spoken }),
  };
  return [
    sectionLinking(requestTitle({ crew, taskName, about, round }, say), thread),
    context([outcomeText(decision, details), ...started, slackDate(decidedAt, say)].join(' · ')),
  ];
}

function outcomeText({ outcome: kind, by, askedAt, decidedAt }: PastDecision, { name, say }: HomeDetails): string {
  const names = by.map((id) => nameIn(name, { id, name: id }));
  const took = duration(decidedAt - askedAt, say);
  const isByNobody = kind === 'reject' && names.length === 0;
  return say(isByNobody ? 'home.rejected-by-nobody' : `home.outcome-${kind}`, {
    names: listed(names, say),
    duration: took,
  });
}

function listBlocks<Item>(
  list: ListName,
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
