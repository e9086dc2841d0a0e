import { Button, Modal } from 'antd'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import styles from './dialog.module.css'

/** A dialog around a form. Enter submits, Escape and the scrim close; while it saves it stays. */
export function FormDialog({
  open,
  title,
  lead,
  submitLabel,
  submitDisabled = false,
  pending = false,
  width = 480,
  danger = false,
  onSubmit,
  onClose,
  onClosed,
  children,
}: {
  open: boolean
  title: string
  lead?: ReactNode
  submitLabel: string
  submitDisabled?: boolean
  pending?: boolean
  width?: number
  danger?: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  /** Called after the closing motion, to reset the form. */
  onClosed?: () => void
  children: ReactNode
}) {
  const form = useId()
  const [shown, setShown] = useState(false)
  const placed = useRef(false)
  // Done once: fields that are still loading are not there yet, and a save that failed leaves the focus where it is.
  useEffect(() => {
    if (!shown) placed.current = false
    else if (!pending && !placed.current) placed.current = focusFirstField(form)
  }, [shown, pending, form])
  return (
    <Modal
      open={open}
      centered
      width={width}
      title={title}
      destroyOnHidden
      mask={{ closable: !pending }}
      afterOpenChange={setShown}
      keyboard={!pending}
      onCancel={() => {
        if (!pending) onClose()
      }}
      {...(onClosed && { afterClose: onClosed })}
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button
            type="primary"
            danger={danger}
            htmlType="submit"
            form={form}
            loading={pending}
            disabled={submitDisabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          // In React's tree a dialog lies within the component that opened it: a form there would be submitted along.
          event.stopPropagation()
          if (!pending) onSubmit(event)
        }}
      >
        {lead && <p className={styles['lead']}>{lead}</p>}
        {children}
      </form>
    </Modal>
  )
}

const fields = 'input:not([type=hidden]):not([disabled]), textarea:not([disabled])'

/** The first field rather than the cross, unless the person is in one already. Tells whether there is one. */
function focusFirstField(id: string): boolean {
  const box = document.getElementById(id)
  const field = box?.querySelector<HTMLElement>(fields)
  if (!box?.contains(document.activeElement)) field?.focus()
  return Boolean(field)
}

/** A dialog that shows something and saves nothing. */
export function InfoDialog({
  open,
  title,
  width,
  onClose,
  children,
}: {
  open: boolean
  title: string
  width: number
  onClose: () => void
  children: ReactNode
}) {
  const box = useId()
  return (
    <Modal
      open={open}
      centered
      width={width}
      title={title}
      destroyOnHidden
      afterOpenChange={(shown) => {
        if (shown) focusFirstField(box)
      }}
      onCancel={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div id={box} className={styles['info']}>
        {children}
      </div>
    </Modal>
  )
}

/** Asks before something that cannot be undone, by the name of what it happens to. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  pending = false,
  disabled = false,
  danger = true,
  onConfirm,
  onClose,
}: {
  open: boolean
  /** Title with the object's name: `Delete Chai & Co Support?` */
  title: string
  children: ReactNode
  confirmLabel: string
  pending?: boolean
  disabled?: boolean
  danger?: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Modal
      open={open}
      centered
      width={440}
      title={title}
      destroyOnHidden
      onCancel={onClose}
      onOk={onConfirm}
      okText={confirmLabel}
      okButtonProps={{ danger, disabled, loading: pending }}
      cancelButtonProps={{ disabled: pending, autoFocus: true }}
    >
      <div className={styles['lead']}>{children}</div>
    </Modal>
  )
}
