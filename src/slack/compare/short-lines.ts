import { characterEnd } from '../../core/text.ts';
import type { ComparedLine, Piece } from './comparison.ts';

/** Stands for what is left out of a line. */
const LEFT_OUT = ' […] ';
/** What is shown of an unchanged line, or of an unchanged part on each side of a change. */
const UNCHANGED_LENGTH = 160;
/** A longer part of a line is shown as several. */
const LONGEST_PART = 2_000;

/** A line without unchanged text far from its changes; several where even then it is long. */
export function shortLines(line: ComparedLine): ComparedLine[] {
  switch (line.kind) {
    case 'kept':
      return [{ kind: 'kept', text: beginning(line.text) }];
    case 'removed':
    case 'added':
      return parts(line.text).map((text) => ({ kind: line.kind, text }));
    case 'changed':
      return grouped(shortPieces(line.pieces)).map((pieces) => ({ kind: 'changed', pieces }));
  }
}

function shortPieces(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap(({ kind, text }, i): Piece[] => {
    if (kind !== 'kept') return parts(text).map((part) => ({ kind, text: part }));
    if (text.length <= 2 * UNCHANGED_LENGTH) return [{ kind, text }];
    if (i === 0) return [{ kind, text: `${LEFT_OUT}${end(text)}`.trimStart() }];
    return [{ kind, text: `${beginning(text)}${i === pieces.length - 1 ? '' : ` ${end(text)}`}` }];
  });
}

function beginning(text: string): string {
  if (text.length <= UNCHANGED_LENGTH) return text;
  return text.slice(0, wordEnd(text, UNCHANGED_LENGTH)) + LEFT_OUT.trimEnd();
}

function end(text: string): string {
  const from = text.length - UNCHANGED_LENGTH;
  const space = text.indexOf(' ', from);
  return text.slice(space === -1 ? characterEnd(text, from) : space + 1);
}

/** The last place between two words, or else between two characters. */
function wordEnd(text: string, most: number): number {
  const space = text.lastIndexOf(' ', most);
  return space > most / 2 ? space : characterEnd(text, most);
}

function parts(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > LONGEST_PART) {
    const at = wordEnd(rest, LONGEST_PART);
    found.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...found, rest];
}

function grouped(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const last = groups.at(-1);
    size += piece.text.length;
    if (last && size <= LONGEST_PART) last.push(piece);
    else {
      groups.push([piece]);
      size = piece.text.length;
    }
  }
  return groups;
}
