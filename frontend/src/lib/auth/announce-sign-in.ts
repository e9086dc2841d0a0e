import { supersede } from './session.ts'
import { resetSync } from './sync.ts'
import { notifyTabs } from './tabs.ts'

/** Announces a sign-in, which has to be recorded again even if the same person was signed in before. */
export function announceSignIn(): void {
  supersede()
  resetSync()
  notifyTabs({ type: 'signed-in' })
}
