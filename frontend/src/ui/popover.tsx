import * as RadixPopover from '@radix-ui/react-popover'
import type { ReactElement, ReactNode } from 'react'
import styles from './popover.module.css'

/** A dialog beside its button. The focus moves into it, stays in it by Tab, and returns to the button when it closes. */
export function Popover({
  label,
  open,
  onOpenChange,
  align,
  button,
  onCloseFocus,
  children,
}: {
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The edge that it shares with its button. */
  align: 'start' | 'end'
  button: ReactElement
  /** Called before the focus returns to the button; `preventDefault` leaves it where it is. */
  onCloseFocus?: (event: Event) => void
  children: ReactNode
}) {
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>{button}</RadixPopover.Trigger>
      {open && (
        // It leaves without a motion. Left to itself, it waits for the end of one, which may never come under a dialog that opens.
        <RadixPopover.Portal forceMount>
          <RadixPopover.Content
            forceMount
            aria-label={label}
            className={styles['content']}
            align={align}
            sideOffset={4}
            collisionPadding={8}
            {...(onCloseFocus && { onCloseAutoFocus: onCloseFocus })}
          >
            {children}
          </RadixPopover.Content>
        </RadixPopover.Portal>
      )}
    </RadixPopover.Root>
  )
}
