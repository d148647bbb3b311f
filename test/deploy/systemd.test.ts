import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const UNIT = new URL('../../deploy/signoff.service', import.meta.url);

/** The settings of a section in order, as `Name=value`. */
async function settings(section: string): Promise<string[]> {
  const text = await readFile(UNIT, 'utf8');
  const [, body = ''] = text.split(`[${section}]\n`);
  const [own = ''] = body.split(/^\[/m);
  return own.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

interface Verdict {
  code: number | 'not here';
  said: string;
}

function verify(file: string): Promise<Verdict> {
  return new Promise((done) => {
    execFile('systemd-analyze', ['verify', '--man=no', file], (error, out, errors) => {
      if (error?.code === 'ENOENT') return done({ code: 'not here', said: '' });
      done({ code: typeof error?.code === 'number' ? error.code : 0, said: `${out}${errors}` });
    });
  });
}

/** systemd's verdict on the unit, with this machine's Node.js; 'not here' if it has no systemd. */
async function verdictOn(change: (unit: string) => string): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-unit-'));
  const file = join(folder, 'signoff.service');
  const unit = (await readFile(UNIT, 'utf8')).replace('/usr/bin/node', process.execPath);
  await writeFile(file, change(unit));
  try {
    return await verify(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the systemd unit', () => {
  it('is accepted by systemd, if there is one', async () => {
    const { code, said } = await verdictOn((unit) => unit);
    expect([code === 'not here' ? 0 : code, linesAboutUs(said)]).toEqual([0, []]);
    const mistaken = await verdictOn((unit) => unit.replace('ProtectHome=yes', 'ProtectHomes=yes'));
    if (mistaken.code !== 'not here') expect(linesAboutUs(mistaken.said)).toHaveLength(1);
  });

  it('runs the bot as a user of its own, with settings that only root can read', async () => {
    const service = await settings('Service');
    expect(service).toEqual(
      expect.arrayContaining([
        'User=signoff',
        'ExecStart=/usr/bin/node dist/main.js',
        'EnvironmentFile=/etc/signoff/env',
        'Environment=NODE_ENV=production',
        'Restart=always',
      ]),
    );
  });

  it('says how the doctor reads the same settings', async () => {
    const [, file] = /^EnvironmentFile=(.+)$/m.exec(await readFile(UNIT, 'utf8')) ?? [];
    const comments = (await readFile(UNIT, 'utf8')).split('\n').filter((line) => line.startsWith('#'));
    const command = comments.map((line) => /node --env-file=(\S+) dist\/(\S+)\.js/.exec(line)).find((found) => found);
    expect(command?.slice(1)).toEqual([file, 'doctor']);
  });

  it('gives the bot more time to stop than it takes, and signals only the bot', async () => {
    const service = await settings('Service');
    expect(service).toContain('TimeoutStopSec=15');
    expect(service).toContain('KillMode=mixed');
  });

  it('restricts what the bot could do to the machine', async () => {
    const service = await settings('Service');
    expect(service).toEqual(
      expect.arrayContaining([
        'NoNewPrivileges=yes',
        'CapabilityBoundingSet=',
        'ProtectSystem=strict',
        'ProtectHome=yes',
        'PrivateDevices=yes',
        'SystemCallFilter=@system-service',
      ]),
    );
  });

  it('has only sections and settings, each once', async () => {
    const text = await readFile(UNIT, 'utf8');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines) expect(line).toMatch(/^(\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*)$/);
    const names = lines.map((line) => line.split('=', 1)[0]).filter((name) => name !== 'SystemCallFilter');
    expect(new Set(names).size).toBe(names.length);
  });
});

/** Without what it says about other units of this machine. */
function linesAboutUs(said: string): string[] {
  return said.split('\n').filter((line) => line.includes('signoff.service'));
}
