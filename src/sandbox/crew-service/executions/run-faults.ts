/** Fails the run with its message, whatever tries its task has left. */
export class RunFault extends Error {
  override name = 'RunFault';
}

/** The process of a run ended without saying why: it exited, was killed or ran out of memory. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded';
}
