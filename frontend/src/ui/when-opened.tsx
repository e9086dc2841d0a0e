import { type ComponentType, lazy, Suspense, useState } from 'react'

/**
 * Loads a dialog when it is first opened: the list stays light. It stays afterwards, so that it closes with its motion.
 * @param isOpen whether the dialog is open with these properties.
 */
export function whenOpened<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isOpen: (props: P) => boolean,
): ComponentType<P> {
  const Dialog = lazy(async () => ({ default: await load() }))
  return function WhenOpened(props: P) {
    const [used, setUsed] = useState(false)
    if (!used && isOpen(props)) setUsed(true)
    return (
      used && (
        <Suspense fallback={null}>
          <Dialog {...props} />
        </Suspense>
      )
    )
  }
}
