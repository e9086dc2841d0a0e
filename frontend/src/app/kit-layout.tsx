import { Outlet } from 'react-router-dom'
import { Controls } from '../ui/controls.tsx'

/** Provides antd with our tokens to every screen that uses it: all but the dashboard, which is the first to show. */
export function Component() {
  return (
    <Controls>
      <Outlet />
    </Controls>
  )
}
