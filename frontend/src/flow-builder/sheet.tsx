import { Drawer } from 'antd'
import type { ReactNode } from 'react'

/** A pane that slides in from below where there is no room beside the canvas. */
export function Sheet({
  title,
  open,
  onClose,
  children,
}: {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Drawer
      title={title}
      placement="bottom"
      size="72dvh"
      open={open}
      onClose={onClose}
      destroyOnHidden
      styles={{ body: { padding: 0 } }}
    >
      {children}
    </Drawer>
  )
}
