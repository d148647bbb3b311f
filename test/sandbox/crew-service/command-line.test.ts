import { describe, expect, it } from 'vitest';
import { HELP, readCommandLine, readLogLevel, readUserTokens } from '../../../src/sandbox/crew-service/command-line.ts';

describe('npm run crew', () => {
  it('speaks the specification on port 4100 of this machine, its sandbox shut, unless told otherwise', () => {
    expect(readCommandLine([])).toEqual({
      dialect: 'spec',
      port: 4100,
      host: '127.0.0.1',
      redis: undefined,
      output: '.demo/release-notes',
      crews: undefined,
      sandboxApi: 'off',
    });
  });

  it('takes every option that its help names', () => {
    const values = { dialect: 'observed', port: '0', host: '::1', redis: '/r.sock', output: '/o', crews: './c.ts' };
    const args = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
    expect(readCommandLine([...args, '--sandbox'])).toEqual({ ...values, port: 0, sandboxApi: 'on' });
    for (const name of [...Object.keys(values), 'sandbox', 'help']) expect(HELP).toContain(`--${name}`);
    expect(readCommandLine(['--help'])).toBe('help');
  });

  it.each([[['--dialect', 'klingon']], [['--port', 'x']], [['--port', '70000']], [['--nonsense']], [['stray']]])(
    'refuses %j',
    (args) => {
      expect(() => readCommandLine(args)).toThrow();
    },
  );

  it('names the log levels that there are', () => {
    expect(readLogLevel('warn')).toBe('warn');
    expect(() => readLogLevel('loud')).toThrow('LOG_LEVEL is one of trace, debug, info, warn, error, fatal, silent');
  });

  it('reads tokens of users, and repeats none of them in an error', () => {
    expect(readUserTokens('maria=abc, jon=x=y')).toEqual([
      { user: 'maria', token: 'abc' },
      { user: 'jon', token: 'x=y' },
    ]);
    expect(readUserTokens('')).toEqual([]);
    expect(() => readUserTokens('maria=abc,secret')).toThrow(
      'Entry 2 of CREW_SERVICE_USER_TOKENS is not of the form name=token.',
    );
  });
});
