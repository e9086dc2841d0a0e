import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { syncSignIn, useSync } from '../lib/auth/sync.ts'
import { userKey } from '../lib/query-keys.ts'
import { useIdentity } from '../lib/user.ts'
import { toast } from '../ui/toast.ts'

/** Records each sign-in at the server. A failure is shown, and the app stays usable. */
export function SessionSync() {
  const queryClient = useQueryClient()
  const uid = useIdentity()?.uid
  const sync = useSync(uid)
  useEffect(() => {
    if (uid === undefined || sync !== 'idle') return
    void syncSignIn(uid, (succeeded) => {
      if (!succeeded) toast.error('Sync failed')
      void queryClient.invalidateQueries({ queryKey: userKey })
    })
  }, [uid, sync, queryClient])
  return null
}
