import { useLoaded } from '../lib/use-loaded.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Gate } from './gate.tsx'
import { protectedVerdict } from './guard-rules.ts'
import { AppShell } from './shell/app-shell.tsx'

const loadLiveEvents = async () => (await import('./shell/idle.ts')).LiveEvents

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
        <Live />
      </TooltipProvider>
    </Gate>
  )
}
