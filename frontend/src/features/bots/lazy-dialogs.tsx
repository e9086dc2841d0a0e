import { lazy, Suspense } from 'react'
import { EditorSkeleton } from '../../flow-builder/editor-skeleton.tsx'
import { whenOpened } from '../../ui/when-opened.tsx'

const isOpen = ({ open }: { readonly open: boolean }) => open

export const HoursDialog = whenOpened(async () => (await import('./hours-dialog.tsx')).HoursDialog, isOpen)

const View = lazy(async () => ({ default: (await import('./bot-view.tsx')).BotView }))

/** The builder of one bot, loaded when it is first opened. */
export const BotView: typeof import('./bot-view.tsx').BotView = (props) => (
  <Suspense fallback={<EditorSkeleton />}>
    <View {...props} />
  </Suspense>
)
