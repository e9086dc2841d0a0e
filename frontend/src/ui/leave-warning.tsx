import { Modal } from 'antd'
import { useEffect } from 'react'
import { signInName } from '../lib/auth/session.ts'
import { useBlocker } from '../lib/navigation.ts'

/**
 * Asks before unsaved changes are left behind, by a link of ours or by closing the tab.
 * @param onLeave the person has chosen to leave them.
 * @param parameter an editor that is open by this parameter of the address is also left when that changes.
 */
export function LeaveWarning({
  active,
  what,
  parameter,
  onLeave,
}: {
  active: boolean
  what: string
  parameter?: string
  onLeave?: () => void
}) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const of = (search: string) => parameter && new URLSearchParams(search).get(parameter)
    const leaves =
      currentLocation.pathname !== nextLocation.pathname || of(currentLocation.search) !== of(nextLocation.search)
    return active && leaves
  })
  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => {
      // A page whose person has gone must go too.
      if (signInName() !== undefined) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [active])

  return (
    <Modal
      centered
      open={blocker.state === 'blocked'}
      title="Leave without saving?"
      okText="Leave"
      okButtonProps={{ danger: true }}
      cancelText="Stay"
      onOk={() => {
        onLeave?.()
        blocker.proceed?.()
      }}
      onCancel={() => blocker.reset?.()}
    >
      Your changes to {what} have not been saved. If you leave now, they will be lost.
    </Modal>
  )
}
