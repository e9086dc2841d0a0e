import { type ReactNode, useEffect, useRef } from 'react'
import styles from './drawer.module.css'

/** The sidebar on a small screen: a modal dialog, so that focus, Escape and the page behind behave by themselves. */
export function Drawer({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
    if (!open && dialog.current?.open) dialog.current.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog; the click is on its backdrop.
    <dialog
      ref={dialog}
      id="sidebar"
      aria-label="Menu"
      className={styles['drawer']}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={styles['inside']}>{children}</div>
    </dialog>
  )
}
