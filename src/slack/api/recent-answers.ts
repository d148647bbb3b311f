import { LRUCache } from 'lru-cache';
import type { Millis } from '../../core/values/time.ts';

/** Remembers Slack's answers to one kind of question. Simultaneous questions share one call. A failure is never kept. */
export class RecentAnswers<Answer> {
  readonly #ask: (question: string) => Promise<Answer>;
  readonly #now: () => Millis;
  readonly #answers: LRUCache<string, { answer: Answer; askedAt: Millis }>;
  readonly #open = new Map<string, Promise<Answer>>();

  constructor(
    ask: (question: string) => Promise<Answer>,
    { most, now = () => performance.now() }: { most: number; now?: (() => Millis) | undefined },
  ) {
    this.#ask = ask;
    this.#now = now;
    this.#answers = new LRUCache({ max: most });
  }

  /** Resolves to an answer that is less than `mostAgeMs` old. Rejects if the call does. */
  async find(question: string, mostAgeMs: Millis): Promise<Answer> {
    const recent = this.#answers.get(question);
    if (recent && this.#now() - recent.askedAt < mostAgeMs) return recent.answer;
    return this.#open.get(question) ?? this.#askAnew(question);
  }

  /** Stores an answer that Slack has given by itself. */
  learn(question: string, answer: Answer): void {
    this.#answers.set(question, { answer, askedAt: this.#now() });
  }
  #askAnew(question: string): Promise<Answer> {
    const askedAt = this.#now();
    const asking = this.#ask(question)
      .then((answer) => {
        this.#answers.set(question, { answer, askedAt });
        return answer;
      })
      .finally(() => this.#open.delete(question));
    this.#open.set(question, asking);
    return asking;
  }
}
