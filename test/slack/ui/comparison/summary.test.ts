import { describe, expect, it } from 'vitest';
import type { OutputStore } from '../../../../src/core/ports.ts';
import { createFindChange } from '../../../../src/slack/ui/comparison/summary.ts';

const DRAFT = `# Notes

A line.

## Tests

They pass.

### Slow tests

They pass, too.

## Thanks

To all.`;

/** Reads texts by names for their hashes, and counts how often. */
function storeOf(texts: Record<string, string>): OutputStore & { reads: number } {
  return {
    reads: 0,
    async get(_, hash) {
      this.reads++;
      return texts[hash] ?? null;
    },
    put: async () => ({ hash: '', length: 0 }),
  };
}

const changeTo = (after: string, before = DRAFT) =>
  createFindChange(storeOf({ before, after }))({ ref: 'r1', before: 'before', after: 'after' });

const summaryOf = async (after: string, before = DRAFT) => {
  const change = await changeTo(after, before);
  return change?.kind === 'compared' ? change.summary : change;
};

describe('what became of a text', () => {
  it('names a removed section once, and counts all that belongs to it', async () => {
    const after = DRAFT.replace(/## Tests.*(?=## Thanks)/s, '').replace('A line.', 'A changed line.');
    expect(await summaryOf(after)).toEqual({
      changed: 1,
      added: 0,
      removed: 4,
      sections: { added: [], removed: ['Tests'] },
    });
  });

  it('names an added section, and counts other lines, too', async () => {
    const after = `${DRAFT}\n\nTo you.\n\n## **Links**\n\nNone.`;
    expect(await summaryOf(after)).toEqual({
      changed: 0,
      added: 3,
      removed: 0,
      sections: { added: ['Links'], removed: [] },
    });
  });

  it('takes a new title for a line, and names what was removed below it', async () => {
    const before = '# Notes\n\nIntro.\n\n## Features\n- one\n\n## Tests\n- two\n- three';
    const after = '# Spring release\n\nIntro.\n\n## Features\n- one';
    expect(await summaryOf(after, before)).toEqual({
      changed: 0,
      added: 1,
      removed: 4,
      sections: { added: [], removed: ['Tests'] },
    });
  });

  it('takes a moved section for no new one, and a heading in code for none', async () => {
    const moved = `## Thanks\n\nTo all.\n\n${DRAFT.replace(/\n\n## Thanks.*/s, '')}`;
    const coded = `${DRAFT}\n\n\`\`\`\n# Not a heading\n\`\`\``;
    expect(await summaryOf(moved)).toMatchObject({ sections: { added: [], removed: [] } });
    expect(await summaryOf(coded)).toMatchObject({ added: 3, sections: { added: [], removed: [] } });
  });

  it('is found once for two texts', async () => {
    const outputs = storeOf({ before: 'a', after: 'b' });
    const findChange = createFindChange(outputs);
    const texts = { ref: 'r1', before: 'before', after: 'after' };
    expect(await findChange(texts)).toEqual(await findChange(texts));
    expect(await findChange({ ...texts, after: 'before' })).toEqual({ kind: 'same' });
    expect(outputs.reads).toBe(2);
  });

  it('is asked for again where a text was not there', async () => {
    const texts: Record<string, string> = { before: 'a' };
    const findChange = createFindChange(storeOf(texts));
    const wanted = { ref: 'r1', before: 'before', after: 'after' };
    expect(await findChange(wanted)).toBeNull();
    texts.after = 'a ';
    expect(await findChange(wanted)).toEqual({ kind: 'unseen' });
  });
});
