import { Outlet } from 'react-router-dom'
import { Controls } from '../ui/controls.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Gate } from './gate.tsx'
import { onboardingVerdict } from './guard-rules.ts'

/** Layout for the signed-in visitor without a profile; the screen fills the window. */
export function Component() {
  return (
    <Gate rule={onboardingVerdict}>
      <Controls>
        <TooltipProvider>
          <Outlet />
        </TooltipProvider>
      </Controls>
    </Gate>
  )
}
