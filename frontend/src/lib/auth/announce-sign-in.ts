import { supersede } from './session.ts'
import { resetSync } from './sync.ts'
import { notifyTabs } from './tabs.ts'

/** After every sign-in: it has to be recorded anew even if the same person had been signed in before. */
export function announceSignIn(): void {
  supersede()
  resetSync()
  notifyTabs({ type: 'signed-in' })
}
