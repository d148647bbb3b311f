import { describe, expect, it } from 'vitest';
import { HELP, readCommandLine, readLogLevel } from '../../../src/sandbox/crew-service/command-line.ts';

describe('npm run crew', () => {
  it('speaks the specification on port 4100 of this machine, its sandbox shut, unless told otherwise', () => {
    expect(readCommandLine([])).toEqual({
      dialect: 'spec',
      port: 4100,
      host: '127.0.0.1',
      redis: undefined,
      dashboard: undefined,
      output: '.crew-service/release-notes',
      crews: [],
      runs: 8,
      memoryMb: 256,
      sandboxApi: 'off',
    });
  });

  it('takes every option that its help names', () => {
    const values = { dialect: 'flows', port: '0', host: '::1', redis: '/r.sock', output: '/o' };
    const args = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
    const more = ['--crews', './c.ts', '--crews', './d.ts', '--runs', '3', '--memory', '64', '--sandbox'];
    const flows = ['--dashboard', 'http://127.0.0.1:1/hitl', '--dashboard-shape', 'nested'];
    const taken = {
      ...values,
      dashboard: { url: 'http://127.0.0.1:1/hitl', shape: 'nested' },
      port: 0,
      crews: ['./c.ts', './d.ts'],
      runs: 3,
      memoryMb: 64,
      sandboxApi: 'on',
    };
    expect(readCommandLine([...args, ...flows, ...more])).toEqual(taken);
    const others = ['dashboard', 'dashboard-shape', 'crews', 'runs', 'memory', 'sandbox', 'help', 'version'];
    for (const name of [...Object.keys(values), ...others]) expect(HELP).toContain(`--${name}`);
    for (const asked of ['--help', '-h']) expect(readCommandLine([asked])).toBe('help');
    expect(readCommandLine(['--version'])).toBe('version');
  });

  it('refuses what makes no sense', () => {
    for (const words of [
      ...['--dialect klingon', '--dialect flows --dashboard nowhere', '--dialect flows --dashboard-shape round'],
      ...[
        '--dashboard http://127.0.0.1:1/hitl',
        '--port x',
        '--port 70000',
        '--runs 0',
        '--memory 1',
        '--nonsense',
        'stray',
      ],
    ])
      expect(() => readCommandLine(words.split(' ')), words).toThrow();
  });

  it('names the log levels that there are', () => {
    expect(readLogLevel('warn')).toBe('warn');
    expect(() => readLogLevel('loud')).toThrow('LOG_LEVEL is one of trace, debug, info, warn, error, fatal, silent');
  });
});
