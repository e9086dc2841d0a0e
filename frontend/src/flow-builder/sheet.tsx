import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './flow-editor.module.css'

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

/** Head of a pane beside the canvas; on a phone its sheet has one. */
export function PaneHead({ title, close, onClose }: { title: string; close: string; onClose: () => void }) {
  return (
    <div className={styles['paneHead']}>
      <h2>{title}</h2>
      <IconButton label={close} onClick={onClose}>
        <CloseOutlined aria-hidden />
      </IconButton>
    </div>
  )
}
