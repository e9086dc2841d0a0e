import { ErrorState } from '../ui/error-state.tsx'

/** Stands in the place of a screen that failed. Its state is lost, the session is not. */
export function RouteError() {
  return (
    <main>
      <ErrorState
        page
        title="This page could not be shown"
        message="You are still signed in and nothing that was saved is lost. Load the page again; if it keeps failing, check your connection."
        onRetry={() => window.location.reload()}
      />
    </main>
  )
}
