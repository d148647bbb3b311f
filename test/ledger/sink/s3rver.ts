import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { onTestFinished } from 'vitest';

/** How it names the file of an object. */
const SUFFIX = '._S3rver_object';

/** Storage with a bucket; it checks neither signatures nor checksums. */
export async function startS3rver() {
  const directory = await mkdtemp(join(tmpdir(), 'signoff-s3-'));
  const configureBuckets = [{ name: 'audit', configs: [] }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  onTestFinished(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });
  const folder = join(directory, 'audit', 'signoff', 'ledger');
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).sort();
  return {
    address: `s3://audit/signoff/ledger?region=eu-central-1&endpoint=http://127.0.0.1:${port}`,
    keys: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    names: async () => (await files()).map((file) => file.replace(SUFFIX, '')),
    /** The objects in the order of their names. */
    async objects() {
      const read = async (file: string) => ({
        name: file.replace(SUFFIX, ''),
        body: await readFile(join(folder, file), 'utf8'),
      });
      return Promise.all((await files()).map(read));
    },
  };
}
