import type { ComponentType } from 'react'

/** A decorative icon: hidden from assistive technology, since a label always stands beside it. */
export function Icon({
  of: Glyph,
  className,
}: {
  of: ComponentType<{ className?: string }>
  className?: string | undefined
}) {
  return (
    <span className={className} aria-hidden="true">
      <Glyph />
    </span>
  )
}
