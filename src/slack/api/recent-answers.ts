import { LRUCache } from 'lru-cache';
import type { Millis } from '../../core/values/time.ts';

/** The answers of Slack to one kind of question. Who asks at the same time shares one call. A failure is never kept. */
export class RecentAnswers<Answer> {
  readonly #ask: (question: string) => Promise<Answer>;
  readonly #now: () => Millis;
  readonly #known: LRUCache<string, { answer: Answer; askedAt: Millis }>;
  readonly #asked = new Map<string, Promise<Answer>>();

  constructor(
    ask: (question: string) => Promise<Answer>,
    { most, now = () => performance.now() }: { most: number; now?: (() => Millis) | undefined },
  ) {
    this.#ask = ask;
    this.#now = now;
    this.#known = new LRUCache({ max: most });
  }

  /** An answer to a question that was asked less than `mostAgeMs` ago. Rejects if the call does. */
  async find(question: string, mostAgeMs: Millis): Promise<Answer> {
    const known = this.#known.get(question);
    if (known && this.#now() - known.askedAt < mostAgeMs) return known.answer;
    return this.#asked.get(question) ?? this.#askAnew(question);
  }

  /** Slack has told the answer by itself. */
  learn(question: string, answer: Answer): void {
    this.#known.set(question, { answer, askedAt: this.#now() });
  }

  #askAnew(question: string): Promise<Answer> {
    const askedAt = this.#now();
    const asked = this.#ask(question)
      .then((answer) => {
        this.#known.set(question, { answer, askedAt });
        return answer;
      })
      .finally(() => this.#asked.delete(question));
    this.#asked.set(question, asked);
    return asked;
  }
}
