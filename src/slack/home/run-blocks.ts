import type { KnownBlock } from '@slack/types';
import type { MessageKey } from '../language/catalogues.ts';
import { context, header, sectionLinking } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { duration, slackDate } from '../ui/text/moment.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel, HomeRun } from './home-model.ts';
import { emptyBlocks, turningBlocks } from './list-blocks.ts';
import { channelMention } from './request-lines.ts';

const LONGEST_CREW = 80;

/** What the person has started, with how it is going. */
export function runBlocks({ runs, state }: HomeModel, details: HomeDetails): KnownBlock[] {
  const { say } = details;
  return [
    header(say('home.runs')),
    ...emptyBlocks(runs, { state, empty: 'home.nothing-runs', say }),
    ...runs.shown.flatMap((run) => blocksOf(run, details)),
    ...turningBlocks(runs, 'runs', say),
  ];
}

function blocksOf(run: HomeRun, { linkTo, say }: HomeDetails): KnownBlock[] {
  const { crew, channel, status, createdAt, endedAt, rootTs, crewMissing } = run;
  const title = `*${escapedLine(crew, LONGEST_CREW)}* · ${say(STATUS[status])}`;
  const started = slackDate(createdAt, say, `${say('home.started')} `);
  const took = endedAt === null ? [] : [say('run.took', { duration: duration(endedAt - createdAt, say) })];
  const missing = crewMissing ? [`🔌 ${say('missing-crew.short')}`] : [];
  return [
    sectionLinking(title, { label: say('home.open-thread'), link: linkTo(channel, rootTs, null) }),
    context([channelMention(channel), started, ...took, ...missing].join(' · ')),
  ];
}

const STATUS = {
  starting: 'run.starting',
  running: 'run.running',
  waiting: 'run.waiting-for-approval',
  completed: 'run.completed',
  failed: 'run.failed',
  lost: 'run.lost',
  'not-started': 'run.not-started',
  unconfirmed: 'run.unconfirmed',
} as const satisfies Record<HomeRun['status'], MessageKey>;
