import type { KnownBlock } from '@slack/types';
import type { PastDecision } from '../../core/inbox/snapshot.ts';
import { context, header, sectionLinking } from '../ui/blocks.ts';
import { listed, nameIn } from '../ui/person.ts';
import { duration, slackDate } from '../ui/text/moment.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';
import { emptyBlocks, turningBlocks } from './list-blocks.ts';
import { requestTitle } from './request-lines.ts';

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
    sectionLinking(requestTitle({ crew, task: named, round }, say), { label: say('home.open-thread'), link }),
    context(`${outcome(decision, details)} · ${slackDate(decidedAt, say)}`),
  ];
}

function outcome({ outcome: kind, by, askedAt, decidedAt }: PastDecision, { name, say }: HomeDetails): string {
  const names = by.map((id) => nameIn(name, { id, name: id }));
  const took = duration(decidedAt - askedAt, say);
  switch (kind) {
    case 'approve':
      return say('home.approved', { names: listed(names, say), duration: took });
    case 'reject':
      return names.length === 0
        ? say('home.changes-by-nobody', { duration: took })
        : say('home.changes', { names: listed(names, say), duration: took });
    case 'closed':
      return say('home.closed', { duration: took });
  }
}
