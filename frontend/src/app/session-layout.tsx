import { Outlet } from 'react-router-dom'
import { SessionProviders } from './session-providers.tsx'

/** Layout of everything behind the landing page. */
export function Component() {
  return (
    <SessionProviders>
      <Outlet />
    </SessionProviders>
  )
}
