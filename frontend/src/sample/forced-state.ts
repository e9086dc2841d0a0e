/** Builds for development and tests can show every state of a screen; a shipped one cannot. */
const allowed = import.meta.env.DEV || import.meta.env['VITE_FORCED_STATES'] === 'on'

const parameter = (name: string) => (allowed ? new URLSearchParams(window.location.search).get(name) : null)

const states = ['loading', 'empty', 'error'] as const

/** `?state=`: the state that the screen's reads are to show. */
export const forcedState = () => states.find((state) => state === parameter('state'))

/** `?records=`: how many contacts and conversations there are to be, at most 100,000. */
export function forcedRecords(): number | undefined {
  if (forcedState() === 'empty') return 0
  const records = Number(parameter('records') ?? Number.NaN)
  return Number.isInteger(records) && records >= 0 && records <= 100_000 ? records : undefined
}
