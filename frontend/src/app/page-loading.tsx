import { useConnection } from '../lib/connection.ts'
import { Loading } from '../ui/loading.tsx'

/** The whole window while it is not known yet what to show; says so calmly if the server cannot be reached. */
export function PageLoading() {
  const connection = useConnection()
  if (connection === 'offline')
    return <Loading page note="You are offline. Parley will continue as soon as you are back online." />
  if (connection === 'unreachable') return <Loading page note="Parley cannot be reached right now. Trying again…" />
  return <Loading page />
}
