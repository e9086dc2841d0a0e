import { type ComponentType, lazy, Suspense, useState } from 'react'
import { EditorSkeleton } from '../../flow-builder/editor-skeleton.tsx'

/** Loads a dialog when it is first opened: the list stays light. It stays afterwards, so that it closes with its motion. */
function whenOpened<P extends { readonly open: boolean }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Dialog = lazy(async () => ({ default: await load() }))
  return function WhenOpened(props: P) {
    const [used, setUsed] = useState(false)
    if (props.open && !used) setUsed(true)
    return (
      used && (
        <Suspense fallback={null}>
          <Dialog {...props} />
        </Suspense>
      )
    )
  }
}

export const AttentionDrawer = whenOpened(async () => (await import('./attention-drawer.tsx')).AttentionDrawer)
export const HoursDialog = whenOpened(async () => (await import('./hours-dialog.tsx')).HoursDialog)
export const PauseDialog = whenOpened(async () => (await import('./pause-dialog.tsx')).PauseDialog)
export const PublishDialog = whenOpened(async () => (await import('./publish-dialog.tsx')).PublishDialog)

const View = lazy(async () => ({ default: (await import('./bot-view.tsx')).BotView }))

/** The builder of one bot, loaded when it is first opened. */
export const BotView: typeof import('./bot-view.tsx').BotView = (props) => (
  <Suspense fallback={<EditorSkeleton />}>
    <View {...props} />
  </Suspense>
)
