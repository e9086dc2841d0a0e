import MoreOutlined from '@ant-design/icons/MoreOutlined'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import type { RowAction } from './row-dropdown.tsx'

const load = () => import('./row-dropdown.tsx')
const RowDropdown = lazy(async () => ({ default: (await load()).RowDropdown }))

/**
 * The menu of a row or card. `label` names what it is about: `Actions for Priya Sharma`. A page of rows shows only buttons: the
 * menu itself is loaded with the first one that is opened, or pointed at.
 */
export function RowMenu(props: { label: string; actions: readonly RowAction[] }) {
  const [used, setUsed] = useState(false)
  const button = (
    <IconButton
      label={props.label}
      aria-haspopup="menu"
      onPointerEnter={() => void load().catch(() => undefined)}
      onClick={(event) => {
        event.stopPropagation()
        setUsed(true)
      }}
    >
      <MoreOutlined aria-hidden />
    </IconButton>
  )
  return used ? (
    <Suspense fallback={button}>
      <RowDropdown {...props} />
    </Suspense>
  ) : (
    button
  )
}
