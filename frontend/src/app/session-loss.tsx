import { useEffect } from 'react'
import { onSessionLost } from '../lib/auth/session.ts'
import { toast } from '../ui/toast.ts'

/** Says why the login page shows when a session has run out or was ended elsewhere. */
export function SessionLoss() {
  useEffect(() => onSessionLost(() => toast.note('Your session has ended. Log in again.')), [])
  return null
}
