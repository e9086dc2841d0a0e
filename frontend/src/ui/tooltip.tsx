import * as RadixTooltip from '@radix-ui/react-tooltip'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import styles from './tooltip.module.css'

/** Stands once around everything that has tooltips: 700 ms until the first, 300 ms within which the next comes at once. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <RadixTooltip.Provider delayDuration={700} skipDelayDuration={300}>
    {children}
  </RadixTooltip.Provider>
)

/** Words that explain a control on hover and focus. The control keeps an accessible name of its own. */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactElement
}) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [shown, setShown] = useState<{ open: boolean; container?: Element | null }>({ open: false })
  return (
    <RadixTooltip.Root
      open={shown.open}
      onOpenChange={(open) => setShown({ open, container: open ? containerOf(trigger.current) : null })}
    >
      <RadixTooltip.Trigger asChild ref={trigger}>
        {children}
      </RadixTooltip.Trigger>
      <RadixTooltip.Portal container={shown.container}>
        <RadixTooltip.Content className={styles['content']} side={side} sideOffset={6} collisionPadding={8}>
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  )
}

/**
 * Finds the dialog of the control, otherwise the page's main landmark: who walks through landmarks with a screen reader would
 * not come upon words beside them. Its position is fixed, so that neither cuts it off.
 */
const containerOf = (control: Element | null) =>
  control?.closest('[role="dialog"], [role="alertdialog"]') ?? document.querySelector('main')
