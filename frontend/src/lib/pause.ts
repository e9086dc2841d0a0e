/** Waits about `ms`, so that many tabs do not come back in one moment; less if the network is back or the tab is looked at. */
export function pauseForNetwork(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const over = new AbortController()
    const end = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(end, ms * (0.5 + Math.random() / 2))
    const onLook = () => document.visibilityState === 'visible' && end()
    window.addEventListener('online', end, { signal: over.signal })
    document.addEventListener('visibilitychange', onLook, { signal: over.signal })
    signal?.addEventListener('abort', end, { signal: over.signal })
  })
}
