const maxWaitMs = 4000

/** Resolves once the page has loaded and the browser has nothing else to do; after 4 s at the latest. */
export async function whenIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise<void>((resolve) => window.addEventListener('load', () => resolve(), { once: true }))
  // Safari has no idle callback.
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: maxWaitMs })
    else setTimeout(resolve, 1500)
  })
}
