import type { KnownBlock } from '@slack/types';
import type { RootFace } from '../../core/face.ts';
import type { Millis } from '../../core/time.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { roughly } from '../text/moment.ts';
import { context, type Rendered, rendered, section } from './blocks.ts';
import { inline, type NameOf, nameIn } from './person.ts';
import { runWords } from './run-words.ts';

export interface StatusEntry {
  face: RootFace;
  /** The address of the thread, and of the open approval; null while they have none. */
  link: string | null;
  cardLink: string | null;
}

const MOST_SHOWN = 10;

/** What is running and waiting in a channel, newest first, for the one person who asked. */
export function statusList(entries: StatusEntry[], { now, name }: { now: Millis; name: NameOf }): Rendered {
  if (entries.length === 0) {
    const nothing = 'Nothing is running or waiting here. Start something with `/kickoff`.';
    return rendered(nothing, [section(nothing)]);
  }
  const shown = entries.slice(0, MOST_SHOWN);
  const more = entries.length - shown.length;
  const head = entries.length === 1 ? 'One run is going on here' : `${entries.length} runs are going on here`;
  return rendered(`${head}: ${shown.map(({ face }) => brief(face)).join('; ')}`, [
    section(`*${head}*`),
    ...shown.map((entry) => line(entry, now, name)),
    ...(more > 0 ? [context(`…and ${more} older ${more === 1 ? 'one' : 'ones'}`)] : []),
  ]);
}

function brief(face: RootFace): string {
  const { symbol, word } = runWords(face);
  return `${symbol} ${inline(face.crew, 60)}: ${word}`;
}

function line({ face, link, cardLink }: StatusEntry, now: Millis, name: NameOf): KnownBlock {
  const { symbol, word } = runWords(face);
  const asks = face.openCard ? linked('Open the approval', cardLink) : '';
  const by = face.starter ? ` by ${nameIn(name, face.starter)}` : '';
  const started = `started ${roughly(now - face.createdAt)} ago${by}`;
  const links = [linked('Open the thread', link), asks].filter(Boolean).join(' · ');
  return section(`${symbol} *${inline(face.crew, 60)}*: ${word} · ${started}\n${links}`.trim());
}

function linked(label: string, address: string | null): string {
  return address ? `<${escapeMrkdwn(address)}|${label}>` : '';
}
