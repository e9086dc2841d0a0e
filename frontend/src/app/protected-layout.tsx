import { isLive } from '../lib/api.ts'
import { useLoaded } from '../lib/use-loaded.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Gate } from './gate.tsx'
import { protectedVerdict } from './guard-rules.ts'
import { AppShell } from './shell/app-shell.tsx'

const loadLiveEvents = async () => (await import('./live-events.tsx')).LiveEvents

/** What happens in the workspace is told by the same service as the conversations. */
function Live() {
  const LiveEvents = useLoaded(loadLiveEvents)
  return LiveEvents && <LiveEvents />
}

/** The guard, and inside it the app's frame. */
export function Component() {
  return (
    <Gate rule={protectedVerdict}>
      <TooltipProvider>
        <AppShell />
        {isLive('conversations') && <Live />}
      </TooltipProvider>
    </Gate>
  )
}
