import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const read = (name: string) => readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
const PROXIES = ['nginx.conf', 'Caddyfile'];
/** What is for everybody, and what is for the operator's own machines. */
const PUBLIC = ['/slack/events', '/webhooks/', '/asks', '/step-up/'];
const PRIVATE = ['/healthz', '/readyz', '/metrics'];

const withoutComments = (text: string) => text.replace(/^\s*#.*$/gm, '');

describe.each(PROXIES)('deploy/%s', (name) => {
  it('passes the routes that the documents name, and no others', async () => {
    const config = withoutComments(await read(name));
    const paths =
      name === 'nginx.conf'
        ? config.match(/(?<=location (= )?)\/\S+(?= \{ proxy_pass)/g)
        : config.match(/(?<=@signoff path .*)\/\S+/g);
    expect(new Set(paths?.map((path) => path.replace(/\*$/, '')))).toEqual(new Set([...PUBLIC, '/asks/']));
    for (const route of PRIVATE) expect(paths?.join()).not.toContain(route);
  });

  it('passes bodies of 20 MiB, and waits for as long as an ask does', async () => {
    const config = withoutComments(await read(name));
    expect(config).toMatch(/client_max_body_size 20m;|max_size 20MiB/);
    expect(config).toMatch(/proxy_read_timeout 60s;|response_header_timeout 60s/);
  });
});

/** How a program ended that checks a file; null if this machine doesn't have it. */
function checked(program: string, args: string[]): Promise<{ code: number; said: string } | null> {
  return new Promise((done) => {
    execFile(program, args, (error, out, errors) => {
      if (error?.code === 'ENOENT') return done(null);
      done({ code: typeof error?.code === 'number' ? error.code : 0, said: `${out}${errors}` });
    });
  });
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-proxy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

describe('what a proxy of this machine says of its file', () => {
  it('nginx takes it', async () => {
    const server = (await read('nginx.conf'))
      .replace('listen 443 ssl;', 'listen 127.0.0.1:8443;')
      .replace(/^ *ssl_.*$/gm, '');
    const folder = await folderWith({ 'signoff.conf': server });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const http = ['access_log off;', ...temporary, `include ${folder}/signoff.conf;`].join('\n');
    await writeFile(join(folder, 'nginx.conf'), `pid ${folder}/pid;\nevents {}\nhttp {\n${http}\n}\n`);
    const verdict = await checked('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']);
    if (verdict !== null)
      expect(verdict).toMatchObject({ code: 0, said: expect.stringContaining('test is successful') });
  });

  it('Caddy takes it', async () => {
    const folder = await folderWith({ Caddyfile: await read('Caddyfile') });
    const verdict = await checked('caddy', [
      'adapt',
      '--validate',
      '--config',
      join(folder, 'Caddyfile'),
      '--adapter',
      'caddyfile',
    ]);
    if (verdict !== null) expect(verdict).toMatchObject({ code: 0 });
  });
});
