import type { HomeView, KnownBlock } from '@slack/types';
import { divider } from '../ui/blocks.ts';
import { decidedBlocks } from './decided-blocks.ts';
import { filterBlocks } from './filter-blocks.ts';
import { headBlocks } from './head-blocks.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';
import { writeState } from './home-state.ts';
import { otherBlocks } from './other-blocks.ts';
import { runBlocks } from './run-blocks.ts';
import { waitingBlocks } from './waiting-blocks.ts';

/** The Home tab of one person. */
export function homeView(model: HomeModel, details: HomeDetails): HomeView {
  const blocks = [
    ...headBlocks(model, details),
    ...filterBlocks(model, details),
    ...[waitingBlocks, otherBlocks, runBlocks, decidedBlocks].flatMap((list) => [divider(), ...list(model, details)]),
  ];
  return homeOf(blocks, writeState(model.state));
}

export function homeOf(blocks: KnownBlock[], metadata: string): HomeView {
  return { type: 'home', private_metadata: metadata, blocks };
}
