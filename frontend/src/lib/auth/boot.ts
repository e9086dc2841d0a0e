import { adoptSession, adoptUntilKnown } from './session.ts'
import { onTabMessage } from './tabs.ts'
import { userManager } from './user-manager.ts'

/** Coming back to the tab asks again who is signed in, but not more often than this. */
const returnPauseMs = 10_000

let started: Promise<void> | undefined

/**
 * Finds out who is signed in, once per page load and before anything asks. Waits as long as nobody can say; never rejects.
 * From then on the page follows the other tabs.
 */
export function boot(): Promise<void> {
  started ??= findOut().then(follow)
  return started
}

async function findOut(): Promise<void> {
  let outcome = await adoptUntilKnown()
  while (outcome === 'superseded') outcome = await adoptUntilKnown()
}

function follow(): void {
  onTabMessage(({ type }) => void (type === 'signed-out' ? userManager.removeUser() : adoptUntilKnown()))

  // A frozen tab has missed the messages.
  let lastAskedAt = Date.now()
  const ask = () => {
    lastAskedAt = Date.now()
    void adoptSession()
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - lastAskedAt > returnPauseMs) ask()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) ask()
  })
}
