import type { ComponentProps } from 'react'
import { Tooltip } from './tooltip.tsx'

/** A short text that says more on hover and focus: a time, `+3`. The keyboard reaches it like a pointer does. */
export function Hint({
  text,
  side,
  ...words
}: Omit<ComponentProps<typeof Tooltip>, 'children'> & ComponentProps<'span'>) {
  return (
    <Tooltip text={text} {...(side && { side })}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be pointed at must be reachable by keyboard; it does nothing, so it is no button. */}
      <span {...words} tabIndex={0} />
    </Tooltip>
  )
}
