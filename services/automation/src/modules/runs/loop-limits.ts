import { createHash } from 'node:crypto'
import { normalizeText } from '@parley/flow/keywords'
import type { Recent } from './runs.model.ts'

/** Maximum steps of one run. */
export const maxRunSteps = 1000

/** Number of equal texts, each within seconds of ours, that give another machine away. */
const echoLimit = { count: 5, withinMs: 60_000, afterOursMs: 3000 } as const

/** Records a text of the customer that came within seconds of ours. */
export function recordText(recent: Recent, text: string, at: number): Recent {
  const last = recent.sentAt.at(-1)
  // WhatsApp's times have whole seconds.
  const isPrompt = last !== undefined && at > last - 1000 && at < last + echoLimit.afterOursMs
  const normal = normalizeText(text)
  if (!isPrompt || normal === '') return { sentAt: recent.sentAt }
  const digest = createHash('sha256').update(normal).digest('base64url').slice(0, 12)
  const before = recent.echo?.digest === digest ? recent.echo.at.filter((time) => time > at - echoLimit.withinMs) : []
  return { sentAt: recent.sentAt, echo: { digest, at: [...before, at].slice(-echoLimit.count) } }
}

/** Returns whether the customer's texts look like those of another machine. */
export const isEchoing = ({ echo }: Recent): boolean => (echo?.at.length ?? 0) >= echoLimit.count
