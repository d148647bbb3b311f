// Every relative link and anchor in the documents leads somewhere, and the files that the map of the code names are there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCrewsFile } from '../../src/config/crews.ts';

/** Committed or about to be. */
const DOCUMENTS = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'])
  .toString()
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));

const withoutCode = (text: string) =>
  text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, (code) => `\`${code.length}\``);

/** https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links */
function anchorsOf(path: string): Set<string> {
  const headings = [
    ...readFileSync(path, 'utf8')
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ];
  const anchors = headings.map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  const named = [...readFileSync(path, 'utf8').matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
  return new Set([...anchors, ...named]);
}

function linksOf(path: string): string[] {
  const text = withoutCode(readFileSync(path, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/<img src="([^"]+)"/g)].map(
    ([, to = '']) => to,
  );
  return links.filter((to) => !/^[a-z]+:/.test(to));
}

function brokenIn(path: string): string[] {
  return linksOf(path).filter((to) => {
    const [file = '', anchor] = to.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(target).has(anchor));
  });
}

describe('the documents', () => {
  it.each(DOCUMENTS)('have no link that leads nowhere: %s', (path) => {
    expect(brokenIn(path)).toEqual([]);
  });

  it('are each reached from the README', () => {
    const reached = new Set<string>();
    const visit = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      const linked = linksOf(path).map((to) => normalize(join(dirname(path), to.replace(/#.*/, ''))));
      for (const each of linked) if (each.endsWith('.md') && existsSync(each)) visit(each);
    };
    visit('README.md');
    expect(DOCUMENTS.filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
  });

  it('name only files that are there, in the map of the code', () => {
    const map = ['docs/architecture.md', 'docs/extending.md'].map((path) => readFileSync(path, 'utf8')).join();
    const named = [...map.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].map(([, path = '']) => path);
    const isThere = (path: string) => existsSync(join('src', path)) || existsSync(path);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });
});

/** The crews files in the documents, without their indentation in a list. */
const CREWS_FILES = DOCUMENTS.filter((path) => path.startsWith('docs/')).flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/^( *)```yaml\n\1(crews:\n[\s\S]*?)^\1```/gm)].map(
    ([, indent = '', text = '']) =>
      [`${path}, ${text.split('\n')[1]?.trim()}`, text.replaceAll(`\n${indent}`, '\n')] as const,
  ),
);

describe('the crews files in the documents', () => {
  it.each(CREWS_FILES)('are taken as they are: %s', (_, text) => {
    const file = parseCrewsFile(text, {}, () => 'https://unset.example.com');
    expect(file.ok ? [] : file.refusal).toEqual([]);
  });

  it('are some', () => {
    expect(CREWS_FILES.length).toBeGreaterThan(1);
  });
});

describe('the README', () => {
  it('is read in one sitting', () => {
    expect(readFileSync('README.md').length).toBeLessThanOrEqual(10_000);
  });
});
