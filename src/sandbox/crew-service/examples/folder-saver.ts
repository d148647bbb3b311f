import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { MemorySaver } from '@langchain/langgraph';

type Config = Parameters<MemorySaver['getTuple']>[0];

/** A checkpointer with a file for each thread: enough for trying. LangGraph has others, for SQLite, Postgres and Redis. */
export class FolderSaver extends MemorySaver {
  readonly #folder: string;

  constructor(folder: string) {
    super();
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  override getTuple(config: Config) {
    const thread = threadOf(config);
    const file = this.#fileOf(thread);
    if (this.storage[thread] === undefined && existsSync(file)) {
      const [checkpoints, writes] = deserialize(readFileSync(file));
      this.storage[thread] = checkpoints;
      Object.assign(this.writes, writes);
    }
    return super.getTuple(config);
  }

  override async put(...given: Parameters<MemorySaver['put']>) {
    const config = await super.put(...given);
    this.#save(threadOf(config));
    return config;
  }

  override async putWrites(...given: Parameters<MemorySaver['putWrites']>) {
    await super.putWrites(...given);
    this.#save(threadOf(given[0]));
  }

  #save(thread: string) {
    const writes = Object.entries(this.writes).filter(([key]) => JSON.parse(key)[0] === thread);
    const draft = `${this.#fileOf(thread)}.draft`;
    writeFileSync(draft, serialize([this.storage[thread], Object.fromEntries(writes)]));
    renameSync(draft, this.#fileOf(thread));
  }

  #fileOf(thread: string): string {
    return join(this.#folder, encodeURIComponent(thread));
  }
}

function threadOf({ configurable }: Config): string {
  return String(configurable?.thread_id);
}
