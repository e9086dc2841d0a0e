import { lazy, Suspense } from 'react'
import { EditorSkeleton } from '../../flow-builder/editor-skeleton.tsx'
import { whenOpened } from '../../ui/when-opened.tsx'

const isOpen = ({ open }: { readonly open: boolean }) => open

export const AttentionDrawer = whenOpened(async () => (await import('./attention-drawer.tsx')).AttentionDrawer, isOpen)
export const HoursDialog = whenOpened(async () => (await import('./hours-dialog.tsx')).HoursDialog, isOpen)
export const PauseDialog = whenOpened(async () => (await import('./pause-dialog.tsx')).PauseDialog, isOpen)
export const PublishDialog = whenOpened(async () => (await import('./publish-dialog.tsx')).PublishDialog, isOpen)

const View = lazy(async () => ({ default: (await import('./bot-view.tsx')).BotView }))

/** The builder of one bot, loaded when it is first opened. */
export const BotView: typeof import('./bot-view.tsx').BotView = (props) => (
  <Suspense fallback={<EditorSkeleton />}>
    <View {...props} />
  </Suspense>
)
