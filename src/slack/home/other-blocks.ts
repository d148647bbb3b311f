import type { KnownBlock } from '@slack/types';
import type { OpenRequest } from '../../core/inbox/snapshot.ts';
import { context, header, sectionLinking } from '../ui/blocks.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';
import { emptyBlocks, turningBlocks } from './list-blocks.ts';
import { requestLine, titleOf } from './request-lines.ts';

/** What others have to decide. */
export function otherBlocks({ others, state }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { say } = details;
  return [
    header(say('home.others')),
    ...emptyBlocks(others, { state, empty: 'home.nothing-others', say }),
    ...others.shown.flatMap((request) => requestBlocks(request, details)),
    ...turningBlocks(others, 'others', say),
  ];
}

function requestBlocks(request: OpenRequest, details: HomeDetails): KnownBlock[] {
  const { run, cardTs, voters } = request;
  const link = details.linkTo(run.channel, cardTs, run.rootTs);
  const own = voters.includes(details.personId) ? ` · ${details.say('home.you-approved-already')}` : '';
  return [
    sectionLinking(titleOf(request, details.say), { label: details.say('home.open-thread'), link }),
    context(`${requestLine(request, details)}${own}`),
  ];
}
