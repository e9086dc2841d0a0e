import type { ReactNode } from 'react'
import { Link } from '../../lib/navigation.ts'
import type { sections } from './sections.ts'

/** A link to a part of this page. The focus goes along, as with a link that loads a page. */
export function SectionLink({ to, children }: { to: keyof typeof sections; children: ReactNode }) {
  return (
    <Link to={`#${to}`} onClick={() => document.getElementById(to)?.focus({ preventScroll: true })}>
      {children}
    </Link>
  )
}
