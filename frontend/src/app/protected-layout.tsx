import { TooltipProvider } from '../ui/tooltip.tsx'
import { Gate } from './gate.tsx'
import { protectedVerdict } from './guard-rules.ts'
import { AppShell } from './shell/app-shell.tsx'

/** The guard, and inside it the app's frame. */
export function Component() {
  return (
    <Gate rule={protectedVerdict}>
      <TooltipProvider>
        <AppShell />
      </TooltipProvider>
    </Gate>
  )
}
