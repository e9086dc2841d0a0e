import { lazy, Suspense } from 'react'
import { useLoaded } from '../lib/use-loaded.ts'
import { useUser } from '../lib/user.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Gate } from './gate.tsx'
import { protectedVerdict } from './guard-rules.ts'
import { PageLoading } from './page-loading.tsx'
import { AppShell } from './shell/app-shell.tsx'

const loadLiveEvents = async () => (await import('./shell/idle.ts')).LiveEvents

function Live() {
  const LiveEvents = useLoaded(loadLiveEvents)
  return LiveEvents && <LiveEvents />
}

const ClosedWorkspace = lazy(async () => ({ default: (await import('./closed-workspace.tsx')).ClosedWorkspace }))

/** The app's frame, unless an owner is deleting the workspace: then owners alone are let in. */
function Frame() {
  const user = useUser().data
  if (user?.closesAt !== undefined && user.role !== 'owner')
    return (
      <Suspense fallback={<PageLoading />}>
        <ClosedWorkspace user={{ ...user, closesAt: user.closesAt }} />
      </Suspense>
    )
  return (
    <TooltipProvider>
      <AppShell />
      <Live />
    </TooltipProvider>
  )
}

/** The guard, and inside it the frame. */
export function Component() {
  return (
    <Gate rule={protectedVerdict}>
      <Frame />
    </Gate>
  )
}
