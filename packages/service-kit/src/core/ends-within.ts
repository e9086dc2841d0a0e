import { setTimeout as wait } from 'node:timers/promises'

/**
 * @returns whether `work` ends within `ms` milliseconds; where it does not, it continues.
 * @throws what `work` throws until then.
 */
export const endsWithin = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), wait(ms, false, { ref: false })])
