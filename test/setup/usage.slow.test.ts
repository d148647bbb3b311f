import { randomInt } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { helpFor } from '../../src/setup/usage.mjs';
import { run } from '../support/audit-program.ts';
import { programPath } from '../support/program-path.ts';
import { everyNth } from '../support/sample.ts';

const SANDBOX = ['crew', 'workspace'];
const scripts: Record<string, string> = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')).scripts;
/** What npm runs by each of these names. */
const PROGRAMS = Object.entries(scripts).flatMap(([name, script]) => {
  const [, program] = /node src\/setup\/run\.mjs (\S+)$/.exec(script) ?? [];
  return program === undefined ? [] : [[name, program] as const];
});

it('all programs of npm are tried here', () => {
  expect(PROGRAMS.map(([name]) => name).sort()).toEqual(
    [
      ...SANDBOX,
      'start',
      'demo',
      'webhook',
      'soak',
      'doctor',
      'policy',
      'audit',
      'report',
      'trace',
      'bench',
      'sentences',
      'promises',
      'mutate',
      'mcp',
    ].sort(),
  );
});

describe.each(PROGRAMS.filter(([name]) => !SANDBOX.includes(name)))('npm run %s', (name, program) => {
  it.each(['--help', '-h'])('says how it is used (%s)', (asked) => {
    expect(helpFor(program, [asked])).toMatch(new RegExp(`^Usage: npm (run )?(--silent )?${name}\\b`));
  });
});

it('how a program is used is said before anything is installed', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'signoff-usage-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  cpSync(join(CHECKOUT, 'src/setup'), join(clone, 'src/setup'), { recursive: true });
  const { code, out, errors } = await run(['src/setup/run.mjs', 'dist/main.js', '--help'], {}, clone);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(out).toContain('Usage: npm start');
});

it('how the bot is used is said without npm and any settings, too', async () => {
  const { code, out, errors } = await run([programPath('bot'), '--help']);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(out).toContain('Usage: npm start');
});

it.each([
  ['bot', 'npm start'],
  ['doctor', 'npm run doctor'],
  ['policy', 'npm run policy'],
  ['audit', 'npm run --silent audit'],
  ['report', 'npm run --silent report'],
  ['webhook', 'npm run webhook'],
  ['mcp', 'npm run --silent mcp'],
] as const)(
  'the program %s refuses an option that it doesn’t know, and says how it is used',
  async (program, usage) => {
    const { code, out, errors } = await run([programPath(program), '--nonsense']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toContain(`Unknown option '--nonsense'.\n\nUsage: ${usage}`);
  },
);

/** They are compiled when they start. */
const SOURCES = [
  'src/sandbox/demo/main.ts',
  ...['soak', 'trace', 'bench', 'sentences', 'promises'].map((name) => `test/${name}/main.ts`),
];

it.each(everyNth(5, SOURCES, randomInt(5)))(
  '%s refuses an option that it doesn’t know, and says how it is used',
  async (program) => {
    const { code, out, errors } = await run(['--import', 'tsx', program, '--nonsense']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toContain(`Unknown option '--nonsense'.\n\n${helpFor(program, ['--help'])}`);
  },
);

describe.each(['crew-service', 'slack-workspace'])('the command %s', (name) => {
  const program = `src/sandbox/${name}/dist/main.js`;

  it.each([['--help'], ...(name === 'crew-service' ? [['new', '-h']] : [])])(
    'says how it is used (%s %s)',
    async (...args) => {
      const { code, out, errors } = await run([program, ...args]);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(out).toContain('--help');
    },
  );

  it('refuses an option that it doesn’t know, and says how it is used', async () => {
    const { code, out, errors } = await run([program, '--nonsense']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toMatch(/'--nonsense'(.|\n)*--help/);
  });
});

it.each(['bot', 'doctor'] as const)('where there is no .env, the %s says to copy the example', async (program) => {
  const { code, out, errors } = await run([programPath(program)]);
  expect(code).toBe(1);
  expect(`${out}${errors}`).toMatch(/There is no \.env in .+: copy \.env\.example to \.env, and fill it in\./);
});
