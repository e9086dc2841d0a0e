import type { ViewScreen } from '@parley/contracts/inbox/views'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { QueryOf } from '../lib/choices/views.ts'
import { Popover } from './popover.tsx'

const ViewsList = lazy(async () => ({ default: (await import('./views-list.tsx')).ViewsList }))

interface Props<S extends ViewScreen> {
  screen: S
  /** Filters and order as the list has them now; what is undefined is not filtered. */
  shown: QueryOf<S>
  onShow: (query: QueryOf<S>) => void
  button: ReactElement
}

/** Menu of saved filters and orders of a list: choose one, save the current one, rename, share, delete. */
export function ViewsMenu<S extends ViewScreen>({ screen, shown, onShow, button }: Props<S>) {
  const [open, setOpen] = useState(false)
  return (
    <Popover label="Saved views" open={open} onOpenChange={setOpen} align="end" button={button}>
      <Suspense>
        <ViewsList
          screen={screen}
          shown={shown}
          onShow={(query) => {
            // The list holds views of this screen only.
            onShow(query as QueryOf<S>)
            setOpen(false)
          }}
        />
      </Suspense>
    </Popover>
  )
}
