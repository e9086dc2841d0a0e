import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router-dom'
import { ErrorState } from '../ui/error-state.tsx'
import { ComponentNotLoaded, mayReload } from './lazy-page.ts'
import { PageLoading } from './page-loading.tsx'

const title = 'This page could not be shown'
const message = 'Everything you saved is safe. Reload the page; if that does not help, check your connection.'
const reload = () => window.location.reload()

/** Stands in the place of a whole page that failed to load or to render. */
export const PageError = () =>
  useReloadIfNotLoaded() ? (
    <PageLoading />
  ) : (
    <main>
      <ErrorState page title={title} message={message} onRetry={reload} />
    </main>
  )

/** Stands in the place of a screen; the frame around it keeps working. */
export const ScreenError = () =>
  useReloadIfNotLoaded() ? <PageLoading /> : <ErrorState title={title} message={message} onRetry={reload} />

/**
 * Reloads the page where a part of it is missing: at once, or as soon as the network is back. By now the address is that of the
 * requested screen, so that the person does not land on the previous one.
 * @returns true as long as there is nothing to say.
 */
function useReloadIfNotLoaded(): boolean {
  const missing = useRouteError() instanceof ComponentNotLoaded
  const [waiting, setWaiting] = useState(missing)
  useEffect(() => {
    if (!missing) return
    if (mayReload()) return reload()
    setWaiting(false)
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [missing])
  return waiting
}
