import { MemorySaver } from '@langchain/langgraph';
import type { Lifeline } from './power-cuts.ts';

/** A checkpointer of which `kept` stays when the power is cut. */
export class Disk extends MemorySaver {
  readonly #line: Lifeline;

  constructor(line: Lifeline, kept: MemorySaver) {
    super();
    this.#line = line;
    this.storage = kept.storage;
    this.writes = kept.writes;
  }

  override put(...given: Parameters<MemorySaver['put']>) {
    return this.#line.do(() => super.put(...given));
  }

  override putWrites(...given: Parameters<MemorySaver['putWrites']>) {
    return this.#line.do(() => super.putWrites(...given));
  }
}
