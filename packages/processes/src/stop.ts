/** How long a process may take to finish what it has begun, in seconds, before it gives up and ends. */
export const drainSeconds = 25

/** How long whoever stops a process waits before it kills: launcher, compose and Kubernetes alike. */
export const stopLimitSeconds = 30
