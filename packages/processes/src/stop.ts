/** Seconds within which a process finishes what it has begun before it gives up and ends. */
export const drainSeconds = 25

/** Seconds that launcher, compose and Kubernetes alike wait after a stop before they kill a process. */
export const stopLimitSeconds = 30
