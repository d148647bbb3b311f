import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { OpenRequest } from '../../core/inbox/snapshot.ts';
import { button, context, header, linkButton, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { cutLine } from '../ui/text/cut.ts';
import { gist } from './gist.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';
import { emptyBlocks, turningBlocks } from './list-blocks.ts';
import { requestLine, titleOf } from './request-lines.ts';
import { tickBlock } from './ticks.ts';

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
