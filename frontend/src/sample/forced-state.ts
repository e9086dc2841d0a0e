/** Builds for development and tests can show every state of a screen; a shipped one cannot. */
const allowed = import.meta.env.DEV || import.meta.env['VITE_FORCED_STATES'] === 'on'

const states = ['loading', 'empty', 'error'] as const

/** `?state=`: the state that the screen's reads are to show. */
export const forcedState = () =>
  allowed ? states.find((state) => state === new URLSearchParams(window.location.search).get('state')) : undefined
