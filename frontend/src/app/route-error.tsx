import { ErrorState } from '../ui/error-state.tsx'

const title = 'This page could not be shown'
const message = 'Nothing that was saved is lost. Load the page again; if it keeps failing, check your connection.'
const reload = () => window.location.reload()

/** Stands in the place of a whole page that failed to load or to render. */
export const PageError = () => (
  <main>
    <ErrorState page title={title} message={message} onRetry={reload} />
  </main>
)

/** Stands in the place of a screen; the frame around it goes on working. */
export const ScreenError = () => <ErrorState title={title} message={message} onRetry={reload} />
